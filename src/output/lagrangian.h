/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_OUTPUT_LAGRANGIAN_H
#define KOSHU_OUTPUT_LAGRANGIAN_H

#include <koshu/diagnostics.h>

/* The Lagrangian radii of the particles of all ranks, about d->centre, of
 * d->mass. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_lagrangian_radii(struct koshu_particles *particles,
                                    const struct koshu_particle_view *view,
                                    struct koshu_diagnostics *d);

#endif
