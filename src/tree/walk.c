/* SPDX-License-Identifier: MIT */
/*
 * Interaction lists of groups: a walk from the root finds cells that act as a
 * whole and ranges of particles; then both are copied, relative to the middle
 * of the group.
 */
#include <math.h>

#include "base/base.h"
#include "tree/find.h"

/* A cell with moments costs as much as two particles. */
enum { FEW_PARTICLES = 2, ROWS_J = 7, ROWS_CELL = 11 };

const struct find_ops *
koshu_find_ops(void)
{
#ifdef KOSHU_TREE_X86
    if (__builtin_cpu_supports("avx512f")) return &koshu_find_avx512;
    if (__builtin_cpu_supports("avx2")) return &koshu_find_avx2;
#endif
    return &koshu_find_base;
}

/* Removes the group's own particles from the ranges: each range keeps what
 * precedes them, and what follows them becomes a new range. At most one range
 * has both parts. */
static koshu_status
leave_out_own(const struct opening *o, struct koshu_walker *w,
              struct koshu_walk_found *f)
{
    const size_t n = f->ranges;
    for (size_t k = 0; k < n; k++) {
        const struct koshu_range r = w->range[k];
        if (r.last <= o->first || r.first >= o->last) continue;
        w->range[k].last = r.first > o->first ? r.first : o->first;
        if (r.last <= o->last) continue;
        KOSHU_TRY(KOSHU_GROW(w, range, f->ranges + 1, NULL, NULL));
        w->range[f->ranges++] = (struct koshu_range){
                r.first > o->last ? r.first : o->last, r.last};
    }
    return KOSHU_OK;
}

/* Rows of a list: arrays of at least n floats in one allocation. */
static koshu_status
reserve_rows(float **row, size_t rows, size_t *capacity, size_t n)
{
    if (n <= *capacity) return KOSHU_OK;
    const size_t round = KOSHU_ALIGNMENT / sizeof(float);
    const size_t length = (n + n / 4 + round) / round * round;
    float *memory = koshu_alloc(length * rows, sizeof *memory);
    if (!memory) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_free(row[0]);
    for (size_t k = 0; k < rows; k++) row[k] = memory + k * length;
    *capacity = length;
    return KOSHU_OK;
}

static koshu_status
reserve(struct koshu_list *list, size_t n_j, size_t n_cells)
{
    if (list->lent) {
        list->n_j = n_j;
        list->n_cells = n_cells;
        return n_j <= list->capacity_j && n_cells <= list->capacity_cells
                       ? KOSHU_OK
                       : KOSHU_ERROR_OUT_OF_MEMORY;
    }
    KOSHU_TRY(reserve_rows(list->j, ROWS_J, &list->capacity_j, n_j));
    return reserve_rows(list->cell, ROWS_CELL, &list->capacity_cells, n_cells);
}

static void
copy_range(const struct find_ops *ops, const struct koshu_tree *t,
           const struct opening *o, struct koshu_range r, bool split,
           struct koshu_list *list)
{
    const double *const x[3] = {t->x, t->y, t->z};
    const double origin[3] = {o->x, o->y, o->z};
    const size_t n = r.last - r.first;
    float *to[ROWS_J];
    for (int k = 0; k < ROWS_J; k++) to[k] = list->j[k] + list->n_j;
    for (int c = 0; c < 3; c++)
        ops->copy(to[c], split ? to[4 + c] : NULL, x[c] + r.first, origin[c],
                  n);
    ops->copy(to[3], NULL, t->mass + r.first, 0, n);
    list->n_j += n;
}

/* Cells without moments become ordinary j-particles. */
static void
copy_cells(const struct find_ops *ops, const struct koshu_tree *t,
           const struct opening *o, const uint32_t *cell, size_t n, bool split,
           struct koshu_list *list)
{
    const double origin[3] = {o->x, o->y, o->z};
    if (o->moments) {
        ops->copy_cells(t, cell, n, origin, true, list->cell, list->n_cells);
        list->n_cells += n;
        return;
    }
    ops->copy_cells(t, cell, n, origin, false, list->j, list->n_j);
    for (int k = 4; split && k < ROWS_J; k++)
        for (size_t c = 0; c < n; c++) list->j[k][list->n_j + c] = 0;
    list->n_j += n;
}

/* ---- images -------------------------------------------------------------- */

struct opening
koshu_opening_in_image(const struct koshu_tree *t, const struct opening *o,
                       size_t k)
{
    struct opening away = *o;
    if (k == 0) return away;
    const double *shift = t->images.shift[k];
    const double per_length = 1 / t->units.length;
    away.x -= shift[0] * per_length;
    away.y -= shift[1] * per_length;
    away.z -= shift[2] * per_length;
    away.first = away.last = 0; /* images of the group's own particles are
                                 * ordinary sources */
    return away;
}

size_t
koshu_tree_images_of(const struct koshu_tree *t)
{
    return t->images.n > 0 ? t->images.n : 1;
}

