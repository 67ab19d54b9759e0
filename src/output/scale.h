/* SPDX-License-Identifier: MIT */
/* Ranges, ticks and names of a picture's axes. */
#ifndef KOSHU_OUTPUT_SCALE_H
#define KOSHU_OUTPUT_SCALE_H

#include <koshu/picture.h>

struct koshu_scale {
    double min, max, step; /* step: between ticks */
};

/* 1, 2 or 5 times a power of ten, so that a length has about `parts`. */
double koshu_tick_step(double length, double parts);

/* Ticks of an axis from -half to half, none at its ends, so far apart that
 * their numbers fit beside each other where it is so many pixels long. */
struct koshu_scale koshu_scale_about_zero(double half, size_t pixels);

/*
 * Colours of log10 sigma: as the options have it, otherwise up to the largest
 * sigma, and down to where 0.5 % of the mass lies below, but two decades at
 * least and six at most. KOSHU_ERROR_BAD_INPUT: no positive sigma;
 * KOSHU_ERROR_INVALID_ARGUMENT: min >= max.
 */
koshu_status koshu_density_range(struct koshu_context *context, size_t n_panels,
                                 const struct koshu_density_panel *panels,
                                 const struct koshu_density_options *options,
                                 struct koshu_scale *scale);

enum { KOSHU_UNIT_TEXT = 64, KOSHU_AXIS_TEXT = 160 };

/* In gnuplot's enhanced text: " [M_☉ pc^{-2}]"; "" in dimensionless
 * units. */
void
koshu_surface_unit(const struct koshu_units *units, char *text, size_t size);

/* The label of the axis along a dimension: "x", "x − 3 [pc]" where all panels
 * have that centre, "x − x_c" where each has its own. */
void koshu_axis_label(size_t n_panels, const struct koshu_density_panel *panels,
                      const struct koshu_density_options *options,
                      unsigned dimension, char *text, size_t size);

#endif
