/* SPDX-License-Identifier: MIT */
/*
 * Groups: cells of at most n_crit particles whose parents have more (Barnes
 * 1990). Small neighbouring children of a cell are merged, since a walk costs
 * the same for three particles as for thirty.
 *
 * Lists have positions relative to the middle of a group's box, as floats. So
 * the bulk of a group must not lie in a corner of its box that floats hardly
 * resolve. If a few particles are far from the others, they become groups of
 * their own.
 */
#include <math.h>

#include "base/base.h"
#include "tree/tree.h"

static void
range(const double *x, size_t n, double *middle, double *half)
{
    double low = x[0], high = x[0];
    for (size_t k = 1; k < n; k++) {
        low = x[k] < low ? x[k] : low;
        high = x[k] > high ? x[k] : high;
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

/* Consecutive particles are tight if their distance is less than TIGHT times
 * the longest side of their group's box, half of a float's digits. A group is
 * divided where consecutive particles are further apart than APART times that
 * side. */
#define TIGHT (1.0 / 4096)
#define APART (1.0 / 32)

static double
distance(const struct koshu_tree *t, size_t a, size_t b)
{
    const double x = fabs(t->x[a] - t->x[b]), y = fabs(t->y[a] - t->y[b]),
                 z = fabs(t->z[a] - t->z[b]);
    const double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static double
longest_side(const struct koshu_group *g)
{
    return 2 * fmax(g->half_x, fmax(g->half_y, g->half_z));
}

/* Are at least half of the particles in tight clumps? A pair counts as a clump
 * only in groups of up to four: most stars may have a companion. */
static bool
has_clumps(const struct koshu_tree *t, const struct koshu_group *g, double near)
{
    const size_t least = g->n > 4 ? 3 : 2, last = g->first + g->n;
    size_t clumped = 0, clump = 1;
    for (size_t k = g->first + 1; k <= last; k++) {
        if (k < last && distance(t, k, k - 1) < near) {
            clump++;
            continue;
        }
        if (clump >= least) clumped += clump;
        clump = 1;
    }
    return 2 * clumped >= g->n;
}

static bool
is_tight(const struct koshu_tree *t, const struct koshu_group *g)
{
    const double near = TIGHT * longest_side(g);
    size_t tight = 0; /* nearly always 0 */
    for (size_t k = g->first + 1; k < g->first + g->n; k++)
        tight += distance(t, k, k - 1) < near;
    return g->n > 2 && 4 * tight >= g->n && has_clumps(t, g, near);
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

/* A leaf may have more than n_crit particles. */
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

/* Groups of a cell with more than n_crit particles. */
static koshu_status
divide(struct koshu_groups *groups, const struct koshu_tree *t,
       const struct koshu_cell *cell, size_t n_crit)
{
    if (cell->children == 0) return cut_leaf(groups, t, cell, n_crit);
    uint32_t first = cell->first, n = 0; /* children to be merged */
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

/* ---- groups that are divided again --------------------------------------- */

/* Where to divide a tight group first: after the longest jump between
 * consecutive particles. */
static uint32_t
cut_of(const struct koshu_tree *t, const struct koshu_group *g)
{
    double longest = 0;
    uint32_t at = g->first + 1;
    for (uint32_t k = g->first + 1; k < g->first + g->n; k++) {
        const double jump = distance(t, k, k - 1);
        if (jump <= longest) continue;
        longest = jump;
        at = k;
    }
    return longest > APART * longest_side(g) ? at : g->first;
}

/* Adds the parts of a range of particles as groups. */
static koshu_status
add_parts(struct koshu_groups *groups, const struct koshu_tree *t,
          uint32_t first, uint32_t n)
{
    const struct koshu_group g = koshu_group_of(t, first, n);
    const uint32_t at = is_tight(t, &g) ? cut_of(t, &g) : first;
    if (at == first) return add(groups, t, first, n);
    KOSHU_TRY(add_parts(groups, t, first, at - first));
    return add_parts(groups, t, at, first + n - at);
}

static koshu_status
cut_tight(struct koshu_groups *groups, const struct koshu_tree *t)
{
    struct koshu_groups cut = {0};
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < groups->n && status == KOSHU_OK; k++)
        status = add_parts(&cut, t, groups->group[k].first, groups->group[k].n);
    koshu_groups_free(status == KOSHU_OK ? groups : &cut);
    if (status == KOSHU_OK) *groups = cut;
    return status;
}

/* Computes the boxes of all groups. Returns whether any of them is tight. */
static bool
find_boxes(struct koshu_groups *groups, const struct koshu_tree *tree)
{
    const int threads = koshu_region_threads(tree->context, tree->n > 1 << 14);
    int tight = 0;
#pragma omp parallel for num_threads(threads) schedule(static) \
        reduction(|                                            \
                  : tight)
    for (size_t k = 0; k < groups->n; k++) {
        const struct koshu_group *g = &groups->group[k];
        groups->group[k] = koshu_group_of(tree, g->first, g->n);
        tight |= is_tight(tree, g);
    }
    return tight;
}

koshu_status
koshu_groups_make(struct koshu_groups *groups, const struct koshu_tree *tree,
                  size_t n_crit)
{
    groups->n = groups->largest = 0;
    KOSHU_TRY(tree->n <= n_crit ? add(groups, tree, 0, (uint32_t)tree->n)
                                : divide(groups, tree, &tree->cell[0], n_crit));
    if (!find_boxes(groups, tree)) return KOSHU_OK;
    KOSHU_TRY(cut_tight(groups, tree));
    (void)find_boxes(groups, tree);
    return KOSHU_OK;
}

void
koshu_groups_free(struct koshu_groups *groups)
{
    koshu_free(groups->group);
}
