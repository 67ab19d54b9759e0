/* SPDX-License-Identifier: MIT */
/*
 * A pyramid of square grids over the unit square: level l has cells >> l
 * cells per side. Values are sums over cells, not densities. At the edges all
 * is reflected, so that nothing is lost there.
 */
#ifndef KOSHU_OUTPUT_PYRAMID_H
#define KOSHU_OUTPUT_PYRAMID_H

#include <stdbool.h>
#include <stddef.h>

enum { KOSHU_PYRAMID_LEVELS = 12 };

struct koshu_pyramid {
    size_t cells; /* a multiple of 2^(levels - 1) */
    unsigned levels;
    double *level[KOSHU_PYRAMID_LEVELS];
};

/* All zero. false: out of memory (and nothing to free). */
bool
koshu_pyramid_create(struct koshu_pyramid *p, size_t cells, unsigned levels);
void koshu_pyramid_destroy(struct koshu_pyramid *p);

/* Level 0 summed up into the levels above it. */
void koshu_pyramid_coarsen(struct koshu_pyramid *p);

/* Each level, smoothed by (1 4 6 4 1) / 16 in each dimension, is added to the
 * one below it by the subdivision of quadratic B-splines: level 0 gets the sum
 * of all. line: p->cells elements. */
void koshu_pyramid_merge(struct koshu_pyramid *p, double *line);

/* The value at (u, v) of the unit square, bilinear between cell centres. */
double koshu_pyramid_sample(const struct koshu_pyramid *p, unsigned level,
                            double u, double v);

/* The transpose: value is divided among the four cells about (u, v). */
void koshu_pyramid_deposit(struct koshu_pyramid *p, unsigned level, double u,
                           double v, double value);

/* Level 0 on pixels * pixels cells, each getting its part by area. scratch:
 * pixels * p->cells elements. */
void koshu_pyramid_rebin(const struct koshu_pyramid *p, size_t pixels,
                         double *scratch, double *out);

#endif
