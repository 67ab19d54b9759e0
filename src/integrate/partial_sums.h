/* SPDX-License-Identifier: MIT */
/* Partial sums with jerk, in the form in which ranks exchange them. */
#ifndef KOSHU_INTEGRATE_PARTIAL_SUMS_H
#define KOSHU_INTEGRATE_PARTIAL_SUMS_H

#include <math.h>

#include "backend/backend.h"

/* Acceleration, jerk and potential from the j-particles of one rank; and, if
 * part of the task, the index of the nearest of them among all. */
enum { KOSHU_PARTIAL_SUMS = 7 };
struct koshu_partial_sums {
    double sum[KOSHU_PARTIAL_SUMS];
    double nearest_r2;
    uint64_t nearest;
};

/* first: the index of the rank's first j-particle among all. */
static inline void
koshu_partial_sums_take(size_t n, const struct koshu_jerk_result *result,
                        size_t first, struct koshu_partial_sums *to)
{
    for (size_t k = 0; k < n; k++) {
        const struct koshu_jerk_result *r = &result[k];
        to[k] = (struct koshu_partial_sums){
                .sum = {r->a[0], r->a[1], r->a[2], r->jerk[0], r->jerk[1],
                        r->jerk[2], r->potential},
                .nearest_r2 = r->nearest_r2,
                .nearest = r->nearest == KOSHU_NO_INDEX ? KOSHU_NO_INDEX
                                                        : first + r->nearest};
    }
}

/* Adds the partial sums of so many ranks, n each, in rank order. */
static inline void
koshu_partial_sums_add(size_t n, int ranks,
                       const struct koshu_partial_sums *all,
                       struct koshu_jerk_result *result)
{
    for (size_t m = 0; m < n; m++) {
        struct koshu_partial_sums p = all[m];
        for (int r = 1; r < ranks; r++) {
            const struct koshu_partial_sums *more = &all[(size_t)r * n + m];
            for (int k = 0; k < KOSHU_PARTIAL_SUMS; k++)
                p.sum[k] += more->sum[k];
            if (!(more->nearest_r2 < p.nearest_r2)) continue;
            p.nearest_r2 = more->nearest_r2;
            p.nearest = more->nearest;
        }
        result[m] = (struct koshu_jerk_result){
                .a = {p.sum[0], p.sum[1], p.sum[2]},
                .jerk = {p.sum[3], p.sum[4], p.sum[5]},
                .potential = p.sum[6],
                .nearest_r2 = p.nearest_r2,
                .nearest = p.nearest};
    }
}

/* The sums over no j-particles. */
static inline void
koshu_partial_sums_none(size_t n, struct koshu_jerk_result *result)
{
    for (size_t k = 0; k < n; k++)
        result[k] = (struct koshu_jerk_result){.nearest_r2 = INFINITY,
                                               .nearest = KOSHU_NO_INDEX};
}

#endif
