/* SPDX-License-Identifier: MIT */
/*
 * Local essential trees of the FMM (Warren & Salmon 1995): the part of this
 * rank's tree that leaves of another rank may need. A cell is opened unless it
 * is far from each leaf there, and from any cell of its own size at the place
 * of one. Then the traversal there either finds it far or divides the target,
 * as it would on one rank.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fmm/fmm.h"
#include "kernels/box_distance.h"

/* ---- boxes of leaves ----------------------------------------------------- */

/* A box of leaves ends where one of the first (largest) cells begins, and after
 * each of this many equal parts of all particles. */
enum { LARGEST_CELLS = KOSHU_FMM_TARGETS / 2, PARTS = KOSHU_FMM_TARGETS / 2 };

/* The boxes so far; part: which part the last box is in; over: the last box is
 * complete. */
struct runs {
    const struct koshu_fmm_cells *cells;
    struct koshu_fmm_target *target;
    size_t n, part;
    bool over;
};

static void
add_leaf(struct runs *r, size_t k)
{
    const struct koshu_fmm_target none = {{INFINITY, INFINITY, INFINITY},
                                          {-INFINITY, -INFINITY, -INFINITY},
                                          0};
    const struct koshu_fmm_cells *c = r->cells;
    const size_t part = c->cell[k].first * (size_t)PARTS / c->n;
    const double at[3] = {c->x[k], c->y[k], c->z[k]};
    if (r->over || part != r->part) r->target[r->n++] = none;
    r->over = false;
    r->part = part;
    struct koshu_fmm_target *const t = &r->target[r->n - 1];
    for (int d = 0; d < 3; d++) {
        t->low[d] = fmin(t->low[d], at[d]);
        t->high[d] = fmax(t->high[d], at[d]);
    }
    t->radius = fmax(t->radius, c->radius[k]);
}

/* Visits leaves in the order of their particles; cells are stored by level. */
static void
add_leaves(struct runs *r, size_t k)
{
    const struct koshu_cell *cell = &r->cells->cell[k];
    if (k < LARGEST_CELLS) r->over = true;
    for (uint32_t l = cell->child; l < cell->child + cell->children; l++)
        add_leaves(r, l);
    if (cell->children == 0) add_leaf(r, k);
}

size_t
koshu_fmm_targets(const struct koshu_fmm_cells *cells,
                  struct koshu_fmm_target target[KOSHU_FMM_TARGETS])
{
    struct runs r = {.cells = cells, .target = target};
    add_leaves(&r, 0);
    return r.n;
}

/* ---- what they need ------------------------------------------------------ */

/* The search of a tree on behalf of one rank. */
struct search {
    struct koshu_context *context;
    const struct koshu_fmm_cells *cells;
    const struct koshu_fmm_criterion *criterion;
    const struct koshu_fmm_target *target;
    struct koshu_fmm_essential *to;
};

/* The other rank rounds distances differently: they may differ by this much. */
#define ROUNDING 1e-12

static bool
is_far(const struct search *s, size_t cell, const struct koshu_fmm_target *t)
{
    const struct koshu_fmm_cells *c = s->cells;
    const double edge = c->images.edge, radius = c->radius[cell];
    const double x[3] = {c->x[cell], c->y[cell], c->z[cell]};
    const double d2 = koshu_box_distance2(x, t->low, t->high, edge);
    const double d = sqrt(d2) * (1 - ROUNDING) - edge * ROUNDING;
    const double both = radius + fmax(radius, t->radius);
    const double theta = koshu_opening_theta(&s->criterion->opening, both);
    return both <= theta * d && d - both >= s->criterion->apart;
}

static koshu_status
add_cell(struct search *s, uint32_t cell, size_t first, size_t n)
{
    const struct koshu_fmm_cells *c = s->cells;
    struct koshu_fmm_essential *to = s->to;
    const size_t k = to->n_cells++;
    static const char what[] = "cells for other ranks";
    KOSHU_TRY(KOSHU_GROW(to, cell, k + 1, s->context, what));
    KOSHU_TRY(KOSHU_GROW(to, source, k + 1, s->context, what));
    to->source[k] = (struct koshu_fmm_essential_source){cell, first, n};
    to->cell[k] = (struct koshu_fmm_essential_cell){
            .x = {c->x[cell], c->y[cell], c->z[cell]},
            .radius = c->radius[cell],
            .extent = c->extent[cell],
            .length = c->length[cell]};
    return KOSHU_OK;
}

static koshu_status
add_particles(struct search *s, const struct koshu_cell *cell)
{
    struct koshu_fmm_essential *to = s->to;
    const struct koshu_fmm_cells *c = s->cells;
    KOSHU_TRY(KOSHU_GROW(to, particle, to->n_particles + cell->n, s->context,
                         "particles for other ranks"));
    for (size_t k = cell->first; k < (size_t)cell->first + cell->n; k++)
        to->particle[to->n_particles++] = (struct koshu_essential_particle){
                {c->px[k], c->py[k], c->pz[k]}, c->charge[k]};
    return KOSHU_OK;
}

