/* SPDX-License-Identifier: MIT */
/* The particle store, within the module. */
#ifndef KOSHU_PARTICLES_STORE_H
#define KOSHU_PARTICLES_STORE_H

#include "particles/particles.h"

/* What a change has yet to do to the ids; indices as in koshu_change. */
struct koshu_late_ids {
    bool is_late;
    size_t n_go, n_come;
    uint32_t *go, *at;
    uint64_t *id;    /* of those that come */
    uint64_t *spare; /* memory for all, in turns with the store's */
    size_t capacity_go, capacity_at, capacity_id, capacity_spare;
};

struct koshu_particles {
    struct koshu_context *context;
    struct koshu_particle_view view;
    size_t capacity;             /* of arrays on the host */
    size_t first, total;         /* which of how many they are */
    unsigned fields;             /* that there are */
    unsigned on_host, on_device; /* fields that are valid there */
    size_t n_reading, n_writing; /* views that callers have */
    const struct koshu_device_copy_ops *copy_ops;
    void *copy; /* on a device */
    uint64_t bytes_copied;
    struct koshu_late_ids late; /* late_ids.c */
};

/* A change whose rows begin with the id, to be made by
 * koshu_particles_settle(). KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_late_ids_keep(struct koshu_particles *particles,
                                 const struct koshu_change *change);
void koshu_late_ids_free(struct koshu_late_ids *late);

#endif
