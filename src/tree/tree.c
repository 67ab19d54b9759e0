/* SPDX-License-Identifier: MIT */
/* A tree from particles: the stages one after the other. */
#include "tree/tree.h"

#include <math.h>

#include "base/base.h"

static void
free_particles(struct koshu_tree *t)
{
    void *const arrays[] = {t->key,         t->key_other, t->order,
                            t->order_other, t->spare,     t->x,
                            t->y,           t->z,         t->mass};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        koshu_free(arrays[k]);
    t->key = t->key_other = NULL;
    t->order = t->order_other = t->spare = NULL;
    t->x = t->y = t->z = t->mass = NULL;
    t->capacity = 0;
}

static koshu_status
reserve(struct koshu_tree *t, size_t n)
{
    if (n <= t->capacity) return KOSHU_OK;
    free_particles(t);
    t->key = koshu_alloc(n, sizeof *t->key);
    t->key_other = koshu_alloc(n, sizeof *t->key_other);
    t->order = koshu_alloc(n, sizeof *t->order);
    t->order_other = koshu_alloc(n, sizeof *t->order_other);
    t->spare = koshu_alloc(n, sizeof *t->spare);
    t->x = koshu_alloc(n, sizeof *t->x);
    t->y = koshu_alloc(n, sizeof *t->y);
    t->z = koshu_alloc(n, sizeof *t->z);
    t->mass = koshu_alloc(n, sizeof *t->mass);
    t->capacity = n;
    if (t->key && t->key_other && t->order && t->order_other && t->spare &&
        t->x && t->y && t->z && t->mass)
        return KOSHU_OK;
    free_particles(t);
    return koshu_fail_memory(t->context, n * 60, "particles of a tree");
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

static koshu_status
choose_units(struct koshu_tree *t, const struct koshu_tree_box *box,
             const double *mass, int threads)
{
    t->units = (struct koshu_tree_units){1, 1};
    if (!t->own_units) return KOSHU_OK;
    const koshu_status status =
            koshu_tree_units_of(box, t->eps, t->n, mass, threads, &t->units);
    for (size_t i = 0; status == KOSHU_ERROR_NOT_FINITE && i < t->n; i++)
        if (!isfinite(mass[i]))
            return koshu_fail(t->context, status,
                              "particle %zu of a tree has the mass %g", i,
                              mass[i]);
    if (status != KOSHU_ERROR_UNSUPPORTED) return status;
    return koshu_fail(t->context, status,
                      "a tree in a box of %g with softening %g and such "
                      "masses: " KOSHU_TREE_NO_UNITS,
                      box->side, t->eps);
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
        t->mass[k] = mass[i] * per_mass;
    }
}

/* Seconds since *time, which becomes now. */
static double
lap(double *time)
{
    double before = *time;
    *time = koshu_now();
    return *time - before;
}

koshu_status
koshu_tree_make(struct koshu_tree *tree, size_t n, const double *x,
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
    KOSHU_TRY(koshu_tree_moments(t));
    seconds->moments = lap(&time);
    return KOSHU_OK;
}

void
koshu_tree_free(struct koshu_tree *tree)
{
    free_particles(tree);
    koshu_free(tree->cell);
    koshu_free(tree->moments);
    koshu_free(tree->place.x);
    koshu_free(tree->sums);
    koshu_free(tree->level);
    koshu_free(tree->split);
}
