/* SPDX-License-Identifier: MIT */
/* The charges of an FMM's sources: in the order of their tree, and in units
 * that a float can tell. */
#include <inttypes.h>
#include <math.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

static koshu_status
name_culprit(const struct koshu_tree *tree, const double *charge)
{
    for (size_t i = 0; i < tree->n; i++)
        if (!isfinite(charge[i]))
            return koshu_fail(tree->context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu of an FMM has the charge %g", i,
                              charge[i]);
    return koshu_fail(tree->context, KOSHU_ERROR_NOT_FINITE,
                      "the charges of an FMM are together more than a double "
                      "can tell");
}

/* A power of two that brings all of a right-hand side together near 1. */
static koshu_status
set_unit(const struct koshu_tree *tree, const double *charge, double *unit)
{
    double all = 0;
    for (size_t i = 0; i < tree->n; i++) all += fabs(charge[i]);
    *unit = all > 0 ? exp2(-ceil(log2(all))) : 1;
    return isfinite(all) ? KOSHU_OK : name_culprit(tree, charge);
}

static void
sort(const struct koshu_tree *tree, const double *from, double *to)
{
    const int threads = koshu_region_threads(tree->context, tree->n > 1 << 13);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < tree->n; k++) to[k] = from[tree->order[k]];
}

koshu_status
koshu_fmm_take_strengths(struct koshu_fmm_side *side,
                         const struct koshu_laplace_points *points)
{
    struct koshu_fmm_side *s = side;
    const size_t n = points->n, n_rhs = points->n_rhs;
    KOSHU_TRY(KOSHU_GROW(s, strength, n_rhs * (n + 1), s->tree.context,
                         "charges of an FMM"));
    s->cells.charge = s->strength;
    s->cells.per_charge = s->strength + n_rhs * n;
    for (size_t rhs = 0; rhs < n_rhs; rhs++) {
        const double *charge = points->charge + rhs * n;
        KOSHU_TRY(set_unit(&s->tree, charge, s->strength + n_rhs * n + rhs));
        sort(&s->tree, charge, s->strength + rhs * n);
    }
    return KOSHU_OK;
}
