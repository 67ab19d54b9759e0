/* SPDX-License-Identifier: MIT */
/*
 * The list of a group: the tree is walked from its root, which gives cells
 * that act as a whole and ranges of particles; then both are copied, relative
 * to the middle of the group.
 */
#include <math.h>

#include "base/base.h"
#include "tree/find.h"

/* A cell with moments costs as much as two particles. */
enum { FEW_PARTICLES = 2, ROWS_J = 7, ROWS_CELL = 11 };

static const struct find_ops *
choose_ops(void)
{
#ifdef KOSHU_TREE_X86
    if (__builtin_cpu_supports("avx512f")) return &koshu_find_avx512;
    if (__builtin_cpu_supports("avx2")) return &koshu_find_avx2;
#endif
    return &koshu_find_base;
}

/* The ranges without the group's own particles: each becomes what lies before
 * these, and what lies behind is added; at most one range has both. */
static koshu_status
leave_out_own(const struct opening *o, struct koshu_walker *w, struct found *f)
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

/* Rows of a list: arrays of n floats in one allocation. */
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

/* Cells without moments are j-particles like others. */
static void
copy_cells(const struct find_ops *ops, const struct koshu_tree *t,
           const struct opening *o, const struct koshu_walker *w, size_t n,
           bool split, struct koshu_list *list)
{
    const double origin[3] = {o->x, o->y, o->z};
    if (o->moments) {
        ops->copy_cells(t, w->accepted, n, origin, true, list->cell, 0);
        list->n_cells = n;
        return;
    }
    ops->copy_cells(t, w->accepted, n, origin, false, list->j, list->n_j);
    for (int k = 4; split && k < ROWS_J; k++)
        for (size_t c = 0; c < n; c++) list->j[k][list->n_j + c] = 0;
    list->n_j += n;
}

static koshu_status
fill(const struct find_ops *ops, const struct koshu_tree *t,
     const struct opening *o, const struct found *f, bool split,
     struct koshu_walker *w)
{
    struct koshu_list *list = &w->list;
    size_t n_j = o->last - o->first + (o->moments ? 0 : f->cells);
    for (size_t k = 0; k < f->ranges; k++)
        n_j += w->range[k].last - w->range[k].first;
    KOSHU_TRY(reserve(list, n_j, o->moments ? f->cells : 0));
    list->n_j = list->n_cells = 0;
    copy_range(ops, t, o, (struct koshu_range){o->first, o->last}, split, list);
    for (size_t k = 0; k < f->ranges; k++)
        copy_range(ops, t, o, w->range[k], split, list);
    copy_cells(ops, t, o, w, f->cells, split, list);
    return KOSHU_OK;
}

koshu_status
koshu_tree_walk(const struct koshu_tree *tree, const struct koshu_group *group,
                double a, bool split, struct koshu_walker *walker)
{
    const struct koshu_tree_options *options = &tree->options;
    const struct find_ops *ops = choose_ops();
    const bool moments =
            options->multipole_order != KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    struct opening o = {.x = group->x,
                        .y = group->y,
                        .z = group->z,
                        .half_x = group->half_x,
                        .half_y = group->half_y,
                        .half_z = group->half_z,
                        .first = group->first,
                        .last = group->first + group->n,
                        .few = moments ? FEW_PARTICLES : 1,
                        .moments = moments};
    if (tree->few > 0) o.few = tree->few;
    if (options->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        o.factor2 = pow(options->alpha * a, moments ? -2.0 / 5 : -2.0 / 4);
    struct found found;
    KOSHU_TRY(ops->find(tree, &o, walker, &found));
    KOSHU_TRY(leave_out_own(&o, walker, &found));
    return fill(ops, tree, &o, &found, split, walker);
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
}
