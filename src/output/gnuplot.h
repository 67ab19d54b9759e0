/* SPDX-License-Identifier: MIT */
/*
 * gnuplot as a drawing program: a script with its data goes in, a picture comes
 * out, without a shell and without file names: script, picture and error
 * messages are files in memory, connected to gnuplot's standard input, output
 * and error. The user's own gnuplot settings are not read.
 */
#ifndef KOSHU_OUTPUT_GNUPLOT_H
#define KOSHU_OUTPUT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

/* What is drawn on. All positions and sizes are in units of `scale` pixels of a
 * PNG, so that the picture is the same at any resolution. */
struct koshu_canvas {
    const char *path; /* of the picture; the ending gives the format */
    double width, height;
    double font;  /* in points, 3/4 of a unit */
    double scale; /* 0: 1 */
    bool dark;    /* light lines and text on black */
};

/* A script being written. Write errors are reported at the end. */
struct koshu_gnuplot {
    struct koshu_context *context;
    struct koshu_canvas canvas;
    const char *ink; /* the colour of lines and text, "#rrggbb" */
    double high;     /* the height of the frame */
    FILE *script;
};

/* The maximum number of pixels per side that cairo can draw. */
enum { KOSHU_GNUPLOT_PIXELS_MAX = 32767 };

/* Begins a picture. The path belongs to the caller and must stay valid until
 * the end. KOSHU_ERROR_INVALID_ARGUMENT: too large;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_gnuplot_begin(struct koshu_gnuplot *g, struct koshu_context *context,
                    const struct koshu_canvas *canvas);

/* Adds commands. Numbers are written with a decimal point in every locale. */
void koshu_gnuplot_print(struct koshu_gnuplot *g, const char *format, ...)
        KOSHU_PRINTF(2, 3);

/* Adds a quoted string that is drawn exactly as this text (control characters
 * become spaces); `noenhanced` must follow. */
void koshu_gnuplot_quote(struct koshu_gnuplot *g, const char *text);

/* Sets the frame of the next plot, in units from the lower left corner. */
void koshu_gnuplot_place(struct koshu_gnuplot *g, double left, double bottom,
                         double wide, double high);

/* Draws text centred on a point, as label 1, in the same units. NULL: removes
 * it. */
void koshu_gnuplot_title(struct koshu_gnuplot *g, const char *text, double left,
                         double bottom);

/* Adds the data of a plot '-' binary with format='%float64'. */
void koshu_gnuplot_data(struct koshu_gnuplot *g, const double *data, size_t n);

/* Draws the picture, writes it to its path, completely or not at all, and frees
 * g. KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_gnuplot_finish(struct koshu_gnuplot *g);

/* Frees g without drawing. */
void koshu_gnuplot_abandon(struct koshu_gnuplot *g);

#endif
