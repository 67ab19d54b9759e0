/* SPDX-License-Identifier: MIT */
/*
 * How a batch is divided into jobs of about equal size.
 *
 * i-particles are divided into groups. If there are fewer groups than a machine
 * may have cores, j-particles are divided as well, into chunks whose sums are
 * added afterwards, in order. The division depends only on the sizes of the
 * batch's sets, never on the number of threads.
 */
#ifndef KOSHU_BACKEND_SIMD_PLAN_H
#define KOSHU_BACKEND_SIMD_PLAN_H

#include "backend/simd/kernel.h"

#define SIMD_NOT_CUT SIZE_MAX

static inline size_t
simd_divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* One job: i_first ... i_first + i_n - 1 of the batch against j_first ...
 * j_last - 1 of the set. */
struct simd_item {
    size_t set;
    size_t i_first, i_n;
    size_t j_first, j_last;
    /* Where this chunk's sums go: result arrays of i_n elements each, from this
     * index of `partial` on; SIMD_NOT_CUT: directly to the results. */
    size_t partial;
};

/* Memory is reused by the next plan, and grows as needed. */
struct simd_plan {
    struct simd_item *items;
    size_t n_items, capacity_items;
    bool cut;        /* is any set divided into chunks? */
    double *partial; /* their sums */
    size_t capacity_partial;
    size_t at_once; /* items that a thread fetches at a time */
    bool alone;     /* so few pairs that one thread does them all */
};

/* Only the sizes of the batch's sets are used; `results`: number of results per
 * i-particle. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_simd_plan_make(struct koshu_context *context, struct simd_plan *plan,
                     const struct koshu_force_batch *batch, size_t results);
void koshu_simd_plan_free(struct simd_plan *plan);

#endif
