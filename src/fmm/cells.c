/* SPDX-License-Identifier: MIT */
/* The geometry of a tree's cells, and memory for their expansions. */
#include "fmm/fmm.h"

#include <math.h>

#include "base/base.h"

/* Rows are padded to a multiple of a cache line. */
static size_t
stride_of(int terms, size_t real)
{
    const size_t line = KOSHU_ALIGNMENT / real;
    return ((size_t)terms + line - 1) / line * line;
}

/* Divides the allocated memory among the arrays of n cells. */
static void
divide(struct koshu_fmm_cells *c, size_t n, size_t real)
{
    const size_t bytes = n * c->n_rhs * c->stride * real;
    c->local = (char *)c->multipole + bytes;
    double *const place = (double *)((char *)c->local + bytes);
    c->x = place;
    c->y = place + n;
    c->z = place + 2 * n;
    c->radius = place + 3 * n;
    c->length = place + 4 * n;
    c->extent = place + 5 * n;
}

static koshu_status
reserve(struct koshu_fmm_cells *c, const struct koshu_tree *tree, int terms,
        size_t real)
{
    enum { ARRAYS = 6 };
    const size_t n = tree->n_cells;
    c->stride = stride_of(terms, real);
    const size_t bytes =
            n * (ARRAYS * sizeof *c->x + 2 * c->n_rhs * c->stride * real);
    if (bytes > c->bytes) {
        koshu_fmm_cells_free(c);
        c->multipole = koshu_alloc(bytes, 1);
        if (!c->multipole)
            return koshu_fail_memory(tree->context, bytes, "cells of an FMM");
        c->bytes = bytes;
    }
    divide(c, n, real);
    return KOSHU_OK;
}

/* The largest distance of a cell's particles from its centre. */
static double
radius_of(const struct koshu_fmm_cells *c, size_t k)
{
    const struct koshu_cell *cell = &c->cell[k];
    double r2 = 0;
    for (size_t i = cell->first; i < (size_t)cell->first + cell->n; i++) {
        const double x = c->px[i] - c->x[k], y = c->py[i] - c->y[k],
                     z = c->pz[i] - c->z[k];
        r2 = fmax(r2, x * x + y * y + z * z);
    }
    return sqrt(r2);
}

/* A leaf's extent comes from its particles, that of another cell from the half
 * diagonal of its box. */
static void
place(struct koshu_fmm_cells *c, const struct koshu_tree *tree, size_t k)
{
    const struct koshu_cell *cell = &c->cell[k];
    const struct koshu_group g = koshu_group_of(tree, cell->first, cell->n);
    c->x[k] = g.x;
    c->y[k] = g.y;
    c->z[k] = g.z;
    c->extent[k] = cell->children == 0
                           ? radius_of(c, k)
                           : sqrt(g.half_x * g.half_x + g.half_y * g.half_y +
                                  g.half_z * g.half_z);
}

/* In a periodic box the root fills it, so that images are about its centre. */
static void
place_in_box(struct koshu_fmm_cells *c)
{
    c->x[0] = c->images.middle[0];
    c->y[0] = c->images.middle[1];
    c->z[0] = c->images.middle[2];
    c->extent[0] = sqrt(3) / 2 * c->images.edge;
}

#define LEAST_PART 0x1p-8

/* Parents precede their children, whose radii are not larger. */
static void
set_lengths(struct koshu_fmm_cells *c, size_t n)
{
    c->radius[0] = fmax(c->extent[0], LEAST_PART * c->whole);
    if (c->radius[0] == 0) c->radius[0] = 1;
    for (size_t k = 0; k < n; k++) {
        const struct koshu_cell *cell = &c->cell[k];
        const double part = c->extent[k] > 0 ? LEAST_PART : 1;
        c->length[k] = exp2(ceil(log2(c->radius[k])));
        for (uint32_t l = cell->child; l < cell->child + cell->children; l++)
            c->radius[l] =
                    fmin(fmax(c->extent[l], part * c->radius[k]), c->radius[k]);
    }
}

koshu_status
koshu_fmm_cells_make(struct koshu_fmm_cells *cells,
                     const struct koshu_tree *tree, size_t n_rhs, int terms,
                     size_t real)
{
    struct koshu_fmm_cells *c = cells;
    const int threads =
            koshu_region_threads(tree->context, tree->n_cells > 1 << 8);
    c->n_rhs = n_rhs;
    KOSHU_TRY(reserve(c, tree, terms, real));
    c->cell = tree->cell;
    c->n = tree->n;
    c->px = tree->x;
    c->py = tree->y;
    c->pz = tree->z;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 32)
    for (size_t k = 0; k < tree->n_cells; k++) place(c, tree, k);
    if (c->images.edge > 0) place_in_box(c);
    set_lengths(c, tree->n_cells);
    return KOSHU_OK;
}

void
koshu_fmm_cells_free(struct koshu_fmm_cells *cells)
{
    koshu_free(cells->multipole);
    cells->multipole = NULL;
    cells->bytes = 0;
}
