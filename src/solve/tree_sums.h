/* SPDX-License-Identifier: MIT */
/*
 * The sums over the lists of all groups of a tree, where the threads of the
 * host make the lists.
 */
#ifndef KOSHU_SOLVE_TREE_SUMS_H
#define KOSHU_SOLVE_TREE_SUMS_H

#include <koshu/tree.h>

#include "backend/backend.h"
#include "tree/tree.h"

/* What is to be summed, and on which particles. */
struct koshu_tree_job {
    struct koshu_backend *backend;
    const struct koshu_tree *tree;
    const struct koshu_groups *groups;
    const struct koshu_force_task *task;
    const struct koshu_particle_view *particles; /* gets the sums */
    bool split;                                  /* positions have low parts */
};

/* The memory of the threads. */
struct koshu_tree_sums;

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_sums_create(struct koshu_backend *backend,
                                    struct koshu_tree_sums **sums);
/* NULL is allowed. */
void koshu_tree_sums_destroy(struct koshu_tree_sums *sums);

/* Adds to the work: interactions, cells tested, what a device did, and as walk
 * and force the seconds of all threads together. KOSHU_ERROR_UNSUPPORTED: sums
 * are infinite or NaN, of numbers that are not. */
koshu_status koshu_tree_sums_do(struct koshu_tree_sums *sums,
                                const struct koshu_tree_job *job,
                                struct koshu_tree_report *work);

#endif
