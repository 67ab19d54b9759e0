/* SPDX-License-Identifier: MIT */
/* The members of a particle store; for src/particles only. */
#ifndef KOSHU_PARTICLES_STORE_H
#define KOSHU_PARTICLES_STORE_H

#include "particles/particles.h"

/* The part of a change that still has to be applied to the ids; indices as in
 * koshu_change. */
struct koshu_late_ids {
    bool is_late;
    size_t n_go, n_come;
    uint32_t *go, *at;
    uint64_t *id;    /* of those that join */
    uint64_t *spare; /* memory for all ids, swapped with the store's */
    size_t capacity_go, capacity_at, capacity_id, capacity_spare;
};

struct koshu_particles {
    struct koshu_context *context;
    struct koshu_particle_view view;
    size_t capacity;             /* of the arrays on the host */
    size_t first, total;         /* the slice of this rank */
    unsigned fields;             /* that the store has */
    unsigned on_host, on_device; /* fields valid there */
    unsigned unwritten;          /* fields that are zero, never written */
    bool leaves_host;            /* for the device */
    size_t n_reading, n_writing; /* views that callers have */
    const struct koshu_device_copy_ops *copy_ops;
    void *copy; /* on a device */
    uint64_t bytes_copied;
    struct koshu_late_ids late; /* late_ids.c */
};

/* Keeps a change, whose rows begin with the id, for koshu_particles_settle() to
 * make. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_late_ids_keep(struct koshu_particles *particles,
                                 const struct koshu_change *change);
void koshu_late_ids_free(struct koshu_late_ids *late);

#endif
