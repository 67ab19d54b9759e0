/* SPDX-License-Identifier: MIT */
/* Builds a tree from particles, stage by stage. */
#include "tree/find.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

/* The arrays of particles, in one allocation; each begins at a cache line. */
static koshu_status
reserve(struct koshu_tree *t, size_t n)
{
    const size_t line = 16, bytes = 6 * sizeof(uint64_t) + 3 * sizeof(uint32_t);
    const size_t length = (n + line - 1) / line * line;
    if (n <= t->capacity) return KOSHU_OK;
    koshu_free(t->key);
    t->capacity = 0;
    t->key = koshu_alloc(length, bytes);
    if (!t->key)
        return koshu_fail_memory(t->context, length * bytes,
                                 "particles of a tree");
    t->key_other = t->key + length;
    t->x = (double *)(t->key_other + length);
    t->y = t->x + length;
    t->z = t->y + length;
    t->mass = t->z + length;
    t->order = (uint32_t *)(t->mass + length);
    t->order_other = t->order + length;
    t->spare = t->order_other + length;
    t->capacity = length;
    return KOSHU_OK;
}

koshu_status
koshu_tree_check_size(struct koshu_context *context, size_t n,
                      const char *where)
{
    if (n < UINT32_MAX) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "a tree of %zu particles: fewer than 2^32 - 1 are "
                      "possible on one %s",
                      n, where);
}

koshu_status
koshu_tree_name_culprit(struct koshu_context *context, size_t n,
                        const double *x, const double *y, const double *z)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || !isfinite(z[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu of a tree is at (%g, %g, %g)", i,
                              x[i], y[i], z[i]);
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "particles of a tree are further from each other than a "
                      "double can tell");
}

koshu_status
koshu_tree_name_units(struct koshu_context *context, koshu_status status,
                      size_t n, const double *mass, double side, double eps)
{
    for (size_t i = 0; status == KOSHU_ERROR_NOT_FINITE && i < n; i++)
        if (!isfinite(mass[i]))
            return koshu_fail(context, status,
                              "particle %zu of a tree has the mass %g", i,
                              mass[i]);
    if (status != KOSHU_ERROR_UNSUPPORTED) return status;
    return koshu_fail(context, status,
                      "a tree in a box of %g with softening %g and such "
                      "masses: " KOSHU_TREE_NO_UNITS,
                      side, eps);
}

static koshu_status
choose_units(struct koshu_tree *t, const struct koshu_tree_box *box,
             const double *mass, int threads)
{
    const double side = fmax(box->side, t->images.extent);
    if (!t->own_units && t->units.length > 0) return KOSHU_OK;
    t->units = (struct koshu_tree_units){1, 1};
    if (!t->own_units) return KOSHU_OK;
    const struct koshu_tree_masses masses =
            koshu_tree_masses_of(t->n, mass, threads);
    const koshu_status status =
            koshu_tree_units_of(side, t->eps, t->n, &masses, &t->units);
    return koshu_tree_name_units(t->context, status, t->n, mass, side, t->eps);
}

static void
gather(struct koshu_tree *t, const double *x, const double *y, const double *z,
       const double *mass, int threads)
{
    const double per_length = 1 / t->units.length, per_mass = 1 / t->units.mass;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < t->n; k++) {
        const size_t i = t->order[k];
        t->x[k] = x[i] * per_length;
        t->y[k] = y[i] * per_length;
        t->z[k] = z[i] * per_length;
        if (mass) t->mass[k] = mass[i] * per_mass;
    }
}

/* Seconds since *time, which is set to now. */
static double
lap(double *time)
{
    double before = *time;
    *time = koshu_now();
    return *time - before;
}

koshu_status
koshu_tree_cut(struct koshu_tree *tree, size_t n, const double *x,
               const double *y, const double *z, const double *mass,
               struct koshu_tree_seconds *seconds)
{
    struct koshu_tree *t = tree;
    const int threads = koshu_region_threads(t->context, n > 1 << 13);
    double time = koshu_now();
    KOSHU_TRY(koshu_tree_check_size(t->context, n, "rank"));
    if (t->options.n_leaf == 0) t->options.n_leaf = KOSHU_N_LEAF;
    if (t->options.space_filling_curve == KOSHU_SPACE_FILLING_CURVE_AUTO)
        t->options.space_filling_curve = KOSHU_SPACE_FILLING_CURVE_MORTON;
    KOSHU_TRY(reserve(t, n));
    t->n = n;
    struct koshu_tree_box box;
    if (koshu_tree_box_of(n, x, y, z, threads, &box) != KOSHU_OK)
        return koshu_tree_name_culprit(t->context, n, x, y, z);
    if (t->root.side > 0) box = t->root;
    KOSHU_TRY(choose_units(t, &box, mass, threads));
    koshu_tree_keys(&box, t->options.space_filling_curve, n, x, y, z, threads,
                    t->key);
    for (size_t i = 0; i < n; i++) t->order[i] = (uint32_t)i;
    seconds->keys = lap(&time);
    koshu_sort_keys(n, t->key, t->order, t->key_other, t->order_other, threads);
    gather(t, x, y, z, mass, threads);
    seconds->sort = lap(&time);
    KOSHU_TRY(koshu_tree_build(t));
    seconds->build = lap(&time);
    seconds->moments = 0;
    return KOSHU_OK;
}

koshu_status
koshu_tree_make(struct koshu_tree *tree, size_t n, const double *x,
                const double *y, const double *z, const double *mass,
                struct koshu_tree_seconds *seconds)
{
    KOSHU_TRY(koshu_tree_cut(tree, n, x, y, z, mass, seconds));
    double time = koshu_now();
    KOSHU_TRY(koshu_tree_moments(tree));
    seconds->moments = lap(&time);
    return KOSHU_OK;
}

koshu_status
koshu_tree_divide(struct koshu_tree *tree, const struct koshu_tree *of,
                  uint32_t first, uint32_t n)
{
    struct koshu_tree *t = tree;
    KOSHU_TRY(reserve(t, n));
    t->n = n;
    t->units = of->units;
    memcpy(t->key, of->key + first, n * sizeof *t->key);
    memcpy(t->x, of->x + first, n * sizeof *t->x);
    memcpy(t->y, of->y + first, n * sizeof *t->y);
    memcpy(t->z, of->z + first, n * sizeof *t->z);
    memcpy(t->mass, of->mass + first, n * sizeof *t->mass);
    for (uint32_t k = 0; k < n; k++) t->order[k] = k;
    KOSHU_TRY(koshu_tree_build(t));
    return koshu_tree_moments(t);
}

void
koshu_tree_free(struct koshu_tree *tree)
{
    koshu_free(tree->key);
    koshu_free(tree->cell);
    koshu_free(tree->moments);
    koshu_free(tree->place.x);
    koshu_free(tree->sums);
    koshu_free(tree->level);
    koshu_free(tree->split);
}
