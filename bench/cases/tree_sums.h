/* SPDX-License-Identifier: MIT */
/* Sums over the list of one walk, distributed by a scheme. */
#ifndef KOSHU_BENCH_CASES_TREE_SUMS_H
#define KOSHU_BENCH_CASES_TREE_SUMS_H

#include "bench/cases/tree_schemes.h"
#include "app/app.h"
#include "bench/internal.h"

/* Walks whose lists are made before they are summed; parts into which a
 * device divides a list, as many as the GeForce 8800 has multiprocessors. */
enum { BATCH = 256, MAX_THREADS = 64, DEVICE_PARTS = 16 };

struct tree_schemes {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_walk_task task;
    struct koshu_tree tree;
    struct koshu_groups groups;
    struct koshu_walker walker[BATCH];
    struct koshu_list direct; /* of all particles; or {0} */
    int threads;
    size_t parts;   /* of a list, at most */
    float *eps2;    /* of the i-particles of all parts of a walk */
    float *i[3];    /* the same i-particles for each part */
    double *sum[4]; /* of all particles, in the order of the lists */
    double *part;   /* 4 * largest for each part */
    uint64_t interactions;
    double list_seconds, sum_seconds;
};

/* The sums of n particles from `first` on. */
struct tree_target {
    size_t first, n;
};

/* By one thread, or by the device, as one walk. */
koshu_status tree_sum_whole(struct tree_schemes *schemes,
                            struct tree_target target,
                            const struct koshu_list *list);

/* Distributed over all threads, or over all of the device: i-parallel or
 * j-parallel. */
koshu_status tree_sum_shared(struct tree_schemes *schemes,
                             enum tree_scheme scheme, struct tree_target target,
                             const struct koshu_list *list);

#endif
