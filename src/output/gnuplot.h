/* SPDX-License-Identifier: MIT */
/*
 * gnuplot as a drawing program: a script with its data goes in, a picture comes
 * out. No shell and no file name is involved: script, picture and error
 * messages are files in memory that are gnuplot's standard input, output and
 * error. The user's own gnuplot settings are not read.
 */
#ifndef KOSHU_OUTPUT_GNUPLOT_H
#define KOSHU_OUTPUT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

/* What is drawn on. All places and sizes are in units, which a PNG has `scale`
 * pixels for: the same picture in any number of pixels. */
struct koshu_canvas {
    const char *path; /* of the picture; its ending says the format */
    double width, height;
    double font;  /* in points, 3/4 of a unit */
    double scale; /* 0: 1 */
    bool dark;    /* light lines and text on black */
};

/* A script in the making. Errors of writing it show at the end. */
struct koshu_gnuplot {
    struct koshu_context *context;
    struct koshu_canvas canvas;
    const char *ink; /* the colour of lines and text, "#rrggbb" */
    double high;     /* of the frame */
    FILE *script;
};

/* Pixels per side that cairo can draw. */
enum { KOSHU_GNUPLOT_PIXELS_MAX = 32767 };

/* Begins a picture. The path stays the caller's, and is there to the end.
 * KOSHU_ERROR_INVALID_ARGUMENT: too large; KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_gnuplot_begin(struct koshu_gnuplot *g, struct koshu_context *context,
                    const struct koshu_canvas *canvas);

/* Adds commands. Numbers have a decimal point in every locale. */
void koshu_gnuplot_print(struct koshu_gnuplot *g, const char *format, ...)
        KOSHU_PRINTF(2, 3);

/* Adds a quoted string that stands for exactly this text (control characters
 * become spaces); to be followed by `noenhanced`. */
void koshu_gnuplot_quote(struct koshu_gnuplot *g, const char *text);

/* The frame of what is plotted next, in units from the lower left corner. */
void koshu_gnuplot_place(struct koshu_gnuplot *g, double left, double bottom,
                         double wide, double high);

/* Label 1: text about the middle of a line, in the same units. NULL: none. */
void koshu_gnuplot_title(struct koshu_gnuplot *g, const char *text, double left,
                         double bottom);

/* Adds the data of a plot '-' binary with format='%float64'. */
void koshu_gnuplot_data(struct koshu_gnuplot *g, const double *data, size_t n);

/* Draws, writes the picture to its path, whole or not at all, and frees g.
 * KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_gnuplot_finish(struct koshu_gnuplot *g);

/* Frees g without drawing. */
void koshu_gnuplot_abandon(struct koshu_gnuplot *g);

#endif
