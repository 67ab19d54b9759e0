/* SPDX-License-Identifier: MIT */
/*
 * A pyramid of square grids over the unit square: level l has cells >> l cells
 * per side. Values are sums over cells, not densities. Boundaries reflect, so
 * that nothing is lost there.
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

/* Creates a pyramid of zeros. false: out of memory (and nothing to free). */
bool
koshu_pyramid_create(struct koshu_pyramid *p, size_t cells, unsigned levels);
void koshu_pyramid_destroy(struct koshu_pyramid *p);

/* Sums level 0 into the levels above it. */
void koshu_pyramid_coarsen(struct koshu_pyramid *p);

/* Smooths each level by (1 4 6 4 1) / 16 in each dimension and adds it to the
 * level below by the subdivision of quadratic B-splines, so that level 0 gets
 * the sum of all. line: work space of p->cells elements. */
void koshu_pyramid_merge(struct koshu_pyramid *p, double *line);

/* The value at (u, v) of the unit square, bilinear between cell centres. */
double koshu_pyramid_sample(const struct koshu_pyramid *p, unsigned level,
                            double u, double v);

/* The transpose: divides value among the four cells around (u, v). */
void koshu_pyramid_deposit(struct koshu_pyramid *p, unsigned level, double u,
                           double v, double value);

/* Rebins level 0 to pixels * pixels cells, by area. scratch: pixels * p->cells
 * elements. */
void koshu_pyramid_rebin(const struct koshu_pyramid *p, size_t pixels,
                         double *scratch, double *out);

#endif
