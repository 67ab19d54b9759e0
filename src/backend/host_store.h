/* SPDX-License-Identifier: MIT */
/*
 * The common part of j-particle stores in the host's memory: the j-particles,
 * and what a sum has to remember.
 */
#ifndef KOSHU_BACKEND_HOST_STORE_H
#define KOSHU_BACKEND_HOST_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"

enum { HOST_LANES = 8 };

/* Blocks of j-particles, each a structure of arrays long enough for vectors of
 * any width; all data of a particle are close together. */
struct host_block {
    double time[HOST_LANES], mass[HOST_LANES];
    double x[3][HOST_LANES], v[3][HOST_LANES], a[3][HOST_LANES],
            jerk[3][HOST_LANES], snap[3][HOST_LANES];
};

struct host_store {
    struct koshu_backend_j_store base; /* first: pointers are cast */
    struct host_block *blocks;         /* zero beyond the capacity */
    int64_t *id;
    bool *is_set;      /* does the index hold a particle? */
    bool *was_set;     /* is_set when particles were last predicted */
    bool has_new;      /* is_set and was_set differ */
    size_t all_set_to; /* every index below is set */

    /* The first predicted_n particles are predicted to predicted_time. */
    size_t predicted_n;
    double predicted_time;

    /* The last start(): copies of its arguments, and memory for results. */
    bool nearest;
    size_t n_i, n_j, capacity_i, capacity_result;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* Host memory per particle. */
enum {
    HOST_STORE_BYTES_PER_PARTICLE = sizeof(struct host_block) / HOST_LANES +
                                    sizeof(int64_t) + 2 * sizeof(bool)
};

/* ---- as in struct koshu_j_store_ops -------------------------------------- */

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

/* ---- for start ----------------------------------------------------------- */

/* Stores what neighbours() and wait() need. Status:
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_store_start(struct host_store *store,
                                    const struct koshu_jerk_task *task,
                                    size_t n_j, size_t n_i,
                                    const struct koshu_i_particle *i);

/* Must the caller predict the first n_j particles to `time`? If not, exactly
 * these have been predicted to that time already. */
bool koshu_host_store_moves(struct host_store *store, double time, size_t n_j);

#endif
