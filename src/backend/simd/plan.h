/* SPDX-License-Identifier: MIT */
/*
 * How a batch is cut into jobs of about equal size.
 *
 * i-particles are cut into groups; where there are fewer groups than a machine
 * may have cores, j-particles are cut as well, into chunks whose sums are
 * added afterwards, in order. The cuts depend on the sizes of the batch's sets
 * alone, never on the number of threads.
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

/* i_first ... i_first + i_n - 1 of the batch against j_first ... j_last - 1 of
 * the set. */
struct simd_item {
    size_t set;
    size_t i_first, i_n;
    size_t j_first, j_last;
    /* Where this chunk's sums go: result arrays of i_n elements each start
     * here in `partial`; SIMD_NOT_CUT: to the results. */
    size_t partial;
};

/* Memory is kept from one plan to the next, and grown. */
struct simd_plan {
    struct simd_item *items;
    size_t n_items, capacity_items;
    bool cut;        /* are there chunks? */
    double *partial; /* their sums */
    size_t capacity_partial;
    size_t at_once; /* items handed to a thread at a time */
    bool alone;     /* so few pairs that one thread does it all */
};

/* Of the batch its sets alone count; an i-particle has `results`
 * numbers. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_simd_plan_make(struct koshu_context *context, struct simd_plan *plan,
                     const struct koshu_force_batch *batch, size_t results);
void koshu_simd_plan_free(struct simd_plan *plan);

#endif
