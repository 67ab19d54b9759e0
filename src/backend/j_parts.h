/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store in parts, each in a memory of its own: of n parts, part p
 * has the indices p, p + n, p + 2 n, ... So the first n_j particles are divided
 * evenly for any n_j, and none moves to another part when the store grows.
 */
#ifndef KOSHU_BACKEND_J_PARTS_H
#define KOSHU_BACKEND_J_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "backend/j_store.h"

struct koshu_j_part {
    size_t part, parts;
};

/* How many of the first n particles are in the part? */
static inline size_t
koshu_j_part_count(struct koshu_j_part p, size_t n)
{
    return n > p.part ? (n - p.part - 1) / p.parts + 1 : 0;
}

/* The global index of the part's k-th particle. */
static inline uint64_t
koshu_j_part_index(struct koshu_j_part p, uint64_t k)
{
    return k * p.parts + p.part;
}

/* A result of the part, with the global index of its neighbour. */
static inline struct koshu_jerk_result
koshu_j_part_result(struct koshu_j_part p, const struct koshu_jerk_result *of)
{
    struct koshu_jerk_result result = *of;
    if (result.nearest != KOSHU_NO_INDEX)
        result.nearest = koshu_j_part_index(p, result.nearest);
    return result;
}

/* Adds the sums of another part. Of two equally near neighbours the one of the
 * lower index is kept. */
static inline void
koshu_jerk_result_add(struct koshu_jerk_result *to,
                      const struct koshu_jerk_result *more)
{
    for (int c = 0; c < 3; c++) to->a[c] += more->a[c];
    for (int c = 0; c < 3; c++) to->jerk[c] += more->jerk[c];
    to->potential += more->potential;
    if (more->nearest_r2 > to->nearest_r2 ||
        (more->nearest_r2 == to->nearest_r2 && more->nearest > to->nearest))
        return;
    to->nearest_r2 = more->nearest_r2;
    to->nearest = more->nearest;
}

/* Neighbours of an i-particle in one part, in ascending order. */
struct koshu_j_part_list {
    const uint32_t *k; /* indices in the part */
    uint64_t n;
};

/* Merges the lists of the first n parts: takes up to `max` global indices from
 * them, in ascending order. */
static inline void
koshu_j_parts_merge(size_t n, size_t parts, struct koshu_j_part_list *list,
                    uint64_t max, uint64_t *index)
{
    for (uint64_t m = 0; m < max; m++) {
        uint64_t least = KOSHU_NO_INDEX;
        size_t from = 0;
        for (size_t p = 0; p < n; p++) {
            if (list[p].n == 0) continue;
            const struct koshu_j_part part = {p, parts};
            const uint64_t first = koshu_j_part_index(part, *list[p].k);
            if (first >= least) continue;
            least = first;
            from = p;
        }
        if (least == KOSHU_NO_INDEX) return;
        index[m] = least;
        list[from].k++;
        list[from].n--;
    }
}

#endif
