/* SPDX-License-Identifier: MIT */
/* The number of cells and particles of a tree that act on a box, from shells
 * around it, each with cells of one size (Salmon 1990, section 4). */
#include <math.h>

#include "performance/performance.h"

/* ---- shells -------------------------------------------------------------- */

/* The distance beyond which a cell of side l acts as a whole: by the criteria
 * of koshu/tree.h, for a uniform cube of side 1 and mass 1, with its mean
 * acceleration. */
static double
reach(const struct koshu_tree_costs *costs, double l)
{
    const double acceleration = 1.5, nearest = 1.25;
    if (costs->alpha == 0) return l / costs->theta;
    return l * fmax(1 / nearest, pow(l / (costs->alpha * acceleration), 0.2));
}

static double
volume(const struct koshu_tree_region *box, double d)
{
    double v = 1;
    for (int c = 0; c < 3; c++)
        v *= box->side[c] + fmin(d, box->before[c]) + fmin(d, box->behind[c]);
    return v;
}

/* The side of leaves, which are half full. */
static double
leaf_side(const struct koshu_tree_costs *costs, double n)
{
    return cbrt(costs->n_leaf / (2 * n));
}

double
koshu_tree_shells(const struct koshu_tree_costs *costs, double n,
                  const struct koshu_tree_region *box)
{
    double l = leaf_side(costs, n), inner = volume(box, reach(costs, l));
    double sum = n * (inner - (box->inside ? 0 : volume(box, 0)));
    for (; l <= box->largest; l *= 2) {
        const double outer = volume(box, reach(costs, 2 * l));
        sum += (outer - inner) / (l * l * l);
        inner = outer;
    }
    return sum;
}

/* ---- lists --------------------------------------------------------------- */

/* Sources of a group at an arbitrary position in the cube, taken as one in the
 * middle with half the distance to each side. */
static double
list_of_group(const struct koshu_tree_costs *costs, double n)
{
    const double side = fmin(1, cbrt(0.75 * costs->n_crit / n)),
                 rest = (1 - side) / 2;
    const struct koshu_tree_region group = {.side = {side, side, side},
                                            .before = {rest, rest, rest},
                                            .behind = {rest, rest, rest},
                                            .largest = 0.5,
                                            .inside = true};
    return koshu_tree_shells(costs, n, &group);
}

double
koshu_tree_list_length(const struct koshu_tree_costs *costs, double n)
{
    const struct koshu_tree_list *list = costs->list;
    size_t k = 0;
    if (costs->n_lists == 0) return list_of_group(costs, n);
    while (k < costs->n_lists && list[k].n < n) k++;
    if (k < costs->n_lists && list[k].n == n) return list[k].length;
    if (k == 0 || k == costs->n_lists) {
        const struct koshu_tree_list *end = &list[k == 0 ? 0 : k - 1];
        return end->length * list_of_group(costs, n) /
               list_of_group(costs, end->n);
    }
    const double part = log(n / list[k - 1].n) / log(list[k].n / list[k - 1].n);
    return list[k - 1].length + part * (list[k].length - list[k - 1].length);
}

/* ---- domains ------------------------------------------------------------- */

/* The domain of koshu_bisect() in a uniform cube with the most others around
 * it: the larger half of each cut, if they differ. */
static struct koshu_tree_region
domain_of(int ranks)
{
    struct koshu_tree_region box = {.side = {1, 1, 1}};
    int cuts[3] = {0};
    for (int d = ranks; d > 1;) {
        const int more = d - d / 2;
        int axis = 0;
        for (int c = 1; c < 3; c++)
            if (box.side[c] > box.side[axis]) axis = c;
        box.side[axis] *= (double)more / d;
        cuts[axis]++;
        d = more;
    }
    for (int c = 0; c < 3; c++) {
        const double rest = 1 - box.side[c];
        box.before[c] = cuts[c] > 1 ? rest / 2 : 0;
        box.behind[c] = rest - box.before[c];
    }
    box.largest = fmax(box.side[0], fmax(box.side[1], box.side[2]));
    return box;
}

double
koshu_tree_boundary(const struct koshu_tree_costs *costs, double n, int ranks)
{
    if (ranks < 2) return 0;
    const struct koshu_tree_region box = domain_of(ranks);
    return koshu_tree_shells(costs, n, &box) + (ranks - 1);
}

/* As in domain/bisection.c: each level cuts all parts at once, with three
 * histograms per part, of the whole part and around its previous cut. Before,
 * if there are several levels, the middle of the root cube is found along the
 * two axes that the first level does not cut. */
double
koshu_tree_passes(int ranks, double *bytes)
{
    const double all_bins = 1 << 15, max_bins = 512, min_bins = 16, zooms = 3;
    double passes = 0;
    *bytes = 0;
    for (double parts = 1; parts < ranks; parts *= 2) {
        const double bins = fmax(min_bins, fmin(max_bins, all_bins / parts));
        passes += 1;
        *bytes += zooms * parts * bins * sizeof(uint64_t);
    }
    if (ranks <= 2) return passes;
    *bytes += 2 * zooms * max_bins * sizeof(uint64_t);
    return passes + 2;
}
