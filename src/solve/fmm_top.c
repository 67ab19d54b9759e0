/* SPDX-License-Identifier: MIT */
/*
 * In a periodic box, the expansions of the largest cells in double precision.
 * The contributions of all sources on one side of a point are much larger than
 * their sum, near a grid some hundred times, and the background cancels the
 * rest. (Warren 2013, Proc. SC13, removes the mean density from the multipoles
 * for the same reason.) The local expansions of smaller cells begin with the
 * remainder. The top cells are few and cost little.
 */
#include <string.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

/* Levels whose local expansions are in double precision; each halves the
 * remaining error. Multipoles have one level more, as cells interact with cells
 * of half their size. */
enum { TOP_LEVELS = 3 };

static size_t
cells_of(const struct koshu_tree *tree, size_t levels)
{
    return tree->level[levels < tree->n_levels ? levels : tree->n_levels];
}

void
koshu_fmm_top_clear(const struct koshu_fmm_side *targets)
{
    const struct koshu_fmm_cells *c = &targets->top;
    memset(c->local, 0, c->n_rhs * c->stride * sizeof(double));
}

static koshu_status
make(const struct koshu_fmm *f, struct koshu_fmm_side *side)
{
    const struct koshu_fmm_cells *c = &side->cells;
    const size_t row = c->n_rhs * c->stride;
    side->n_top = cells_of(&side->tree, TOP_LEVELS);
    side->n_top_sources = cells_of(&side->tree, TOP_LEVELS + 1);
    KOSHU_TRY(KOSHU_GROW(side, top_rows, 2 * row * side->n_top_sources,
                         f->backend->context, "cells of an FMM"));
    side->top = *c;
    side->top.multipole = side->top_rows;
    side->top.local = side->top_rows + row * side->n_top_sources;
    koshu_fmm_top_clear(side);
    return KOSHU_OK;
}

/* The address of a cell's expansions. */
static void *
row_of(const struct koshu_fmm_cells *c, void *expansions, size_t cell,
       size_t real)
{
    return (char *)expansions + cell * c->n_rhs * c->stride * real;
}

static size_t
terms_of(const struct koshu_fmm *f)
{
    const size_t p = (size_t)f->options.order;
    return (p + 1) * (p + 1);
}

/* Adds rows of expansions to rows in double precision. Softening terms are not
 * copied. */
static void
add_rows(const struct koshu_fmm *f, size_t rows, size_t stride,
         const void *from, double *to)
{
    const size_t terms = terms_of(f);
    for (size_t at = 0; at < rows * stride; at += stride)
        for (size_t k = at; k < at + terms; k++)
            to[k] += f->kernels->real == sizeof(float)
                             ? ((const float *)from)[k]
                             : ((const double *)from)[k];
}

/* Replaces rows by those in double precision; NULL: by zeros. */
static void
set_rows(const struct koshu_fmm *f, size_t rows, size_t stride,
         const double *from, void *to)
{
    const size_t terms = terms_of(f);
    for (size_t at = 0; at < rows * stride; at += stride)
        for (size_t k = at; k < at + terms; k++)
            if (f->kernels->real == sizeof(float))
                ((float *)to)[k] = from ? (float)from[k] : 0;
            else
                ((double *)to)[k] = from ? from[k] : 0;
}

/* Copies the multipole of a cell below the top. */
static void
copy_multipole(const struct koshu_fmm *f, size_t cell)
{
    const struct koshu_fmm_side *s = &f->sources;
    const struct koshu_fmm_cells *c = &s->cells;
    double *to = row_of(c, s->top.multipole, cell, sizeof *to);
    memset(to, 0, c->n_rhs * c->stride * sizeof *to);
    add_rows(f, c->n_rhs, c->stride,
             row_of(c, c->multipole, cell, f->kernels->real), to);
}

static void
make_multipoles(const struct koshu_fmm *f)
{
    const struct koshu_fmm_side *s = &f->sources;
    const struct koshu_fmm_cells *c = &s->cells;
    for (size_t k = s->n_top_sources; k-- > 0;)
        if (c->cell[k].children == 0)
            f->precise->p2m(f->expansion, &s->top, (uint32_t)k);
        else if (k < s->n_top)
            f->precise->m2m(f->expansion, &s->top, (uint32_t)k);
        else
            copy_multipole(f, k);
}

koshu_status
koshu_fmm_top_up(struct koshu_fmm *f, struct koshu_fmm_side *targets)
{
    KOSHU_TRY(make(f, &f->sources));
    if (targets != &f->sources) KOSHU_TRY(make(f, targets));
    make_multipoles(f);
    return KOSHU_OK;
}

/* Moves the entries whose cells have double precision to the front; returns
 * their number. */
static size_t
divide(const struct koshu_fmm_side *sources, size_t n, uint32_t *entry)
{
    size_t first = 0;
    for (size_t k = 0; k < n; k++)
        if (koshu_fmm_cell_of(&sources->cells.images, entry[k]) <
            sources->n_top_sources) {
            const uint32_t other = entry[first];
            entry[first++] = entry[k];
            entry[k] = other;
        }
    return first;
}

void
koshu_fmm_top_far(const struct koshu_fmm *f, const struct koshu_fmm_side *s,
                  const struct koshu_fmm_side *t, uint32_t cell, size_t n,
                  uint32_t *entry)
{
    const struct koshu_fmm_cells *c = &t->cells;
    const size_t first = divide(s, n, entry);
    void *const part = row_of(c, c->local, cell, f->kernels->real);
    set_rows(f, c->n_rhs, c->stride, NULL, part);
    f->kernels->m2l(f->expansion, c, cell, &s->cells, n - first, entry + first);
    add_rows(f, c->n_rhs, c->stride, part,
             row_of(c, t->top.local, cell, sizeof(double)));
    f->precise->m2l(f->expansion, &t->top, cell, &s->top, first, entry);
}

/* Children below the top get their expansions in the precision of the
 * kernels. */
void
koshu_fmm_top_give(const struct koshu_fmm *f, const struct koshu_fmm_side *t,
                   uint32_t cell)
{
    const struct koshu_fmm_cells *c = &t->cells;
    const struct koshu_cell *is = &c->cell[cell];
    const size_t first = is->children > 0 ? is->child : cell;
    const size_t n = is->children > 0 ? is->children : 1;
    if (is->children > 0) f->precise->l2l(f->expansion, &t->top, cell);
    if (is->children > 0 && f->background)
        koshu_fmm_shift_background(f, &t->top, sizeof(double), cell);
    set_rows(f, n * c->n_rhs, c->stride,
             row_of(c, t->top.local, first, sizeof(double)),
             row_of(c, c->local, first, f->kernels->real));
}
