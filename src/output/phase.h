/* SPDX-License-Identifier: MIT */
/* Phase space: a coordinate of particles and the velocity along it. */
#ifndef KOSHU_OUTPUT_PHASE_H
#define KOSHU_OUTPUT_PHASE_H

#include <koshu/picture.h>

#include "output/scale.h"
#include "output/stars.h"

/* The radius and the radial velocity about the centre, or a coordinate and its
 * velocity. */
enum koshu_phase_plane {
    KOSHU_PHASE_RADIAL,
    KOSHU_PHASE_X,
    KOSHU_PHASE_Y,
    KOSHU_PHASE_Z
};

/* What a picture shows: radii up to half_width, or coordinates up to that
 * distance from the centre; velocities up to half_speed from the mean. */
struct koshu_phase_view {
    enum koshu_phase_plane plane;
    double centre[3], velocity[3];
    double half_width, half_speed; /* > 0 */
    size_t pixels;
    enum koshu_weight weight;
};

/* Finds the mass-weighted mean velocity, and a half_speed that covers nearly
 * all velocities. The rest of the view must be set. Statuses of
 * koshu_picture_view_centre(). */
KOSHU_MUST_CHECK koshu_status koshu_phase_measure(
        struct koshu_particles *particles, struct koshu_phase_view *view);

/* The density, as by koshu_surface_density(), per length and velocity. */
KOSHU_MUST_CHECK koshu_status
koshu_phase_density(struct koshu_particles *particles,
                    const struct koshu_phase_view *view, double *sigma);

/* The particles in the view, as by koshu_stars_collect(). */
KOSHU_MUST_CHECK koshu_status koshu_phase_stars(
        struct koshu_particles *particles, const struct koshu_phase_view *view,
        struct koshu_star_panel *panel);

/* The axes, and the name of the density. */
void koshu_phase_axes(const struct koshu_phase_view *view,
                      const struct koshu_units *units,
                      struct koshu_plane *plane);

#endif
