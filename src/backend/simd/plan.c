/* SPDX-License-Identifier: MIT */
/* Divides batches of direct sums into jobs of about equal size. */
#include "backend/simd/plan.h"

#include <stdlib.h>

#include "base/base.h"

enum {
    ENOUGH_ITEMS = 64,  /* keep many cores busy to the end */
    SMALLEST_GROUP = 64 /* enough i-particles to make converting a tile cheap */
};

/* A thread takes longer for this many pairs than for fetching the next item. */
static const double pairs_at_once = 1 << 16;

/* One thread finishes this many pairs before a second one wakes up. */
static const double pairs_alone = 1 << 18;

/* The largest number of i-particles of an item. */
static size_t
group_size(size_t n_i)
{
    size_t group = simd_divide_up(n_i, 2 * ENOUGH_ITEMS * 8) * 8;
    if (group < SMALLEST_GROUP) return SMALLEST_GROUP;
    return group < SIMD_JOB_I ? group : SIMD_JOB_I;
}

static size_t
set_size(const size_t *offset, size_t set)
{
    return offset[set + 1] - offset[set];
}

static size_t
count_groups(const struct koshu_force_batch *batch, size_t group)
{
    size_t groups = 0;
    for (size_t set = 0; set < batch->n_sets; set++)
        groups += simd_divide_up(set_size(batch->i_offset, set), group);
    return groups;
}

/* j-particles of a chunk: the whole set if there are enough groups. */
static size_t
chunk_size(size_t n_j, size_t groups)
{
    if (groups >= ENOUGH_ITEMS || n_j <= SIMD_J_GRAIN) return n_j ? n_j : 1;
    size_t chunks = simd_divide_up(ENOUGH_ITEMS, groups);
    return simd_divide_up(simd_divide_up(n_j, chunks), SIMD_J_GRAIN) *
           SIMD_J_GRAIN;
}

/* At least one, so that the forces of an empty j-set are also written. */
static size_t
count_chunks(size_t n_j, size_t groups)
{
    return n_j ? simd_divide_up(n_j, chunk_size(n_j, groups)) : 1;
}

static void
count_all(const struct koshu_force_batch *batch, size_t results, size_t group,
          size_t groups, size_t *items, size_t *partial)
{
    *items = *partial = 0;
    for (size_t set = 0; set < batch->n_sets; set++) {
        size_t n_i = set_size(batch->i_offset, set);
        size_t chunks = count_chunks(set_size(batch->j_offset, set), groups);
        *items += simd_divide_up(n_i, group) * chunks;
        if (chunks > 1) *partial += results * n_i * chunks;
    }
}

static void
cut_set(struct simd_plan *plan, const struct koshu_force_batch *batch,
        size_t results, size_t set, size_t group, size_t groups,
        size_t *partial)
{
    size_t i_last = batch->i_offset[set + 1];
    size_t n_j = set_size(batch->j_offset, set);
    size_t chunk = chunk_size(n_j, groups);
    size_t chunks = count_chunks(n_j, groups);
    for (size_t i = batch->i_offset[set]; i < i_last; i += group)
        for (size_t c = 0; c < chunks; c++) {
            struct simd_item item = {
                    .set = set,
                    .i_first = i,
                    .i_n = i_last - i < group ? i_last - i : group,
                    .j_first = c * chunk,
                    .j_last = c + 1 < chunks ? (c + 1) * chunk : n_j,
                    .partial = chunks > 1 ? *partial : SIMD_NOT_CUT,
            };
            if (chunks > 1) *partial += results * item.i_n;
            plan->items[plan->n_items++] = item;
        }
}

static void
schedule_items(struct simd_plan *plan)
{
    double pairs = 0;
    for (size_t p = 0; p < plan->n_items; p++) {
        const struct simd_item *item = &plan->items[p];
        pairs += (double)item->i_n * (double)(item->j_last - item->j_first);
    }
    double at_once = pairs_at_once * (double)plan->n_items / (pairs + 1);
    plan->at_once = at_once < 1 ? 1 : at_once < 64 ? (size_t)at_once : 64;
    plan->alone = pairs < pairs_alone;
}

koshu_status
koshu_simd_plan_make(struct koshu_context *context, struct simd_plan *plan,
                     const struct koshu_force_batch *batch, size_t results)
{
    size_t group = group_size(batch->i.n);
    size_t groups = count_groups(batch, group);
    size_t n_items, n_partial, partial = 0;
    count_all(batch, results, group, groups, &n_items, &n_partial);
    plan->n_items = 0;
    KOSHU_TRY(KOSHU_GROW(plan, items, n_items, context, "list of work"));
    KOSHU_TRY(KOSHU_GROW(plan, partial, n_partial, context, "partial sums"));
    for (size_t set = 0; set < batch->n_sets; set++)
        cut_set(plan, batch, results, set, group, groups, &partial);
    plan->cut = n_partial > 0;
    schedule_items(plan);
    return KOSHU_OK;
}

void
koshu_simd_plan_free(struct simd_plan *plan)
{
    koshu_free(plan->items);
    koshu_free(plan->partial);
}
