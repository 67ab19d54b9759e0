/* SPDX-License-Identifier: MIT */
/*
 * Surface density by an adaptive kernel, with two pyramids of grids: the one of
 * particle numbers determines how far each particle is smoothed; the one of
 * masses receives the smoothed masses.
 */
#include <koshu/picture.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "output/output.h"
#include "output/pyramid.h"
#include "output/surface.h"
#include "particles/particles.h"

/* A cell with so many particles is small enough. */
static const double cell_count = 16;

/* The widest cell is at most 1 / this of the picture's width. */
enum { COARSEST_CELLS = 32 };

static struct koshu_projection
project(const struct koshu_particle_view *v,
        const struct koshu_picture_view *view)
{
    const double *x[3] = {v->x, v->y, v->z};
    unsigned right = (view->axis + 1u) % 3, up = (view->axis + 2u) % 3;
    return (struct koshu_projection){
            .n = v->n,
            .right = x[right],
            .up = x[up],
            .mass = v->mass,
            .weight = view->weight,
            .corner = {view->centre[right] - view->half_width,
                       view->centre[up] - view->half_width},
            .width = {2 * view->half_width, 2 * view->half_width}};
}

/* Particle i's position in the unit square; false: it is outside, or has no
 * weight. */
static bool
place(const struct koshu_projection *q, size_t i, double *u, double *v)
{
    *u = (q->right[i] - q->corner[0]) / q->width[0];
    *v = (q->up[i] - q->corner[1]) / q->width[1];
    return *u >= 0 && *u < 1 && *v >= 0 && *v < 1 &&
           koshu_weight_of(q->weight, q->mass[i]) > 0;
}

/* Counts particles in cells; returns how many are in the picture. */
static size_t
count_particles(const struct koshu_projection *q, struct koshu_pyramid *counts)
{
    size_t inside = 0;
    size_t last = counts->cells - 1;
    double cells = (double)counts->cells, u, v;
    for (size_t i = 0; i < q->n; i++) {
        if (!place(q, i, &u, &v)) continue;
        size_t row = (size_t)(v * cells), column = (size_t)(u * cells);
        if (row > last) row = last; /* v * cells may round up */
        if (column > last) column = last;
        counts->level[0][row * counts->cells + column] += 1;
        inside++;
    }
    koshu_pyramid_coarsen(counts);
    return inside;
}

/* The level l + f at which a cell around (u, v) has cell_count particles. */
static double
level_at(const struct koshu_pyramid *counts, double u, double v)
{
    double finer = 0;
    for (unsigned l = 0; l < counts->levels; l++) {
        double count = koshu_pyramid_sample(counts, l, u, v);
        if (count >= cell_count) {
            if (l == 0) return 0;
            return l - log(count / cell_count) / log(count / finer);
        }
        finer = count;
    }
    return counts->levels - 1;
}

static void
spread_mass(const struct koshu_projection *q,
            const struct koshu_pyramid *counts, struct koshu_pyramid *mass,
            double *scratch)
{
    double u, v;
    for (size_t i = 0; i < q->n; i++) {
        if (!place(q, i, &u, &v)) continue;
        double level = level_at(counts, u, v), whole = floor(level);
        unsigned l = (unsigned)whole;
        const double w = koshu_weight_of(q->weight, q->mass[i]);
        const double beyond = w * (level - whole);
        koshu_pyramid_deposit(mass, l, u, v, w - beyond);
        if (beyond > 0) koshu_pyramid_deposit(mass, l + 1, u, v, beyond);
    }
    koshu_pyramid_merge(mass, scratch);
}

/* The number of levels, such that the coarsest has COARSEST_CELLS cells or
 * somewhat more. */
static unsigned
levels_for(size_t pixels)
{
    unsigned levels = 1;
    while (pixels >> levels >= COARSEST_CELLS && levels < KOSHU_PYRAMID_LEVELS)
        levels++;
    return levels;
}

static koshu_status
fill(struct koshu_context *context, const struct koshu_projection *q,
     size_t pixels, const struct koshu_pyramid *counts,
     struct koshu_pyramid *mass, double *sigma)
{
    const size_t n = mass->cells * pixels;
    double *scratch = koshu_alloc(n, sizeof *scratch);
    if (!scratch)
        return koshu_fail_memory(context, n * sizeof *scratch,
                                 "grid of a picture");
    spread_mass(q, counts, mass, scratch);
    koshu_pyramid_rebin(mass, pixels, scratch, sigma);
    koshu_free(scratch);
    const double wide = q->width[0] / (double)pixels,
                 high = q->width[1] / (double)pixels;
    for (size_t k = 0; k < pixels * pixels; k++) sigma[k] /= wide * high;
    return KOSHU_OK;
}

koshu_status
koshu_projected_density(struct koshu_context *context,
                        const struct koshu_projection *projection,
                        size_t pixels, double *sigma, bool *empty)
{
    const unsigned levels = levels_for(pixels);
    const size_t coarsest = (size_t)1 << (levels - 1);
    const size_t cells = (pixels + coarsest - 1) / coarsest * coarsest;
    struct koshu_pyramid counts = {0}, mass = {0};
    koshu_status status = KOSHU_OK;
    if (koshu_pyramid_create(&counts, cells, levels) &&
        koshu_pyramid_create(&mass, cells, levels)) {
        *empty = count_particles(projection, &counts) == 0;
        if (!*empty)
            status = fill(context, projection, pixels, &counts, &mass, sigma);
    } else {
        status = koshu_fail_memory(context,
                                   8 * cells * cells * sizeof(double) / 3,
                                   "grids of a picture");
    }
    koshu_pyramid_destroy(&counts);
    koshu_pyramid_destroy(&mass);
    return status;
}

static koshu_status
fail_empty(struct koshu_context *context, const struct koshu_picture_view *view)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "no particle%s lies within %g of (%g, %g, %g) "
                      "along the %c axis; choose another centre or a larger "
                      "width",
                      view->weight == KOSHU_WEIGHT_NUMBER ? "" : " with mass",
                      view->half_width, view->centre[0], view->centre[1],
                      view->centre[2], "xyz"[view->axis]);
}

koshu_status
koshu_surface_density(struct koshu_particles *particles,
                      const struct koshu_picture_view *view, double *sigma)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, sigma);
    struct koshu_picture_view shown;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_picture_view_read(context, view, &shown));
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    const struct koshu_projection q = project(&v, &shown);
    bool empty;
    KOSHU_TRY(
            koshu_projected_density(context, &q, shown.pixels, sigma, &empty));
    return empty ? fail_empty(context, &shown) : KOSHU_OK;
}
