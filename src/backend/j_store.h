/* SPDX-License-Identifier: MIT */
/* j-particles with times of their own, and sums with jerk over them. */
#ifndef KOSHU_BACKEND_J_STORE_H
#define KOSHU_BACKEND_J_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>
#include <koshu/j_store.h>
#include <koshu/status.h>

struct koshu_backend;

/*
 * The memory of koshu/j_store.h in a backend; arguments are checked. Each
 * backend puts its own behind the struct.
 */
struct koshu_backend_j_store;

/* What is asked of a sum with jerk. */
struct koshu_jerk_task {
    double eps; /* >= 0 */
    bool nearest;
};

struct koshu_j_store_ops {
    size_t slot_bytes; /* of the host's memory that a slot takes */
    /* Slots are as koshu_j_store_create() says. */
    koshu_status (*create)(struct koshu_backend *backend,
                           enum koshu_precision precision, size_t capacity,
                           struct koshu_backend_j_store **memory);
    void (*destroy)(struct koshu_backend_j_store *memory);

    bool (*can)(const struct koshu_backend_j_store *memory,
                const struct koshu_jerk_task *task);

    /* More slots than now; the old ones are kept. */
    koshu_status (*reserve)(struct koshu_backend_j_store *memory,
                            size_t capacity);
    /* Addresses are all different; NULL: 0 ... n - 1. Small sets are few:
     * particles that come one by one are collected before. */
    koshu_status (*set)(struct koshu_backend_j_store *memory, size_t n,
                        const uint64_t *address,
                        const struct koshu_j_particle *particles);
    /* Sums over the first n_j >= 1 slots predicted to `time`, on n_i >= 1
     * i-particles: copies i, may return while they run. */
    koshu_status (*begin)(struct koshu_backend_j_store *memory,
                          const struct koshu_jerk_task *task, double time,
                          size_t n_j, size_t n_i,
                          const struct koshu_i_particle *i);
    koshu_status (*end)(struct koshu_backend_j_store *memory,
                        struct koshu_jerk_result *result);
    /* Of the last begin; see koshu_j_store_neighbours(). */
    koshu_status (*neighbours)(struct koshu_backend_j_store *memory,
                               size_t most, uint64_t *count, uint64_t *address);
};

#endif
