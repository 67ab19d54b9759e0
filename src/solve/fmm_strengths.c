/* SPDX-License-Identifier: MIT */
/* Stores the charges and dipoles of an FMM's sources in the order of their
 * tree, in units that keep them within the range of a float. */
#include <math.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

enum { CHARGE, DIPOLE, KINDS = DIPOLE + 3 };

/* The strengths of all points of a right-hand side; NULL: none. */
static const double *
given(const struct koshu_laplace_points *p, size_t rhs, int kind)
{
    const double *const all[KINDS] = {p->charge, p->dipole_x, p->dipole_y,
                                      p->dipole_z};
    return all[kind] ? all[kind] + rhs * p->n : NULL;
}

static koshu_status
name_culprit(struct koshu_context *context,
             const struct koshu_laplace_points *p, size_t rhs)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const double *from = given(p, rhs, kind);
        for (size_t i = 0; from && i < p->n; i++)
            if (!isfinite(from[i]))
                return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                                  "particle %zu of an FMM has the %s %g", i,
                                  kind == CHARGE ? "charge" : "dipole",
                                  from[i]);
    }
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "the charges of an FMM are together more than a double "
                      "can tell");
}

static double
sum_of(const double *x, size_t n)
{
    double all = 0;
    for (size_t i = 0; x && i < n; i++) all += fabs(x[i]);
    return all;
}

/* Chooses a power of two as unit, so that the total strength of a right-hand
 * side is near 1: charges, and dipoles divided by the length of the root. */
static koshu_status
set_unit(const struct koshu_fmm_side *side, const struct koshu_fmm_whole *whole,
         const struct koshu_laplace_points *p, size_t rhs, double *unit)
{
    double all = sum_of(given(p, rhs, CHARGE), p->n);
    for (int kind = DIPOLE; kind < KINDS; kind++)
        all += sum_of(given(p, rhs, kind), p->n) / side->cells.length[0];
    if (whole->charge > 0) all = whole->charge;
    *unit = all > 0 ? exp2(-ceil(log2(all))) : 1;
    return isfinite(all) ? KOSHU_OK : name_culprit(side->tree.context, p, rhs);
}

/* Writes values in the order of the tree; zeros if there are none. */
static void
sort(const struct koshu_tree *tree, const double *from, double *to)
{
    const int threads = koshu_region_threads(tree->context, tree->n > 1 << 13);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < tree->n; k++)
        to[k] = from ? from[tree->order[k]] : 0;
}

static void
sort_rhs(struct koshu_fmm_side *side, const struct koshu_laplace_points *p,
         size_t rhs, double *charge, double *dipole)
{
    sort(&side->tree, given(p, rhs, CHARGE), charge + rhs * p->n);
    for (size_t a = 0; p->dipole_x && a < 3; a++)
        sort(&side->tree, given(p, rhs, DIPOLE + (int)a),
             dipole + (3 * rhs + a) * p->n);
}

koshu_status
koshu_fmm_take_strengths(struct koshu_fmm_side *side,
                         const struct koshu_fmm_whole *whole,
                         const struct koshu_laplace_points *points)
{
    struct koshu_fmm_side *s = side;
    const size_t n_rhs = points->n_rhs, all = n_rhs * points->n;
    const size_t kinds = points->dipole_x ? KINDS : DIPOLE;
    KOSHU_TRY(KOSHU_GROW(s, strength, n_rhs + kinds * all, s->tree.context,
                         "charges of an FMM"));
    double *const unit = s->strength, *const charge = unit + n_rhs;
    double *const dipole = charge + all;
    for (size_t rhs = 0; rhs < n_rhs; rhs++) {
        KOSHU_TRY(set_unit(s, whole, points, rhs, unit + rhs));
        sort_rhs(s, points, rhs, charge, dipole);
    }
    s->cells.per_charge = unit;
    s->cells.charge = charge;
    s->cells.dipole = points->dipole_x ? dipole : NULL;
    return KOSHU_OK;
}
