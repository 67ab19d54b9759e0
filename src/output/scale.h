/* SPDX-License-Identifier: MIT */
/* Ranges of colours, and names of a picture's axes. */
#ifndef KOSHU_OUTPUT_SCALE_H
#define KOSHU_OUTPUT_SCALE_H

#include <koshu/picture.h>

#include "output/grid.h"

struct koshu_scale {
    double min, max;
};

/*
 * The range of log10 sigma for colours. What the options do not set: max is the
 * largest sigma; min is where 0.5 % of the mass lies below, but at least two
 * and at most six decades below max, or the smallest sigma if that is nearer.
 * KOSHU_ERROR_BAD_INPUT: no positive sigma; KOSHU_ERROR_INVALID_ARGUMENT: min
 * >= max.
 */
koshu_status koshu_density_range(struct koshu_context *context, size_t n_panels,
                                 const struct koshu_density_panel *panels,
                                 const struct koshu_density_options *options,
                                 struct koshu_scale *scale);

/* KOSHU_ERROR_INVALID_ARGUMENT: min >= max, or not finite. */
KOSHU_MUST_CHECK koshu_status koshu_check_range(struct koshu_context *context,
                                                double min, double max);

/* The axes of a picture, and the name of a density in their plane. */
struct koshu_plane {
    struct koshu_grid_axis x, y;
    char density[KOSHU_AXIS_TEXT], density_unit[KOSHU_AXIS_TEXT];
};

/* A unit in gnuplot's enhanced text: "M_☉ pc^{-2}"; "" where there are no units
 * or they have no name. */
void koshu_surface_unit(const struct koshu_units *units,
                        enum koshu_weight weight, char *text, size_t size);

/* The same for a density in phase space. */
void koshu_phase_unit(const struct koshu_units *units, enum koshu_weight weight,
                      char *text, size_t size);

/*
 * The plane of the panels of a view. Axes are coordinates, "x", where all
 * panels have the same centre; "x − 1e+06" where that is so far away that
 * coordinates would be long numbers; "x from the centre" where each panel has
 * its own. centre: three numbers of the first panel; those of the others follow
 * at `stride` bytes.
 */
void koshu_place_plane(size_t n_panels, const double *centre, size_t stride,
                       const struct koshu_density_options *options,
                       struct koshu_plane *plane);

/* Name and unit of a colour bar of masses, or of speeds. */
void
koshu_name_mass(const struct koshu_units *units, struct koshu_grid_axis *axis);
void
koshu_name_speed(const struct koshu_units *units, struct koshu_grid_axis *axis);

#endif
