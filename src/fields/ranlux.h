/* SPDX-License-Identifier: MIT */
/*
 * Luescher's random numbers of 48 bits, at luxury level 1: ranlxd1 of the GNU
 * Scientific Library, number for number.
 *
 *     x_n = x_{n-5} - x_{n-12} - c_{n-1} mod 1,
 *
 * where c is 2^-48 after a difference below 0, or 0; of 202 numbers the last
 * 12 are used.
 * Source: Luescher 1994 (Comp. Phys. Comm. 79, 100).
 */
#ifndef KOSHU_FIELDS_RANLUX_H
#define KOSHU_FIELDS_RANLUX_H

#include <stdint.h>

enum { KOSHU_RANLUX_LAG = 12 };

struct koshu_ranlux {
    uint64_t x[KOSHU_RANLUX_LAG]; /* in units of 2^-48 */
    uint64_t carry;
    unsigned oldest, taken; /* of x: where the oldest is; since the last step */
};

/* From the 31 low bits of the seed; 0 is 1. */
struct koshu_ranlux koshu_ranlux_seeded(uint32_t seed);

/* The next number, in [0, 1). */
double koshu_ranlux_next(struct koshu_ranlux *r);

#endif
