/* SPDX-License-Identifier: MIT */
/* Density profiles: the density in spherical shells around a centre, as a
 * function of radius. */
#ifndef KOSHU_OUTPUT_PROFILE_H
#define KOSHU_OUTPUT_PROFILE_H

#include <koshu/picture.h>

enum { KOSHU_PROFILE_SHELLS = 36 };

/* The profile of one snapshot: the mean radius and the density of each
 * shell. */
struct koshu_profile {
    size_t n;
    double radius[KOSHU_PROFILE_SHELLS], density[KOSHU_PROFILE_SHELLS];
    char label[40]; /* "t = 0.5 Myr" */
};

/*
 * Moves a centre to where the particles are densest: to the centre of mass of a
 * sphere around it, whose radius shrinks by 5 % each time, from all particles
 * down to 50, or 1 % of them. Source: Power et al. 2003. Statuses of
 * koshu_picture_view_centre().
 */
KOSHU_MUST_CHECK koshu_status
koshu_densest_centre(struct koshu_particles *particles, double centre[3]);

/*
 * The weight per volume in shells. Shells are equally wide in log r, from the
 * radius that contains 25 particles to the one that contains all but one in a
 * thousand. Shells with fewer than 25 particles are merged with the next, so
 * the scatter is a fifth at most. KOSHU_ERROR_BAD_INPUT: fewer than 50
 * particles, or all at the centre; KOSHU_ERROR_OUT_OF_MEMORY, and the statuses
 * of koshu_picture_view_centre().
 */
KOSHU_MUST_CHECK koshu_status
koshu_profile_of(struct koshu_particles *particles, const double centre[3],
                 enum koshu_weight weight, struct koshu_profile *profile);

/* Draws the profiles of snapshots in one panel, the first dark, the last light.
 * Used of the options: units, title, dark, and the view's weight and pixels.
 * Statuses of koshu_gnuplot_finish(). */
KOSHU_MUST_CHECK koshu_status
koshu_picture_profiles(struct koshu_context *context, size_t n,
                       const struct koshu_profile *profiles, const char *path,
                       const struct koshu_density_options *options);

#endif
