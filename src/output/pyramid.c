/* SPDX-License-Identifier: MIT */
/* Pyramids of square grids: smoothing, adding up and resampling. */
#include "output/pyramid.h"

#include <math.h>

#include "base/base.h"

bool
koshu_pyramid_create(struct koshu_pyramid *p, size_t cells, unsigned levels)
{
    *p = (struct koshu_pyramid){.cells = cells, .levels = levels};
    for (unsigned l = 0; l < levels; l++) {
        size_t n = cells >> l;
        p->level[l] = koshu_alloc(n * n, sizeof *p->level[l]);
        if (!p->level[l]) {
            koshu_pyramid_destroy(p);
            return false;
        }
    }
    return true;
}

void
koshu_pyramid_destroy(struct koshu_pyramid *p)
{
    for (unsigned l = 0; l < p->levels; l++) koshu_free(p->level[l]);
    *p = (struct koshu_pyramid){0};
}

void
koshu_pyramid_coarsen(struct koshu_pyramid *p)
{
    for (unsigned l = 1; l < p->levels; l++) {
        size_t n = p->cells >> l;
        const double *fine = p->level[l - 1];
        double *coarse = p->level[l];
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < n; c++) {
                const double *f = fine + 4 * n * r + 2 * c;
                coarse[n * r + c] += f[0] + f[1] + f[2 * n] + f[2 * n + 1];
            }
    }
}

/* The cell that stands for cell k of n where k is beyond an edge. */
static size_t
reflect(long k, long n)
{
    return (size_t)(k < 0 ? -1 - k : k >= n ? 2 * n - 1 - k : k);
}

/* Smooths a line of n cells, `step` elements apart, by (1 4 6 4 1) / 16. */
static void
smooth_line(size_t n, size_t step, double *line, double *copy)
{
    for (size_t k = 0; k < n; k++) copy[k] = line[k * step];
    for (size_t k = 0; k < n; k++) {
        long i = (long)k, last = (long)n;
        double beside = copy[reflect(i - 1, last)] + copy[reflect(i + 1, last)];
        double beyond = copy[reflect(i - 2, last)] + copy[reflect(i + 2, last)];
        line[k * step] = (6 * copy[k] + 4 * beside + beyond) / 16;
    }
}

static void
smooth_level(size_t n, double *level, double *copy)
{
    for (size_t r = 0; r < n; r++) smooth_line(n, 1, level + n * r, copy);
    for (size_t c = 0; c < n; c++) smooth_line(n, n, level + c, copy);
}

/* In each dimension, a coarse cell gives 3/8 to each of its two fine cells and
 * 1/8 to each of the two next to it (Chaikin 1974). */
static void
refine_level(size_t n, const double *coarse, double *fine)
{
    for (size_t r = 0; r < 2 * n; r++) {
        size_t r0 = r / 2;
        size_t r1 = r % 2 ? r0 + (r0 + 1 < n) : r0 - (r0 > 0);
        const double *near = coarse + n * r0, *far = coarse + n * r1;
        for (size_t c = 0; c < 2 * n; c++) {
            size_t c0 = c / 2;
            size_t c1 = c % 2 ? c0 + (c0 + 1 < n) : c0 - (c0 > 0);
            fine[2 * n * r + c] +=
                    (9 * near[c0] + 3 * (near[c1] + far[c0]) + far[c1]) / 64;
        }
    }
}

void
koshu_pyramid_merge(struct koshu_pyramid *p, double *line)
{
    for (unsigned l = p->levels; l-- > 0;) {
        smooth_level(p->cells >> l, p->level[l], line);
        if (l + 1 < p->levels)
            refine_level(p->cells >> (l + 1), p->level[l + 1], p->level[l]);
    }
}

/* The two cells whose centres are on either side of u, and the weight of the
 * second. */
struct cell_pair {
    size_t first, second;
    double weight;
};

static struct cell_pair
cells_about(double u, size_t n)
{
    double place = u * (double)n - 0.5; /* in units of cell centres */
    double floor_place = floor(place);
    long k = (long)floor_place, last = (long)n - 1;
    long next = k + 1 > last ? last : k + 1;
    return (struct cell_pair){(size_t)(k < 0 ? 0 : k), (size_t)next,
                              place - floor_place};
}

double
koshu_pyramid_sample(const struct koshu_pyramid *p, unsigned level, double u,
                     double v)
{
    size_t n = p->cells >> level;
    const double *a = p->level[level];
    struct cell_pair c = cells_about(u, n), r = cells_about(v, n);
    const double *low = a + n * r.first, *high = a + n * r.second;
    double below = low[c.first] + c.weight * (low[c.second] - low[c.first]);
    double above = high[c.first] + c.weight * (high[c.second] - high[c.first]);
    return below + r.weight * (above - below);
}

void
koshu_pyramid_deposit(struct koshu_pyramid *p, unsigned level, double u,
                      double v, double value)
{
    size_t n = p->cells >> level;
    double *a = p->level[level];
    struct cell_pair c = cells_about(u, n), r = cells_about(v, n);
    double below = value * (1 - r.weight), above = value * r.weight;
    a[n * r.first + c.first] += below * (1 - c.weight);
    a[n * r.first + c.second] += below * c.weight;
    a[n * r.second + c.first] += above * (1 - c.weight);
    a[n * r.second + c.second] += above * c.weight;
}

/* Rebins a line of n cells, `step` elements apart, to m <= n cells. */
static void
rebin_line(size_t n, const double *from, size_t step, size_t m, double *to,
           size_t to_step)
{
    double scale = (double)m / (double)n;
    for (size_t k = 0; k < m; k++) to[k * to_step] = 0;
    for (size_t k = 0; k < n; k++) {
        double begin = (double)k * scale, end = (double)(k + 1) * scale;
        size_t first = (size_t)begin;
        double border = (double)(first + 1);
        double value = from[k * step];
        if (end <= border || first + 1 >= m) {
            to[first * to_step] += value;
            continue;
        }
        double beyond = (end - border) / scale;
        to[first * to_step] += value * (1 - beyond);
        to[(first + 1) * to_step] += value * beyond;
    }
}

void
koshu_pyramid_rebin(const struct koshu_pyramid *p, size_t pixels,
                    double *scratch, double *out)
{
    size_t n = p->cells;
    for (size_t r = 0; r < n; r++)
        rebin_line(n, p->level[0] + n * r, 1, pixels, scratch + pixels * r, 1);
    for (size_t c = 0; c < pixels; c++)
        rebin_line(n, scratch + c, pixels, pixels, out + c, pixels);
}
