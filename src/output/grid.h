/* SPDX-License-Identifier: MIT */
/*
 * Square panels in rows, with the same two axes and one range of colours:
 * everything around the images and points in pictures of particles.
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
    size_t n, pixels;         /* pixels: of a panel's side */
    struct koshu_grid_axis x, y;
    /* KOSHU_PALETTE_COUNT colours; NULL: no colour bar */
    const unsigned *palette;
    bool dark;
};

struct koshu_grid {
    struct koshu_gnuplot g;
    struct koshu_grid_options o;
    size_t columns, rows;
    double panel, left, bottom, right, top; /* in units; whole pixels */
    struct koshu_ticks x, y;
    struct koshu_grid_axis colours;
};

/* Begins a picture. KOSHU_ERROR_INVALID_ARGUMENT: no panel, or too many for a
 * picture; KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_grid_begin(struct koshu_grid *grid, struct koshu_context *context,
                 const struct koshu_grid_options *options);

/* Sets the range of colours and its name; to be called before the first
 * panel. */
void koshu_grid_colours(struct koshu_grid *grid,
                        const struct koshu_grid_axis *colours);

/* Sets up panel k, with a label (NULL: none); a plot command must follow. */
void koshu_grid_panel(struct koshu_grid *grid, size_t k, const char *label);

/* Statuses of koshu_gnuplot_finish(). */
KOSHU_MUST_CHECK koshu_status koshu_grid_finish(struct koshu_grid *grid);

void koshu_grid_abandon(struct koshu_grid *grid);

/* The default number of pixels of a panel's side, which is as long in units. */
size_t koshu_grid_pixels(size_t n_panels);

#endif
