/* SPDX-License-Identifier: MIT */
/* A panel of curves against a common abscissa. */
#ifndef KOSHU_OUTPUT_PANEL_H
#define KOSHU_OUTPUT_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#include "output/gnuplot.h"

struct koshu_series {
    size_t n;
    double *xy;      /* x and y of n points in turn, owned */
    unsigned colour; /* 0xRRGGBB */
    char label[32];  /* at its right end; "": none */
};

struct koshu_panel {
    const char *name; /* of the ordinate, gnuplot's enhanced text */
    char unit[48];    /* behind it */
    bool log;         /* only points with y > 0 */
    bool stacked; /* areas: each series is the top of one, the next higher */
    double guide; /* a dashed horizontal line; NaN: none */
    size_t n_series;
    struct koshu_series *series; /* owned */
};

/* A panel with n_series empty ones. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_panel_create(struct koshu_context *context,
                                                 const char *name,
                                                 size_t n_series,
                                                 struct koshu_panel *panel);

void koshu_panel_free(struct koshu_panel *panel);

/* Room for n points; series->n stays 0. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_series_create(struct koshu_context *context,
                                                  size_t n,
                                                  struct koshu_series *series);

/* Adds a point; one that is not finite is left out. */
void koshu_series_add(struct koshu_series *series, double x, double y);

/* A colour as it is seen on the background: half way to white on black. */
unsigned koshu_panel_ink(const struct koshu_gnuplot *g, unsigned colour);

/* Draws into the place that the margins leave, the abscissa being set. */
void koshu_panel_draw(struct koshu_gnuplot *g, const struct koshu_panel *panel);

#endif
