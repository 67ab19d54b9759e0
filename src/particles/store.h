/* SPDX-License-Identifier: MIT */
/* The particle store, within the module. */
#ifndef KOSHU_PARTICLES_STORE_H
#define KOSHU_PARTICLES_STORE_H

#include "particles/particles.h"

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
};

#endif
