/* SPDX-License-Identifier: MIT */
/* Essential trees to the other ranks, and theirs as a forest. */
#ifndef KOSHU_SOLVE_TREE_IMPORTS_H
#define KOSHU_SOLVE_TREE_IMPORTS_H

#include "devices/devices.h"
#include "tree/tree.h"

/* Begun as {0}. */
struct koshu_tree_imports {
    /* Of each rank: what goes to it, what comes from it. */
    struct koshu_essential *out, *in;
    struct koshu_tree_target *target; /* of all ranks, one after another */
    size_t *n_targets;                /* of each rank */
    struct koshu_essential_size {
        uint64_t cells, particles;
    } * size; /* of what goes to each rank, then of what comes from it */
    struct koshu_message *messages;
    struct koshu_forest forest; /* all that have come; may have no cells */
    const struct koshu_tree *tree;
    size_t capacity_out, capacity_in, capacity_target, capacity_n_targets,
            capacity_size, capacity_messages;
    uint64_t bytes_sent;
};

/* What others need of the tree begins to go to them; its groups walk with a[].
 * It may have no particles. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: too much for one rank. */
koshu_status koshu_tree_imports_start(struct koshu_tree_imports *imports,
                                      const struct koshu_tree *tree,
                                      const struct koshu_groups *groups,
                                      const double *a);
/* Waits until all have come, and makes the forest. */
koshu_status koshu_tree_imports_wait(struct koshu_tree_imports *imports,
                                     struct koshu_context *context);
void koshu_tree_imports_free(struct koshu_tree_imports *imports);

#endif
