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
    struct koshu_backend_j_store
            base;              /* first: the two are cast to each other */
    struct host_block *blocks; /* beyond the capacity they are zero */
    int64_t *id;
    bool *is_set;      /* of each index: it holds a particle */
    bool *was_set;     /* when the particles were last predicted */
    bool has_new;      /* the two differ */
    size_t all_set_to; /* every index below does */

    /* The first predicted_n particles are predicted to predicted_time. */
    size_t predicted_n;
    double predicted_time;

    /* Of the last start: copies, and memory for the results. */
    bool nearest;
    size_t n_i, n_j, capacity_i, capacity_result;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* Of the host's memory. */
enum {
    HOST_STORE_BYTES_PER_PARTICLE = sizeof(struct host_block) / HOST_LANES +
                                    sizeof(int64_t) + 2 * sizeof(bool)
};

/* ---- as in struct koshu_j_store_ops ---------------------------------------
 */

void koshu_host_store_close(struct koshu_backend_j_store *store);
koshu_status
koshu_host_store_reserve(struct koshu_backend_j_store *store, size_t capacity);
koshu_status
koshu_host_store_set(struct koshu_backend_j_store *store, const uint64_t *index,
                     const struct koshu_j_particles *particles, size_t stride);
int64_t
koshu_host_store_id(const struct koshu_backend_j_store *store, uint64_t index);
koshu_status koshu_host_store_wait(struct koshu_backend_j_store *store,
                                   struct koshu_jerk_result *result);

/* ---- for start ------------------------------------------------------------
 */

/* Keeps what neighbours and wait need. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_store_start(struct host_store *store,
                                    const struct koshu_jerk_task *task,
                                    size_t n_j, size_t n_i,
                                    const struct koshu_i_particle *i);

/* Must the first n_j particles be predicted to `time`? Then the caller does it;
 * else they, and no others, stand there from before. */
bool koshu_host_store_moves(struct host_store *store, double time, size_t n_j);

#endif
