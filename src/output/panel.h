/* SPDX-License-Identifier: MIT */
/* A panel of curves against a common abscissa. */
#ifndef KOSHU_OUTPUT_PANEL_H
#define KOSHU_OUTPUT_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#include "output/gnuplot.h"

struct koshu_series {
    size_t n;
    double *xy;      /* n points, x and y alternating; owned */
    unsigned colour; /* 0xRRGGBB */
    char label[32];  /* at its right end; "": none */
};

struct koshu_panel {
    const char *name; /* of the ordinate, in gnuplot's enhanced text */
    char unit[48];    /* after the name */
    bool log;         /* only points with y > 0 are drawn */
    bool stacked; /* areas: each series is the top of one, from the lowest up */
    double guide; /* a dashed horizontal line; NaN: none */
    size_t n_series;
    struct koshu_series *series; /* owned */
};

/* A panel with n_series empty series. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_panel_create(struct koshu_context *context,
                                                 const char *name,
                                                 size_t n_series,
                                                 struct koshu_panel *panel);

void koshu_panel_free(struct koshu_panel *panel);

/* Allocates memory for n points; series->n stays 0.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_series_create(struct koshu_context *context,
                                                  size_t n,
                                                  struct koshu_series *series);

/* Adds a point, unless it is not finite. */
void koshu_series_add(struct koshu_series *series, double x, double y);

/* A colour as drawn on the background: on black, half way to white. */
unsigned koshu_panel_ink(const struct koshu_gnuplot *g, unsigned colour);

/* Draws the panel between the margins that have been set; the abscissa must be
 * set too. */
void koshu_panel_draw(struct koshu_gnuplot *g, const struct koshu_panel *panel);

#endif
