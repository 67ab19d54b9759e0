/* SPDX-License-Identifier: MIT */
/* Sums with jerk that ranks have parts of, as they send them to each other. */
#ifndef KOSHU_INTEGRATE_PARTIAL_SUMS_H
#define KOSHU_INTEGRATE_PARTIAL_SUMS_H

#include "backend/backend.h"

/* Acceleration, jerk, potential, from the j-particles of one rank. */
enum { KOSHU_PARTIAL_SUMS = 7 };
struct koshu_partial_sums {
    double sum[KOSHU_PARTIAL_SUMS];
};

static inline void
koshu_partial_sums_take(size_t n, const struct koshu_jerk_result *result,
                        struct koshu_partial_sums *to)
{
    for (size_t k = 0; k < n; k++) {
        const struct koshu_jerk_result *r = &result[k];
        to[k] = (struct koshu_partial_sums){{r->a[0], r->a[1], r->a[2],
                                             r->jerk[0], r->jerk[1], r->jerk[2],
                                             r->potential}};
    }
}

/* Those of so many ranks, n each, in their order. */
static inline void
koshu_partial_sums_add(size_t n, int ranks,
                       const struct koshu_partial_sums *all,
                       struct koshu_jerk_result *result)
{
    for (size_t m = 0; m < n; m++) {
        struct koshu_partial_sums p = all[m];
        for (int r = 1; r < ranks; r++)
            for (int k = 0; k < KOSHU_PARTIAL_SUMS; k++)
                p.sum[k] += all[(size_t)r * n + m].sum[k];
        result[m] = (struct koshu_jerk_result){
                .a = {p.sum[0], p.sum[1], p.sum[2]},
                .jerk = {p.sum[3], p.sum[4], p.sum[5]},
                .potential = p.sum[6]};
    }
}

#endif
