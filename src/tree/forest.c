/* SPDX-License-Identifier: MIT */
/* Trees received from other ranks, merged into one that is walked like any
 * other. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "tree/tree.h"

/* The number of cells above n roots. Together with the roots they form a heap
 * in which each cell has KOSHU_CHILDREN contiguous children. */
static size_t
cells_above(size_t n)
{
    return n == 0 ? 0 : (n - 1 + KOSHU_CHILDREN - 2) / (KOSHU_CHILDREN - 1);
}

/* Arrays of n doubles each, in one allocation. */
static koshu_status
reserve_particles(struct koshu_tree *t, size_t n)
{
    if (n <= t->capacity) return KOSHU_OK;
    koshu_free(t->key);
    t->capacity = 0;
    t->key = koshu_alloc(4 * (n + n / 4), sizeof(double));
    if (!t->key)
        return koshu_fail_memory(t->context, 4 * (n + n / 4) * sizeof(double),
                                 "particles of other ranks");
    t->capacity = n + n / 4;
    t->x = (double *)t->key;
    t->y = t->x + t->capacity;
    t->z = t->y + t->capacity;
    t->mass = t->z + t->capacity;
    return KOSHU_OK;
}

/* Writes the cells above the roots, which are always opened. */
static void
write_above(struct koshu_tree *t, size_t above)
{
    for (size_t c = 0; c < above; c++) {
        const size_t child = KOSHU_CHILDREN * c + 1, left = t->n_cells - child;
        t->cell[c] = (struct koshu_cell){.n = UINT32_MAX,
                                         .child = (uint32_t)child,
                                         .children = left < KOSHU_CHILDREN
                                                             ? (uint32_t)left
                                                             : KOSHU_CHILDREN};
        t->place.x[c] = t->place.y[c] = t->place.z[c] = 0;
        t->place.reach2[c] = INFINITY;
        t->place.strength2[c] = 0;
    }
}

koshu_status
koshu_forest_begin(struct koshu_forest *forest, const struct koshu_tree *like,
                   size_t n_trees, size_t cells, size_t particles)
{
    struct koshu_tree *t = &forest->tree;
    const size_t above = cells_above(n_trees);
    t->context = like->context;
    t->options = like->options;
    t->few = like->few;
    t->eps = like->eps;
    t->units = like->units;
    t->images = like->images;
    KOSHU_TRY(koshu_tree_check_size(t->context, above + cells, "rank"));
    KOSHU_TRY(koshu_tree_check_size(t->context, particles, "rank"));
    t->n = 0;
    t->n_cells = above + cells;
    KOSHU_TRY(reserve_particles(t, particles));
    KOSHU_TRY(KOSHU_GROW(t, cell, t->n_cells, t->context, "cells of others"));
    KOSHU_TRY(koshu_tree_reserve_moments(t));
    t->n_cells = above + n_trees;
    write_above(t, above);
    forest->root = above;
    return KOSHU_OK;
}

static void
set_cell(struct koshu_tree *t, size_t c, const struct koshu_essential_cell *e,
         size_t child_from, size_t first_from)
{
    t->cell[c] = (struct koshu_cell){.first = (uint32_t)(e->first + first_from),
                                     .n = e->n,
                                     .child = (uint32_t)(e->child + child_from),
                                     .children = e->children};
    t->place.x[c] = e->x[0];
    t->place.y[c] = e->x[1];
    t->place.z[c] = e->x[2];
    t->place.reach2[c] = e->reach2;
    t->place.strength2[c] = e->strength2;
    t->moments[c] = e->moments;
}

void
koshu_forest_add(struct koshu_forest *forest,
                 const struct koshu_essential *essential)
{
    struct koshu_tree *t = &forest->tree;
    const struct koshu_essential *e = essential;
    const int threads = koshu_region_threads(t->context, e->n_cells > 1 << 12);
    /* its root goes to the other roots, its cell c to base + c */
    const size_t base = t->n_cells - 1, first = t->n;
    if (e->n_cells == 0) return;
    set_cell(t, forest->root++, &e->cell[0], base, first);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static) nowait
        for (size_t c = 1; c < e->n_cells; c++)
            set_cell(t, base + c, &e->cell[c], base, first);
#pragma omp for schedule(static)
        for (size_t k = 0; k < e->n_particles; k++) {
            t->x[first + k] = e->particle[k].x[0];
            t->y[first + k] = e->particle[k].x[1];
            t->z[first + k] = e->particle[k].x[2];
            t->mass[first + k] = e->particle[k].mass;
        }
    }
    t->n_cells += e->n_cells - 1;
    t->n += e->n_particles;
}

void
koshu_forest_free(struct koshu_forest *forest)
{
    koshu_tree_free(&forest->tree);
}
