/* SPDX-License-Identifier: MIT */
/* Particles drawn one by one as stars, for pictures of few particles. */
#ifndef KOSHU_OUTPUT_STARS_H
#define KOSHU_OUTPUT_STARS_H

#include <koshu/picture.h>

#include "output/scale.h"

/* A particle of a panel: its position relative to the centre, its mass and
 * speed. */
struct koshu_star {
    double x, y, mass, speed;
};

struct koshu_star_panel {
    size_t n;
    struct koshu_star *star; /* by descending mass; to be freed */
    double centre[3];
    const char *label; /* NULL: none */
};

/*
 * The particles in the view. KOSHU_ERROR_BAD_INPUT: there is none, or a
 * negative mass; KOSHU_ERROR_INVALID_ARGUMENT: the view;
 * KOSHU_ERROR_NOT_FINITE; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 */
KOSHU_MUST_CHECK koshu_status koshu_stars_collect(
        struct koshu_particles *particles,
        const struct koshu_picture_view *view, struct koshu_star_panel *panel);

/* Allocates memory for n stars; adds particle i at a position; sorts the stars
 * by mass. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_stars_create(struct koshu_context *context, size_t n,
                   struct koshu_star_panel *panel);
struct koshu_particle_view;
void koshu_stars_add(struct koshu_star_panel *panel, double x, double y,
                     const struct koshu_particle_view *v, size_t i);
void koshu_stars_sort(struct koshu_star_panel *panel);

/*
 * Draws the panels like koshu_picture_density(), with a disc for each particle.
 * Its area is proportional to the mass, or to the square root of the light, as
 * brighter stars make larger images on a photographic plate; or it is the same
 * for all. Colours show the mass where masses differ, else the speed. plane
 * NULL: that of the options' view.
 */
KOSHU_MUST_CHECK koshu_status
koshu_picture_stars(struct koshu_context *context, size_t n_panels,
                    const struct koshu_star_panel *panels, const char *path,
                    const struct koshu_density_options *options,
                    const struct koshu_plane *plane);

/* The range of colours of these panels, where the options leave it open.
 * KOSHU_ERROR_INVALID_ARGUMENT: it is empty. */
KOSHU_MUST_CHECK koshu_status koshu_stars_range(
        struct koshu_context *context, size_t n_panels,
        const struct koshu_star_panel *panels,
        const struct koshu_density_options *options, struct koshu_scale *range);

#endif
