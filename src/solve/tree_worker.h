/* SPDX-License-Identifier: MIT */
/*
 * A thread that makes lists. Each list either goes to the backend at once,
 * which sums it while it is in the cache (tree_lists.c), or into one of two
 * batches, which a device sums while lists are written into the other
 * (tree_batches.c).
 */
#ifndef KOSHU_SOLVE_TREE_WORKER_H
#define KOSHU_SOLVE_TREE_WORKER_H

#include "solve/treecode.h"

/* The common part, followed by that of each kind. Initialised as {0} except for
 * the first four. */
struct koshu_tree_worker {
    const struct koshu_tree_worker_ops *ops;
    struct koshu_backend *backend;
    int workers; /* number of threads */
    /* of a device's memory, for its batches; exceeded if one list needs more */
    size_t bytes;
    koshu_status status;
    struct koshu_walker walker;
    struct koshu_tree_report work;
    struct koshu_walk_times *times; /* of batches that were summed */
    size_t n_times, capacity_times;
};

struct koshu_tree_worker_ops {
    size_t size; /* of a worker */
    /* OPTIONAL. Called before the first group. KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*begin)(struct koshu_tree_worker *worker,
                          const struct koshu_tree_job *job);
    /* KOSHU_ERROR_UNSUPPORTED, without a message: a sum is infinite or NaN. */
    koshu_status (*add)(struct koshu_tree_worker *worker,
                        const struct koshu_tree_job *job, size_t group);
    /* OPTIONAL. Called after the last group, even after a failure; statuses as
     * of add. */
    koshu_status (*end)(struct koshu_tree_worker *worker,
                        const struct koshu_tree_job *job);
    void (*free)(struct koshu_tree_worker *worker);
};

extern const struct koshu_tree_worker_ops koshu_tree_lists, koshu_tree_batches;

/* ---- tree_group.c: what both do with a group ----------------------------- */

/* Makes the list of a group in the worker's list. */
koshu_status koshu_tree_group_walk(struct koshu_tree_worker *worker,
                                   const struct koshu_tree_job *job,
                                   size_t group);

koshu_status koshu_tree_no_list(struct koshu_context *context);

/* Counts the interactions of a group whose sums are to be computed. */
void koshu_tree_group_count(struct koshu_tree_worker *worker,
                            const struct koshu_tree_job *job,
                            const struct koshu_group *group);

/* Writes the sums of a group's particles, ax ay az potential, to the particles.
 * false: one is infinite or NaN. */
bool koshu_tree_scatter(const struct koshu_tree_job *job,
                        const struct koshu_group *group, double *const sum[4]);

#endif
