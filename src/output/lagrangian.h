/* SPDX-License-Identifier: MIT */
/* Lagrangian radii of the particles of all ranks. */
#ifndef KOSHU_OUTPUT_LAGRANGIAN_H
#define KOSHU_OUTPUT_LAGRANGIAN_H

#include <koshu/diagnostics.h>

#include "particles/particles.h"

/* The particles of this rank, where they are summed: on the host or, with ops,
 * on a device. */
struct koshu_diagnosed {
    struct koshu_particle_view view;
    const struct koshu_device_copy_ops *ops;
    void *device;
};

/* The Lagrangian radii of the particles of all ranks around d->centre, as
 * fractions of d->mass. Collective. */
koshu_status koshu_lagrangian_radii(struct koshu_context *context,
                                    const struct koshu_diagnosed *of,
                                    struct koshu_diagnostics *d);

#endif
