/* SPDX-License-Identifier: MIT */
/* Ranges and names of a picture's axes. */
#ifndef KOSHU_OUTPUT_SCALE_H
#define KOSHU_OUTPUT_SCALE_H

#include <koshu/picture.h>

#include "output/grid.h"

struct koshu_scale {
    double min, max;
};

/*
 * Colours of log10 sigma: as the options have it, otherwise up to the largest
 * sigma, and down to where 0.5 % of the mass lies below, but two decades at
 * least and six at most; or to the smallest where that is less.
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

/* The axes of a picture, and what a density there is called. */
struct koshu_plane {
    struct koshu_grid_axis x, y;
    char density[KOSHU_AXIS_TEXT], density_unit[KOSHU_AXIS_TEXT];
};

/* In gnuplot's enhanced text: "M_☉ pc^{-2}"; "" where there are no units or
 * they have no name. */
void koshu_surface_unit(const struct koshu_units *units,
                        enum koshu_weight weight, char *text, size_t size);

/* The same of a density in phase space. */
void koshu_phase_unit(const struct koshu_units *units, enum koshu_weight weight,
                      char *text, size_t size);

/* The plane of panels of a view: places themselves, "x", where all panels have
 * one centre; "x − 1e+06" where that is so far away that places would be long
 * numbers; "x from the centre" where each has its own. The centres, three
 * numbers each, are that of the first panel and `stride` bytes on each. */
void koshu_place_plane(size_t n_panels, const double *centre, size_t stride,
                       const struct koshu_density_options *options,
                       struct koshu_plane *plane);

/* Name and unit of a colour bar of masses, or speeds. */
void
koshu_name_mass(const struct koshu_units *units, struct koshu_grid_axis *axis);
void
koshu_name_speed(const struct koshu_units *units, struct koshu_grid_axis *axis);

#endif
