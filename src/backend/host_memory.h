/* SPDX-License-Identifier: MIT */
/*
 * What the j-particle stores in the host's memory have in common: the
 * slots, and what a sum needs to remember.
 */
#ifndef KOSHU_BACKEND_HOST_MEMORY_H
#define KOSHU_BACKEND_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"

enum { HOST_LANES = 8 };

/* Slots: a structure of arrays, of so many that a vector of any width finds
 * its numbers side by side, and that all of a slot is near. */
struct host_block {
    double time[HOST_LANES], mass[HOST_LANES];
    double x[3][HOST_LANES], v[3][HOST_LANES], a[3][HOST_LANES],
            jerk[3][HOST_LANES], snap[3][HOST_LANES];
};

struct host_memory {
    struct koshu_context *context;
    size_t capacity;
    struct host_block *blocks; /* slots beyond the capacity are zero */
    int64_t *id;
    bool *is_set;      /* of each slot: it holds a particle */
    size_t all_set_to; /* every slot below does */

    /* The first predicted_n slots stand predicted to predicted_time. */
    size_t predicted_n;
    double predicted_time;

    /* Of the last begin: copies, and room for the results. */
    bool nearest;
    size_t n_i, n_j, capacity_i;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* Empty slots; see koshu_j_store_create(). The caller frees it, whatever the
 * status. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_memory_make(struct host_memory *memory,
                                    struct koshu_context *context,
                                    size_t capacity);
void koshu_host_memory_free(struct host_memory *memory);

/* As in struct koshu_j_store_ops. */
koshu_status
koshu_host_memory_reserve(struct host_memory *memory, size_t capacity);
void koshu_host_memory_set(struct host_memory *memory, size_t n,
                           const uint64_t *address,
                           const struct koshu_j_particle *particles);

/* Keeps what neighbours and end need. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_host_memory_begin(struct host_memory *memory,
                                     const struct koshu_jerk_task *task,
                                     size_t n_j, size_t n_i,
                                     const struct koshu_i_particle *i);
/* Hands out the results. */
void koshu_host_memory_end(const struct host_memory *memory,
                           struct koshu_jerk_result *result);

/* Must the first n_j slots be predicted to `time`? Then the caller does it;
 * else they, and no others, stand there from before. */
bool
koshu_host_memory_moves(struct host_memory *memory, double time, size_t n_j);

#endif
