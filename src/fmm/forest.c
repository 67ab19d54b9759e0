/* SPDX-License-Identifier: MIT */
/*
 * Essential trees of other ranks as the sources of one traversal: first all
 * roots, then the other cells with expansions in double precision, then the
 * rest.
 */
#include <string.h>

#include "base/base.h"
#include "fmm/fmm.h"

/* Where the cells of one tree go. */
struct part {
    size_t root, top, rest, particles;
};

/* Iterates over the trees that have cells; starts with last = NULL. */
static struct part
next_part(const struct koshu_fmm_forest *f, const struct part *last,
          const struct koshu_fmm_essential *of)
{
    if (!last) return (struct part){.top = f->n_roots, .rest = f->n_top};
    const size_t top = of->n_top > 1 ? of->n_top : 1;
    return (struct part){.root = last->root + 1,
                         .top = last->top + top - 1,
                         .rest = last->rest + of->n_cells - top,
                         .particles = last->particles + of->n_particles};
}

static size_t
to_of(const struct part *p, const struct koshu_fmm_essential *e, size_t cell)
{
    const size_t top = e->n_top > 1 ? e->n_top : 1;
    if (cell == 0) return p->root;
    return cell < top ? p->top + cell - 1 : p->rest + cell - top;
}

static void
count(struct koshu_fmm_forest *f, const struct koshu_fmm_essential *tree,
      size_t n)
{
    f->n_roots = f->n_cells = f->n_top = f->n_particles = 0;
    for (size_t k = 0; k < n; k++) {
        if (tree[k].n_cells == 0) continue;
        f->n_roots++;
        f->n_cells += tree[k].n_cells;
        f->n_top += tree[k].n_top > 1 ? tree[k].n_top : 1;
        f->n_particles += tree[k].n_particles;
    }
}

/* ---- memory -------------------------------------------------------------- */

/* Lays out six numbers for each cell, four for each particle, and the rows. */
static void
lay_out(struct koshu_fmm_forest *f, const struct koshu_fmm_cells *like)
{
    struct koshu_fmm_cells *c = &f->cells;
    double *const place = f->place, *const particle = f->particle;
    *c = *like;
    c->cell = f->cell;
    c->n = f->n_particles;
    c->px = particle;
    c->py = particle + c->n;
    c->pz = particle + 2 * c->n;
    c->charge = particle + 3 * c->n;
    c->x = place;
    c->y = place + f->n_cells;
    c->z = place + 2 * f->n_cells;
    c->radius = place + 3 * f->n_cells;
    c->length = place + 4 * f->n_cells;
    c->extent = place + 5 * f->n_cells;
    c->multipole = f->row;
    c->local = NULL;
    f->top = *c;
    f->top.multipole = f->top_row;
}

koshu_status
koshu_fmm_forest_reserve(struct koshu_context *context,
                         const struct koshu_fmm_essential *tree, size_t n,
                         const struct koshu_fmm_cells *like, size_t real,
                         struct koshu_fmm_forest *forest)
{
    struct koshu_fmm_forest *f = forest;
    static const char what[] = "cells of other ranks";
    count(f, tree, n);
    KOSHU_TRY(koshu_tree_check_size(context, f->n_cells, "rank"));
    KOSHU_TRY(koshu_tree_check_size(context, f->n_particles, "rank"));
    KOSHU_TRY(KOSHU_GROW(f, cell, f->n_cells, context, what));
    KOSHU_TRY(KOSHU_GROW(f, place, 6 * f->n_cells, context, what));
    KOSHU_TRY(KOSHU_GROW(f, particle, 4 * f->n_particles, context, what));
    KOSHU_TRY(KOSHU_GROW(f, row, f->n_cells * like->stride * real, context,
                         what));
    KOSHU_TRY(KOSHU_GROW(f, top_row, f->n_top * like->stride, context, what));
    lay_out(f, like);
    return KOSHU_OK;
}

/* ---- cells and particles ------------------------------------------------- */

static void
add_cell(struct koshu_fmm_forest *f, const struct part *p,
         const struct koshu_fmm_essential *e, size_t cell)
{
    const struct koshu_fmm_essential_cell *from = &e->cell[cell];
    struct koshu_fmm_cells *c = &f->cells;
    const size_t k = to_of(p, e, cell);
    f->cell[k] = from->cell;
    f->cell[k].first += (uint32_t)p->particles;
    f->cell[k].child = (uint32_t)to_of(p, e, from->cell.child);
    c->x[k] = from->x[0];
    c->y[k] = from->x[1];
    c->z[k] = from->x[2];
    c->radius[k] = from->radius;
    c->length[k] = from->length;
    c->extent[k] = from->extent;
}

static void
add_rows(struct koshu_fmm_forest *f, const struct part *p,
         const struct koshu_fmm_essential *e, size_t cell, size_t bytes)
{
    const size_t k = to_of(p, e, cell), length = f->cells.stride;
    memcpy(f->row + k * bytes, e->row + cell * bytes, bytes);
    if (cell < e->n_top)
        memcpy(f->top_row + k * length, e->top_row + cell * length,
               length * sizeof *f->top_row);
}

static void
add_particle(struct koshu_fmm_forest *f, size_t k,
             const struct koshu_essential_particle *from)
{
    double *const to = f->particle + k;
    for (size_t d = 0; d < 3; d++) to[d * f->n_particles] = from->x[d];
    to[3 * f->n_particles] = from->mass;
}

static void
add_tree(struct koshu_fmm_forest *f, const struct part *p,
         const struct koshu_fmm_essential *e, size_t bytes)
{
    for (size_t k = 0; k < e->n_cells; k++) {
        add_cell(f, p, e, k);
        add_rows(f, p, e, k, bytes);
    }
    for (size_t k = 0; k < e->n_particles; k++)
        add_particle(f, p->particles + k, &e->particle[k]);
}

void
koshu_fmm_forest_make(struct koshu_fmm_forest *forest,
                      const struct koshu_fmm_essential *tree, size_t n,
                      size_t real)
{
    struct part p = next_part(forest, NULL, NULL);
    for (size_t k = 0; k < n; k++) {
        if (tree[k].n_cells == 0) continue;
        add_tree(forest, &p, &tree[k], forest->cells.stride * real);
        p = next_part(forest, &p, &tree[k]);
    }
}

void
koshu_fmm_forest_free(struct koshu_fmm_forest *forest)
{
    koshu_free(forest->cell);
    koshu_free(forest->place);
    koshu_free(forest->particle);
    koshu_free(forest->row);
    koshu_free(forest->top_row);
}