/* The sources of the group, image by image; w->end[k] has the totals up to and
 * including image k. */
static koshu_status
find_all(const struct find_ops *ops, const struct koshu_tree *t,
         const struct opening *o, struct koshu_walker *w)
{
    struct koshu_walk_found found = {0};
    KOSHU_TRY(KOSHU_GROW(w, end, koshu_tree_images_of(t), NULL, NULL));
    for (size_t k = 0; k < koshu_tree_images_of(t); k++) {
        const struct opening away = koshu_opening_in_image(t, o, k);
        KOSHU_TRY(ops->find(t, &away, w, &found));
        if (k == 0) KOSHU_TRY(leave_out_own(o, w, &found));
        w->end[k] = found;
    }
    return KOSHU_OK;
}

static koshu_status
fill(const struct find_ops *ops, const struct koshu_tree *t,
     const struct opening *o, bool split, struct koshu_walker *w)
{
    struct koshu_list *list = &w->list;
    const struct koshu_walk_found all = w->end[koshu_tree_images_of(t) - 1];
    struct koshu_walk_found at = {0};
    size_t n_j = o->last - o->first + (o->moments ? 0 : all.cells);
    for (size_t k = 0; k < all.ranges; k++)
        n_j += w->range[k].last - w->range[k].first;
    KOSHU_TRY(reserve(list, n_j, o->moments ? all.cells : 0));
    list->n_j = list->n_cells = 0;
    copy_range(ops, t, o, (struct koshu_range){o->first, o->last}, split, list);
    for (size_t k = 0; k < koshu_tree_images_of(t); k++) {
        const struct opening away = koshu_opening_in_image(t, o, k);
        for (; at.ranges < w->end[k].ranges; at.ranges++)
            copy_range(ops, t, &away, w->range[at.ranges], split, list);
        copy_cells(ops, t, &away, w->accepted + at.cells,
                   w->end[k].cells - at.cells, split, list);
        at = w->end[k];
    }
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static bool
has_moments(const struct koshu_tree *tree)
{
    return tree->options.multipole_order != KOSHU_MULTIPOLE_ORDER_MONOPOLE;
}

uint32_t
koshu_tree_few(const struct koshu_tree *tree)
{
    if (tree->few > 0) return tree->few;
    return has_moments(tree) ? FEW_PARTICLES : 1;
}

double
koshu_tree_factor2(const struct koshu_tree *tree, double a)
{
    const struct koshu_tree_options *o = &tree->options;
    if (o->opening_criterion != KOSHU_OPENING_CRITERION_RELATIVE) return 0;
    return pow(o->alpha * a, has_moments(tree) ? -2.0 / 5 : -2.0 / 4);
}

struct opening
koshu_opening_of(const struct koshu_tree *tree, const struct koshu_group *group,
                 double a)
{
    return (struct opening){.x = group->x,
                            .y = group->y,
                            .z = group->z,
                            .half_x = group->half_x,
                            .half_y = group->half_y,
                            .half_z = group->half_z,
                            .factor2 = koshu_tree_factor2(tree, a),
                            .few = koshu_tree_few(tree),
                            .moments = has_moments(tree)};
}

static koshu_status
walk(const struct koshu_tree *tree, const struct opening *o, bool split,
     struct koshu_walker *walker)
{
    const struct find_ops *ops = koshu_find_ops();
    KOSHU_TRY(find_all(ops, tree, o, walker));
    return fill(ops, tree, o, split, walker);
}

koshu_status
koshu_tree_walk(const struct koshu_tree *tree, const struct koshu_group *group,
                double a, bool split, struct koshu_walker *walker)
{
    struct opening o = koshu_opening_of(tree, group, a);
    o.first = group->first;
    o.last = group->first + group->n;
    return walk(tree, &o, split, walker);
}

koshu_status
koshu_tree_walk_others(const struct koshu_tree *tree,
                       const struct koshu_group *group, double a, bool split,
                       struct koshu_walker *walker)
{
    const struct opening o = koshu_opening_of(tree, group, a);
    return walk(tree, &o, split, walker);
}

void
koshu_group_copy(const struct koshu_tree *tree, const struct koshu_group *group,
                 bool split, float *const row[ROWS_J])
{
    const struct find_ops *ops = koshu_find_ops();
    const double *const x[3] = {tree->x, tree->y, tree->z};
    const double origin[3] = {group->x, group->y, group->z};
    for (int c = 0; c < 3; c++)
        ops->copy(row[c], split ? row[4 + c] : NULL, x[c] + group->first,
                  origin[c], group->n);
}

void
koshu_walker_free(struct koshu_walker *walker)
{
    if (!walker->list.lent) {
        koshu_free(walker->list.j[0]);
        koshu_free(walker->list.cell[0]);
    }
    koshu_free(walker->stack);
    koshu_free(walker->range);
    koshu_free(walker->accepted);
    koshu_free(walker->end);
}