static koshu_status
add_children(struct search *s, const struct koshu_cell *cell, size_t first,
             size_t n)
{
    for (uint32_t k = 0; k < cell->children; k++)
        KOSHU_TRY(add_cell(s, cell->child + k, first, n));
    return KOSHU_OK;
}

/* Appends those of the parent's targets that open this cell. */
static koshu_status
find_near(struct search *s, const struct koshu_fmm_essential_source *of,
          size_t *n)
{
    struct koshu_fmm_essential *to = s->to;
    KOSHU_TRY(KOSHU_GROW(to, near, to->n_near + of->n, s->context,
                         "cells for other ranks"));
    uint16_t *const found = to->near + to->n_near;
    *n = 0;
    for (size_t k = of->first; k < of->first + of->n; k++) {
        found[*n] = to->near[k];
        *n += !is_far(s, of->cell, &s->target[found[*n]]);
    }
    return KOSHU_OK;
}

/* If some leaf may open the cell, appends its children behind all others, or
 * its particles. A cell whose particles are all at one point counts as a
 * leaf. */
static koshu_status
open_cell(struct search *s, size_t at)
{
    struct koshu_fmm_essential *to = s->to;
    const struct koshu_fmm_essential_source of = to->source[at];
    const struct koshu_cell *cell = &s->cells->cell[of.cell];
    const bool leaf = cell->children == 0 || s->cells->extent[of.cell] == 0;
    size_t n;
    KOSHU_TRY(find_near(s, &of, &n));
    if (n == 0) return KOSHU_OK;
    to->cell[at].cell =
            (struct koshu_cell){.first = (uint32_t)to->n_particles,
                                .n = cell->n,
                                .child = (uint32_t)to->n_cells,
                                .children = leaf ? 0 : cell->children};
    if (leaf) return add_particles(s, cell);
    const size_t first = to->n_near;
    to->n_near += n;
    return add_children(s, cell, first, n);
}

static koshu_status
search_all(struct search *s, size_t n)
{
    struct koshu_fmm_essential *to = s->to;
    KOSHU_TRY(KOSHU_GROW(to, near, n, s->context, "cells for other ranks"));
    for (size_t k = 0; k < n; k++) to->near[k] = (uint16_t)k;
    to->n_near = n;
    KOSHU_TRY(add_cell(s, 0, 0, n));
    for (size_t at = 0; at < to->n_cells; at++) KOSHU_TRY(open_cell(s, at));
    return KOSHU_OK;
}

/* ---- their expansions ---------------------------------------------------- */

static koshu_status
add_rows(struct search *s, size_t bytes, const struct koshu_fmm_cells *top,
         size_t n_top)
{
    struct koshu_fmm_essential *to = s->to;
    const char *from = s->cells->multipole;
    const size_t length = s->cells->stride;
    static const char what[] = "expansions for other ranks";
    while (to->n_top < to->n_cells && to->source[to->n_top].cell < n_top)
        to->n_top++;
    KOSHU_TRY(KOSHU_GROW(to, row, bytes * to->n_cells, s->context, what));
    KOSHU_TRY(KOSHU_GROW(to, top_row, length * to->n_top, s->context, what));
    for (size_t k = 0; k < to->n_cells; k++)
        memcpy(to->row + k * bytes, from + to->source[k].cell * bytes, bytes);
    for (size_t k = 0; k < to->n_top; k++)
        memcpy(to->top_row + k * length,
               (double *)top->multipole + to->source[k].cell * length,
               length * sizeof *to->top_row);
    return KOSHU_OK;
}

koshu_status
koshu_fmm_essential_make(struct koshu_context *context,
                         const struct koshu_fmm_cells *cells, size_t real,
                         const struct koshu_fmm_cells *top, size_t n_top,
                         const struct koshu_fmm_criterion *criterion,
                         const struct koshu_fmm_target *target, size_t n,
                         struct koshu_fmm_essential *essential)
{
    struct search s = {.context = context,
                       .cells = cells,
                       .criterion = criterion,
                       .target = target,
                       .to = essential};
    essential->n_cells = essential->n_top = essential->n_particles = 0;
    if (cells->n == 0 || n == 0) return KOSHU_OK;
    KOSHU_TRY(search_all(&s, n));
    return add_rows(&s, cells->stride * real, top, top ? n_top : 0);
}

void
koshu_fmm_essential_free(struct koshu_fmm_essential *essential)
{
    koshu_free(essential->cell);
    koshu_free(essential->particle);
    koshu_free(essential->row);
    koshu_free(essential->top_row);
    koshu_free(essential->source);
    koshu_free(essential->near);
}
