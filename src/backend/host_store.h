/* SPDX-License-Identifier: MIT */
/*
 * What the j-particle stores in the host's memory have in common: the
 * j-particles, and what a sum needs to remember.
 */
#ifndef KOSHU_BACKEND_HOST_STORE_H
#define KOSHU_BACKEND_HOST_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"

enum { HOST_LANES = 8 };

/* j-particles: a structure of arrays, of so many that a vector of any width
 * finds its numbers side by side, and that all of a particle is near. */
struct host_block {
    double time[HOST_LANES], mass[HOST_LANES];
    double x[3][HOST_LANES], v[3][HOST_LANES], a[3][HOST_LANES],
            jerk[3][HOST_LANES], snap[3][HOST_LANES];
};

struct host_store {
    struct koshu_context *context;
    size_t capacity;
    struct host_block *blocks; /* beyond the capacity they are zero */
    int64_t *id;
    bool *is_set;      /* of each index: it holds a particle */
    size_t all_set_to; /* every index below does */

    /* The first predicted_n particles are predicted to predicted_time. */
    size_t predicted_n;
    double predicted_time;

    /* Of the last start: copies, and memory for the results. */
    bool nearest;
    size_t n_i, n_j, capacity_i;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* An empty store; see koshu_j_store_create(). The caller frees it, whatever the
 * status. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_store_make(struct host_store *store,
                                   struct koshu_context *context,
                                   size_t capacity);
void koshu_host_store_free(struct host_store *store);

/* As in struct koshu_j_store_ops. */
koshu_status
koshu_host_store_reserve(struct host_store *store, size_t capacity);
void koshu_host_store_set(struct host_store *store, size_t n,
                          const uint64_t *address,
                          const struct koshu_j_particle *particles);

/* Keeps what neighbours and end need. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_store_start(struct host_store *store,
                                    const struct koshu_jerk_task *task,
                                    size_t n_j, size_t n_i,
                                    const struct koshu_i_particle *i);
/* Hands out the results. */
void koshu_host_store_results(const struct host_store *store,
                              struct koshu_jerk_result *result);

/* Must the first n_j particles be predicted to `time`? Then the caller does it;
 * else they, and no others, stand there from before. */
bool koshu_host_store_moves(struct host_store *store, double time, size_t n_j);

#endif
