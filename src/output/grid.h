/* SPDX-License-Identifier: MIT */
/*
 * Square panels in rows, all with the same two axes and one range of colours:
 * what surrounds the images and points of pictures of particles.
 */
#ifndef KOSHU_OUTPUT_GRID_H
#define KOSHU_OUTPUT_GRID_H

#include "output/gnuplot.h"
#include "output/ticks.h"

enum { KOSHU_AXIS_TEXT = 200 };

struct koshu_grid_axis {
    double low, high;
    bool log; /* of a colour bar: low and high are log10 */
    char name[KOSHU_AXIS_TEXT], unit[KOSHU_AXIS_TEXT]; /* enhanced; "": none */
};

struct koshu_grid_options {
    const char *path, *title; /* title NULL: none */
    size_t n, pixels;         /* panels, of so many pixels per side */
    struct koshu_grid_axis x, y;
    const unsigned *palette; /* KOSHU_PALETTE_COUNT colours; NULL: no colour
                                bar */
    bool dark;
};

struct koshu_grid {
    struct koshu_gnuplot g;
    struct koshu_grid_options o;
    size_t columns, rows;
    double panel, left, bottom, right, top; /* in units, of whole pixels */
    struct koshu_ticks x, y;
    struct koshu_grid_axis colours;
};

/* KOSHU_ERROR_INVALID_ARGUMENT: no panel, or too many for a picture;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_grid_begin(struct koshu_grid *grid, struct koshu_context *context,
                 const struct koshu_grid_options *options);

/* The range of colours, and its name; before the first panel. */
void koshu_grid_colours(struct koshu_grid *grid,
                        const struct koshu_grid_axis *colours);

/* The axes of panel k, with a label (NULL: none); a plot is to follow. */
void koshu_grid_panel(struct koshu_grid *grid, size_t k, const char *label);

/* As koshu_gnuplot_finish(). */
KOSHU_MUST_CHECK koshu_status koshu_grid_finish(struct koshu_grid *grid);

void koshu_grid_abandon(struct koshu_grid *grid);

/* So many units is the side of a panel that is as many pixels by default. */
size_t koshu_grid_pixels(size_t n_panels);

#endif
