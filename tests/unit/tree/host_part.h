/* SPDX-License-Identifier: MIT */
/* The part of a device's tree for another rank, made on the host thread by
 * thread. */
#ifndef KOSHU_TESTS_HOST_PART_H
#define KOSHU_TESTS_HOST_PART_H

#include "host_stages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box that contains groups, and the largest of their factors. */
struct host_bounds {
    double low[3], high[3], factor;
};

/* For a cell of the tree: whether the part has it, and in what form. */
struct host_fate {
    bool kept, whole, opened;
    uint32_t number; /* its number in the part */
    uint32_t first;  /* its first particle there */
    uint32_t child;  /* its first child there */
    bool never_opened;
};

struct host_part {
    size_t n_cells, n_particles;
    struct host_fate *fate; /* one for each cell of the tree */
};

/* The part of a tree that groups within any of n bounds need; free with
 * host_part_free(). */
struct host_part host_part_make(const struct host_tree *tree, size_t n,
                                const struct host_bounds *bounds);
void host_part_free(struct host_part *part);

#ifdef __cplusplus
}
#endif

#endif
