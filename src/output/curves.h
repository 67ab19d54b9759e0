/* SPDX-License-Identifier: MIT */
/* Curves of a panel with two logarithmic axes. */
#ifndef KOSHU_OUTPUT_CURVES_H
#define KOSHU_OUTPUT_CURVES_H

#include "output/gnuplot.h"
#include "output/output.h"

/* Widens *low ... *high to the values of the curves along axis 'x' or 'y'. */
void koshu_curves_span(size_t n, const struct koshu_curve *curves, char axis,
                       double *low, double *high);

/* Sets the range of axis 'x' or 'y' to be the same in all panels, so that they
 * can be compared; for y, in all that have the ordinate of the first. */
void koshu_curves_range(struct koshu_gnuplot *g, char axis,
                        const struct koshu_rates *panels, size_t n_panels);

/* Plots the curves that have points; names: in the key. */
void koshu_curves_draw(struct koshu_gnuplot *g, size_t n,
                       const struct koshu_curve *curves, bool names);

#endif
