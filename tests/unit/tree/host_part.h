/* SPDX-License-Identifier: MIT */
/* A part of the device's tree, cut on the host one thread after another. */
#ifndef KOSHU_TESTS_HOST_PART_H
#define KOSHU_TESTS_HOST_PART_H

#include "host_stages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box that holds groups, and the largest of their factors. */
struct host_bounds {
    double low[3], high[3], factor;
};

/* Of a cell of the tree: whether the part has it; as what it has it. */
struct host_fate {
    bool kept, whole, opened;
    uint32_t number; /* in the part */
    uint32_t first;  /* of its particles there */
    uint32_t child;  /* there */
    bool never_opened;
};

struct host_part {
    size_t n_cells, n_particles;
    struct host_fate *fate; /* of each cell of the tree */
};

/* What groups in any of n bounds ask of a tree; free with host_part_free(). */
struct host_part host_part_make(const struct host_tree *tree, size_t n,
                                const struct host_bounds *bounds);
void host_part_free(struct host_part *part);

#ifdef __cplusplus
}
#endif

#endif
