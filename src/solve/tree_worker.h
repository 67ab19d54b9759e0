/* SPDX-License-Identifier: MIT */
/*
 * A thread that makes lists while a device sums over others: it writes lists
 * into one of its batches until that is full, begins its sums, and takes the
 * other, whose sums were begun before.
 */
#ifndef KOSHU_SOLVE_TREE_WORKER_H
#define KOSHU_SOLVE_TREE_WORKER_H

#include "solve/tree_sums.h"

enum { KOSHU_TREE_BATCHES = 2 };

/* Walks that wait to be summed, or are. */
struct koshu_tree_batch {
    struct koshu_walk_memory *memory; /* NULL: not made yet */
    uint32_t *group;                  /* of each walk */
    struct koshu_walk_capacity used;
    bool begun;
};

/* Begun as {0} but for the first three. */
struct koshu_tree_worker {
    struct koshu_backend *backend;
    size_t bytes; /* of a batch, at most, but where one list has more */
    int workers;  /* who share the groups */
    koshu_status status;
    struct koshu_walker walker;
    struct koshu_tree_batch batch[KOSHU_TREE_BATCHES];
    int at;                         /* which of them is filled */
    struct koshu_walk_times *times; /* of batches that were summed */
    size_t n_times, capacity_times;
    struct koshu_tree_work work;
};

/* For another sum. */
void koshu_tree_worker_begin(struct koshu_tree_worker *worker);

/* The list of a group into a batch; one that is full is begun before. */
koshu_status koshu_tree_worker_add(struct koshu_tree_worker *worker,
                                   const struct koshu_tree_job *job,
                                   size_t group);

/* What was begun is ended, come what may: the device writes there. The status
 * is the worker's. */
void koshu_tree_worker_end(struct koshu_tree_worker *worker,
                           const struct koshu_tree_job *job);

void koshu_tree_worker_free(struct koshu_tree_worker *worker);

#endif
