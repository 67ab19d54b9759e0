/* SPDX-License-Identifier: MIT */
/*
 * Tables of quintics for what the core of a vortex makes of 1 / r^3 and of its
 * derivative, at s = r^2 / (2 sigma^2) from 0 to KOSHU_CORE_END. g is Hamada09
 * eq. 2, F_m are the Boys functions (Boys 1950), P(s) is the polynomial of the
 * core's order (kernels/vortex_core.h):
 *
 *     sigma^3 g / r^3                = c (F_1 + exp(-s) P / 2)
 *     sigma^5 (1 / r) d/dr (g / r^3) = - c (F_2 + exp(-s) (P - P') / 2)
 *
 * with c = (2 / pi)^(1/2).
 *
 * Error: 1e-9 of the largest value, of any order
 * (tests/unit/vortex/test_core_rows.c).
 */
#ifndef KOSHU_KERNELS_CORE_TABLE_H
#define KOSHU_KERNELS_CORE_TABLE_H

#include "kernels/core_terms.h"

enum { KOSHU_CORE_STEPS = 16, KOSHU_CORE_END = 40, KOSHU_CORE_TERMS = 6 };
enum { KOSHU_CORE_VALUE, KOSHU_CORE_SLOPE, KOSHU_CORE_FUNCTIONS };
struct koshu_core_table {
    double p[VORTEX_CORE_TERMS];
    double c[KOSHU_CORE_STEPS * KOSHU_CORE_END][KOSHU_CORE_FUNCTIONS]
            [KOSHU_CORE_TERMS];
};

/* Both functions at s, which must be below KOSHU_CORE_END. */
static inline void
koshu_core_interpolate(const struct koshu_core_table *table, double s,
                       double of[KOSHU_CORE_FUNCTIONS])
{
    const double steps = s * KOSHU_CORE_STEPS;
    const int k = (int)steps;
    const double t = steps - k;
    for (int f = 0; f < KOSHU_CORE_FUNCTIONS; f++) {
        const double *c = table->c[k][f];
        of[f] = c[0] +
                t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
    }
}

#endif
