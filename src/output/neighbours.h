/* SPDX-License-Identifier: MIT */
/* Finds the nearest of many points, with a k-d tree (Bentley 1975). */
#ifndef KOSHU_OUTPUT_NEIGHBOURS_H
#define KOSHU_OUTPUT_NEIGHBOURS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

struct koshu_context;
struct koshu_neighbour_tree;

/* x: three arrays of n < 2^32 numbers; the caller destroys the tree.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_neighbour_tree_create(
        struct koshu_context *context, size_t n, const double *const x[3],
        struct koshu_neighbour_tree **tree);
/* NULL is allowed. */
void koshu_neighbour_tree_destroy(struct koshu_neighbour_tree *tree);

enum { KOSHU_MAX_NEIGHBOURS = 32 };

/* Several points, the nearest first. */
struct koshu_neighbours {
    size_t n; /* how many to find; fewer than there are points */
    double r2[KOSHU_MAX_NEIGHBOURS];
    uint32_t index[KOSHU_MAX_NEIGHBOURS];
};

/* Finds those nearest to point i, excluding itself. Thread-safe. */
void koshu_neighbours_find(const struct koshu_neighbour_tree *tree, size_t i,
                           struct koshu_neighbours *found);

#endif
