/* SPDX-License-Identifier: MIT */
/*
 * Local essential trees (Salmon 1990; Warren & Salmon 1992; Hamada10 section
 * 3.2): the part of a tree that groups of other ranks may need. A cell is sent
 * with its children if it would be opened for any of the boxes that hold the
 * groups. Each group lies in one of these boxes and has no smaller acceleration
 * than the box, so its walk never needs a cell that was not sent.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "kernels/box_distance.h"
#include "tree/tree.h"

/* ---- boxes of groups ----------------------------------------------------- */

static void
widen(struct koshu_tree_target *t, const struct koshu_group *g, double a)
{
    const double low[3] = {g->x - g->half_x, g->y - g->half_y,
                           g->z - g->half_z};
    const double high[3] = {g->x + g->half_x, g->y + g->half_y,
                            g->z + g->half_z};
    for (int c = 0; c < 3; c++) {
        t->low[c] = fmin(t->low[c], low[c]);
        t->high[c] = fmax(t->high[c], high[c]);
    }
    t->a = fmin(t->a, a);
}

/* The end of the particles of the cell that contains particle `first` and has
 * at most n particles. */
static uint32_t
end_of_cell(const struct koshu_tree *tree, uint32_t first, size_t n)
{
    const struct koshu_cell *c = &tree->cell[0];
    while (c->n > n && c->children > 0) {
        const struct koshu_cell *child = &tree->cell[c->child];
        while (child->first + child->n <= first) child++;
        c = child;
    }
    return c->first + c->n;
}

size_t
koshu_tree_targets(const struct koshu_tree *tree,
                   const struct koshu_groups *groups, const double *a,
                   struct koshu_tree_target target[KOSHU_TREE_TARGETS])
{
    const struct koshu_tree_target none = {{INFINITY, INFINITY, INFINITY},
                                           {-INFINITY, -INFINITY, -INFINITY},
                                           INFINITY};
    size_t n = 0;
    uint32_t end = 0;
    for (size_t k = 0; k < groups->n; k++) {
        const struct koshu_group *g = &groups->group[k];
        if (g->first >= end && n < KOSHU_TREE_TARGETS) {
            end = end_of_cell(tree, g->first, tree->n / KOSHU_TREE_CUTS);
            target[n++] = none;
        }
        widen(&target[n - 1], g, a[k]);
    }
    return n;
}

/* ---- what they need ------------------------------------------------------ */

/* One tree being searched on behalf of one rank. */
struct search {
    const struct koshu_tree *tree;
    const struct koshu_tree_target *target;
    double factor2[KOSHU_TREE_TARGETS];
    double edge; /* of a periodic box; 0: none */
    uint32_t few;
    struct koshu_essential *to;
};

/* Like are_far() of a walk: do the cell and all its images act as a whole on
 * the entire box? */
static bool
is_far(const struct search *s, size_t cell, size_t k)
{
    const struct koshu_cell_places *p = &s->tree->place;
    const struct koshu_tree_target *t = &s->target[k];
    const double x[3] = {p->x[cell], p->y[cell], p->z[cell]};
    const double d2 = koshu_box_distance2(x, t->low, t->high, s->edge);
    return d2 >= p->reach2[cell] && d2 >= p->strength2[cell] * s->factor2[k];
}

/* Finds the targets that open the cell; returns their number. */
static size_t
near_of(const struct search *s, size_t cell, const uint16_t *target, size_t n,
        uint16_t *near)
{
    size_t found = 0;
    for (size_t k = 0; k < n; k++) {
        near[found] = target[k];
        found += !is_far(s, cell, target[k]);
    }
    return found;
}

static koshu_status
add_particles(struct search *s, const struct koshu_cell *cell,
              struct koshu_essential_cell *e)
{
    struct koshu_essential *to = s->to;
    const struct koshu_tree *t = s->tree;
    e->first = (uint32_t)to->n_particles;
    KOSHU_TRY(KOSHU_GROW(to, particle, to->n_particles + cell->n, t->context,
                         "particles for other ranks"));
    for (uint32_t k = cell->first; k < cell->first + cell->n; k++)
        to->particle[to->n_particles++] = (struct koshu_essential_particle){
                {t->x[k], t->y[k], t->z[k]}, t->mass[k]};
    return KOSHU_OK;
}

/* The cell as a walk will see it. Without children or particles it is never
 * opened. */
static struct koshu_essential_cell
describe(const struct koshu_tree *t, size_t cell, bool whole)
{
    const struct koshu_cell_places *p = &t->place;
    return (struct koshu_essential_cell){
            .x = {p->x[cell], p->y[cell], p->z[cell]},
            .reach2 = whole ? 0 : p->reach2[cell],
            .strength2 = whole ? 0 : p->strength2[cell],
            .moments = t->moments[cell],
            .n = t->cell[cell].n};
}

static koshu_status add_cell(struct search *s, size_t cell, size_t at,
                             const uint16_t *target, size_t n);

static koshu_status
add_children(struct search *s, const struct koshu_cell *cell,
             const uint16_t *near, size_t n, struct koshu_essential_cell *e)
{
    struct koshu_essential *to = s->to;
    const size_t child = to->n_cells;
    e->child = (uint32_t)child;
    e->children = cell->children;
    to->n_cells += cell->children;
    KOSHU_TRY(KOSHU_GROW(to, cell, to->n_cells, s->tree->context,
                         "cells for other ranks"));
    for (uint32_t k = 0; k < cell->children; k++)
        KOSHU_TRY(add_cell(s, cell->child + k, child + k, near, n));
    return KOSHU_OK;
}

static koshu_status
add_cell(struct search *s, size_t cell, size_t at, const uint16_t *target,
         size_t n)
{
    const struct koshu_cell *of = &s->tree->cell[cell];
    uint16_t near[KOSHU_TREE_TARGETS];
    const size_t n_near = near_of(s, cell, target, n, near);
    const bool few = of->n <= s->few, whole = n_near == 0 && !few;
    struct koshu_essential_cell e = describe(s->tree, cell, whole);
    if (!whole && (few || of->children == 0))
        KOSHU_TRY(add_particles(s, of, &e));
    else if (!whole)
        KOSHU_TRY(add_children(s, of, near, n_near, &e));
    s->to->cell[at] = e;
    return KOSHU_OK;
}

koshu_status
koshu_essential_make(const struct koshu_tree *tree,
                     const struct koshu_tree_target *target, size_t n,
                     struct koshu_essential *essential)
{
    struct search s = {.tree = tree,
                       .target = target,
                       .edge = tree->images.edge / tree->units.length,
                       .few = koshu_tree_few(tree),
                       .to = essential};
    uint16_t all[KOSHU_TREE_TARGETS];
    essential->n_cells = essential->n_particles = 0;
    if (tree->n == 0 || n == 0) return KOSHU_OK;
    for (size_t k = 0; k < n; k++) {
        all[k] = (uint16_t)k;
        s.factor2[k] = koshu_tree_factor2(tree, target[k].a);
    }
    KOSHU_TRY(KOSHU_GROW(essential, cell, 1, tree->context,
                         "cells for other ranks"));
    essential->n_cells = 1;
    return add_cell(&s, 0, 0, all, n);
}

void
koshu_essential_free(struct koshu_essential *essential)
{
    koshu_free(essential->cell);
    koshu_free(essential->particle);
}
