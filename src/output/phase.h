/* SPDX-License-Identifier: MIT */
/* Phase space: a coordinate of particles, and the velocity along it. */
#ifndef KOSHU_OUTPUT_PHASE_H
#define KOSHU_OUTPUT_PHASE_H

#include <koshu/picture.h>

#include "output/scale.h"
#include "output/stars.h"

/* The radius about the centre and the radial velocity, or a coordinate. */
enum koshu_phase_plane {
    KOSHU_PHASE_RADIAL,
    KOSHU_PHASE_X,
    KOSHU_PHASE_Y,
    KOSHU_PHASE_Z
};

/* What a picture of it shows: radii up to half_width, or coordinates that far
 * about the centre; velocities up to half_speed about the mean. */
struct koshu_phase_view {
    enum koshu_phase_plane plane;
    double centre[3], velocity[3];
    double half_width, half_speed; /* > 0 */
    size_t pixels;
    enum koshu_weight weight;
};

/* The mean velocity, by mass; and a half_speed that shows nearly all
 * velocities. The rest of the view is given. As koshu_picture_view_centre(). */
KOSHU_MUST_CHECK koshu_status koshu_phase_measure(
        struct koshu_particles *particles, struct koshu_phase_view *view);

/* The density, as koshu_surface_density(), per length and velocity. */
KOSHU_MUST_CHECK koshu_status
koshu_phase_density(struct koshu_particles *particles,
                    const struct koshu_phase_view *view, double *sigma);

/* The particles in the view, as koshu_stars_collect(). */
KOSHU_MUST_CHECK koshu_status koshu_phase_stars(
        struct koshu_particles *particles, const struct koshu_phase_view *view,
        struct koshu_star_panel *panel);

/* The axes, and what the density is called. */
void koshu_phase_axes(const struct koshu_phase_view *view,
                      const struct koshu_units *units,
                      struct koshu_plane *plane);

#endif
