/* SPDX-License-Identifier: MIT */
/*
 * The sums over the lists of all groups of a tree, where the host makes the
 * lists: each handed to the backend by the thread that has made it
 * (tree_lists.c), or many at once, in memory that a device reads while others
 * are made (tree_batches.c).
 */
#ifndef KOSHU_SOLVE_TREE_SUMS_H
#define KOSHU_SOLVE_TREE_SUMS_H

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

/* What that took. */
struct koshu_tree_work {
    double walk, force; /* seconds of all threads together */
    uint64_t interactions, with_cells, cells_tested;
    /* Of a device that sums batches: seconds in which it copied and summed at
     * least one. */
    double up, sums, down;
    uint64_t batches, bytes_up, bytes_down;
};

/* ---- tree_sums.c --------------------------------------------------------- */

/* The smallest acceleration that the group's particles had; 0 where the
 * criterion does not ask. */
double koshu_tree_smallest_acceleration(const struct koshu_tree_job *job,
                                        const struct koshu_group *group);

/* Sums of a group's particles, ax ay az potential, to the particles. false:
 * one is infinite or NaN. */
bool koshu_tree_scatter(const struct koshu_tree_job *job,
                        const struct koshu_group *group, double *const sum[4]);

/* KOSHU_ERROR_UNSUPPORTED: sums are infinite or NaN, of numbers that are not.
 */
koshu_status koshu_tree_too_near(struct koshu_context *context);

/* ---- tree_lists.c -------------------------------------------------------- */

/* The memory of the threads. */
struct koshu_tree_lists;

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_lists_create(struct koshu_context *context,
                                     struct koshu_tree_lists **lists);
/* NULL is allowed. */
void koshu_tree_lists_destroy(struct koshu_tree_lists *lists);

koshu_status koshu_tree_lists_sum(struct koshu_tree_lists *lists,
                                  const struct koshu_tree_job *job,
                                  struct koshu_tree_work *work);

/* ---- tree_batches.c ------------------------------------------------------ */

/* The batches of the threads, in a backend that has memory for walks. */
struct koshu_tree_batches;

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_batches_create(struct koshu_backend *backend,
                                       struct koshu_tree_batches **batches);
/* NULL is allowed. */
void koshu_tree_batches_destroy(struct koshu_tree_batches *batches);

koshu_status koshu_tree_batches_sum(struct koshu_tree_batches *batches,
                                    const struct koshu_tree_job *job,
                                    struct koshu_tree_work *work);

#endif
