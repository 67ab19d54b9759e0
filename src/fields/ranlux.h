/* SPDX-License-Identifier: MIT */
/*
 * Luescher's 48-bit random numbers at luxury level 1; the same sequence as
 * ranlxd1 of the GNU Scientific Library.
 *
 *     x_n = x_{n-5} - x_{n-12} - c_{n-1} mod 1,
 *
 * where c is 2^-48 after a negative difference, else 0. Of every 202 numbers
 * the last 12 are used.
 * Source: Luescher 1994 (Comp. Phys. Comm. 79, 100).
 */
#ifndef KOSHU_FIELDS_RANLUX_H
#define KOSHU_FIELDS_RANLUX_H

#include <stdint.h>

enum { KOSHU_RANLUX_LAG = 12 };

struct koshu_ranlux {
    uint64_t x[KOSHU_RANLUX_LAG]; /* in units of 2^-48 */
    uint64_t carry;
    unsigned oldest, taken; /* index of the oldest x; numbers taken since the
                               last update */
};

/* Uses the low 31 bits of the seed; 0 counts as 1. */
struct koshu_ranlux koshu_ranlux_seeded(uint32_t seed);

/* The next number, in [0, 1). */
double koshu_ranlux_next(struct koshu_ranlux *r);

#endif
