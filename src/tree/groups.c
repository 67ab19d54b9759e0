/* SPDX-License-Identifier: MIT */
/*
 * Groups: cells of at most n_crit particles whose parents have more
 * (Barnes 1990). Neighbours among the children of a cell that are few are
 * taken together: a walk costs the same for three particles as for thirty.
 */
#include <math.h>

#include "base/base.h"
#include "tree/tree.h"

static void
range(const double *x, size_t n, double *middle, double *half)
{
    double low = x[0], high = x[0];
    for (size_t k = 1; k < n; k++) {
        low = fmin(low, x[k]);
        high = fmax(high, x[k]);
    }
    *middle = low + 0.5 * (high - low);
    *half = fmax(high - *middle, *middle - low);
}

struct koshu_group
koshu_group_of(const struct koshu_tree *tree, uint32_t first, uint32_t n)
{
    struct koshu_group g = {.first = first, .n = n};
    range(tree->x + first, n, &g.x, &g.half_x);
    range(tree->y + first, n, &g.y, &g.half_y);
    range(tree->z + first, n, &g.z, &g.half_z);
    return g;
}

static koshu_status
add(struct koshu_groups *groups, const struct koshu_tree *t, uint32_t first,
    uint32_t n)
{
    KOSHU_TRY(KOSHU_GROW(groups, group, groups->n + 1, t->context,
                         "groups of a tree"));
    struct koshu_group *g = &groups->group[groups->n++];
    g->first = first;
    g->n = n;
    if (n > groups->largest) groups->largest = n;
    return KOSHU_OK;
}

/* A leaf may have more particles than n_crit. */
static koshu_status
cut_leaf(struct koshu_groups *groups, const struct koshu_tree *t,
         const struct koshu_cell *leaf, size_t n_crit)
{
    for (size_t k = 0; k < leaf->n; k += n_crit) {
        size_t left = leaf->n - k;
        KOSHU_TRY(add(groups, t, leaf->first + (uint32_t)k,
                      (uint32_t)(left < n_crit ? left : n_crit)));
    }
    return KOSHU_OK;
}

/* Of a cell with more than n_crit particles. */
static koshu_status
divide(struct koshu_groups *groups, const struct koshu_tree *t,
       const struct koshu_cell *cell, size_t n_crit)
{
    if (cell->children == 0) return cut_leaf(groups, t, cell, n_crit);
    uint32_t first = cell->first, n = 0; /* children that wait for others */
    for (uint32_t k = 0; k < cell->children; k++) {
        const struct koshu_cell *child = &t->cell[cell->child + k];
        if (n > 0 && n + child->n > n_crit) {
            KOSHU_TRY(add(groups, t, first, n));
            n = 0;
        }
        if (n == 0) first = child->first;
        if (child->n > n_crit)
            KOSHU_TRY(divide(groups, t, child, n_crit));
        else
            n += child->n;
    }
    return n > 0 ? add(groups, t, first, n) : KOSHU_OK;
}

koshu_status
koshu_groups_make(struct koshu_groups *groups, const struct koshu_tree *tree,
                  size_t n_crit)
{
    const int threads = koshu_region_threads(tree->context, tree->n > 1 << 14);
    groups->n = groups->largest = 0;
    KOSHU_TRY(tree->n <= n_crit ? add(groups, tree, 0, (uint32_t)tree->n)
                                : divide(groups, tree, &tree->cell[0], n_crit));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < groups->n; k++) {
        const struct koshu_group *g = &groups->group[k];
        groups->group[k] = koshu_group_of(tree, g->first, g->n);
    }
    return KOSHU_OK;
}

void
koshu_groups_free(struct koshu_groups *groups)
{
    koshu_free(groups->group);
}
