/* SPDX-License-Identifier: MIT */
/*
 * Makes cells over sorted particles, level by level: each cell of a level finds
 * its octants by bisection, then the children are stored.
 *
 * A cell whose particles all lie in one octant is not divided there but at the
 * first level that separates them. So every cell has either no children or at
 * least two, and there are no chains. Particles with equal keys are closer than
 * 2^-21 of the box. If a leaf cannot hold them all, they get new keys in their
 * own bounding box, and the division continues. (One escaping particle can make
 * the box arbitrarily large.) Particles at exactly the same position are halved
 * until a leaf can hold them; such cells have no size, so nothing opens them.
 */
#include <string.h>

#include "base/base.h"
#include "tree/tree.h"

/* Where each child's particles end. */
struct koshu_cell_split {
    uint32_t end[8];
    uint8_t children; /* 0: a leaf */
};

/* ---- particles that share a key ------------------------------------------ */

static void
permute(double *x, double *copy, const uint32_t *index, size_t n)
{
    memcpy(copy, x, n * sizeof *x);
    for (size_t k = 0; k < n; k++) x[k] = copy[index[k]];
}

/* Sorts particles first ... first + n - 1 by new keys in their own box. The
 * arrays *_other serve as scratch. */
static void
sort_again(struct koshu_tree *t, const struct koshu_tree_box *box, size_t first,
           size_t n)
{
    uint64_t *key = t->key + first, *spare = t->key_other + first;
    uint32_t *index = t->order_other + first;
    double *copy = (double *)spare; /* reused once the keys are sorted */
    double *const moved[] = {t->x, t->y, t->z, t->mass};
    koshu_tree_keys(box, t->options.space_filling_curve, n, t->x + first,
                    t->y + first, t->z + first, 1, key);
    for (size_t k = 0; k < n; k++) index[k] = (uint32_t)k;
    koshu_sort_keys(n, key, index, spare, t->spare + first, 1);
    for (int a = 0; a < 4; a++) permute(moved[a] + first, copy, index, n);
    uint32_t *order = t->order + first, *old = t->spare + first;
    memcpy(old, order, n * sizeof *order);
    for (size_t k = 0; k < n; k++) order[k] = old[index[k]];
}

/* ---- one cell ------------------------------------------------------------ */

/* End of the particles in first ... last - 1 that belong to this octant or to
 * one before it. */
static size_t
end_of_octant(const uint64_t *key, size_t first, size_t last, int shift,
              uint64_t octant)
{
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if ((key[middle] >> shift & 7) > octant)
            last = middle;
        else
            first = middle + 1;
    }
    return last;
}

static void
split_octants(const struct koshu_tree *t, size_t first, size_t last,
              struct koshu_cell_split *split)
{
    uint64_t differ = t->key[first] ^ t->key[last - 1];
    int shift = (63 - __builtin_clzll(differ)) / 3 * 3;
    split->children = 0;
    while (first < last) {
        uint64_t octant = t->key[first] >> shift & 7;
        first = end_of_octant(t->key, first, last, shift, octant);
        split->end[split->children++] = (uint32_t)first;
    }
}

static void
halve(size_t first, size_t last, struct koshu_cell_split *split)
{
    split->children = 2;
    split->end[0] = (uint32_t)(first + (last - first) / 2);
    split->end[1] = (uint32_t)last;
}

static void
split_cell(struct koshu_tree *t, const struct koshu_cell *cell,
           struct koshu_cell_split *split)
{
    const size_t first = cell->first, last = first + cell->n;
    split->children = 0;
    if (cell->n <= t->options.n_leaf) return;
    if (t->key[first] == t->key[last - 1]) {
        struct koshu_tree_box box;
        koshu_status status = koshu_tree_box_of(
                cell->n, t->x + first, t->y + first, t->z + first, 1, &box);
        if (status == KOSHU_OK && box.side > 0)
            sort_again(t, &box, first, cell->n);
    }
    if (t->key[first] == t->key[last - 1])
        halve(first, last, split);
    else
        split_octants(t, first, last, split);
}

/* ---- one level ----------------------------------------------------------- */

static void
make_children(struct koshu_tree *t, const struct koshu_cell *parent,
              const struct koshu_cell_split *split)
{
    uint32_t first = parent->first;
    for (uint32_t k = 0; k < split->children; k++) {
        t->cell[parent->child + k] =
                (struct koshu_cell){.first = first, .n = split->end[k] - first};
        first = split->end[k];
    }
}

/* Adds the children of the last level's cells as the next level. */
static koshu_status
add_level(struct koshu_tree *t, int threads)
{
    const size_t begin = t->level[t->n_levels - 1], end = t->n_cells;
    KOSHU_TRY(KOSHU_GROW(t, split, end - begin, t->context,
                         "splitting of cells"));
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
    for (size_t c = begin; c < end; c++)
        split_cell(t, &t->cell[c], &t->split[c - begin]);
    size_t n = end;
    for (size_t c = begin; c < end; c++) {
        const uint8_t children = t->split[c - begin].children;
        t->cell[c].children = children;
        t->cell[c].child = children ? (uint32_t)n : 0;
        n += children;
    }
    KOSHU_TRY(KOSHU_GROW(t, cell, n, t->context, "cells of a tree"));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t c = begin; c < end; c++)
        make_children(t, &t->cell[c], &t->split[c - begin]);
    t->n_cells = n;
    return KOSHU_OK;
}

koshu_status
koshu_tree_build(struct koshu_tree *tree)
{
    struct koshu_tree *t = tree;
    KOSHU_TRY(KOSHU_GROW(t, cell, 1, t->context, "cells of a tree"));
    t->cell[0] = (struct koshu_cell){.n = (uint32_t)t->n};
    t->n_cells = 1;
    t->n_levels = 0;
    for (size_t end = 0; end < t->n_cells;) {
        KOSHU_TRY(KOSHU_GROW(t, level, t->n_levels + 2, t->context,
                             "levels of a tree"));
        t->level[t->n_levels++] = end;
        end = t->level[t->n_levels] = t->n_cells;
        const size_t n = end - t->level[t->n_levels - 1];
        KOSHU_TRY(add_level(t, koshu_region_threads(t->context, n > 64)));
    }
    return KOSHU_OK;
}
