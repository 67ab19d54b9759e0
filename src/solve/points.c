/* SPDX-License-Identifier: MIT */
/* Checks points, charges and arrays for results. */
#include "solve/points.h"

#include <math.h>

#include "base/base.h"

KOSHU_DEFINE_DEFAULT(koshu_laplace_points, .n_rhs = 1)
KOSHU_DEFINE_DEFAULT(koshu_laplace_result, .potential = NULL)
KOSHU_DEFINE_DEFAULT(koshu_laplace_velocity, .x = NULL)

enum { MAX_RHS = 1024 };

koshu_status
koshu_check_all_or_none(struct koshu_context *context, size_t n,
                        const double *const *component, const char *name)
{
    size_t given = 0;
    for (size_t k = 0; k < n; k++) given += component[k] != NULL;
    if (given == 0 || given == n) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%zu of the %zu components of the %s are NULL; give all "
                      "or none",
                      n - given, n, name);
}

static koshu_status
check_arrays(struct koshu_context *context,
             const struct koshu_laplace_points *p, bool charge,
             const char *which)
{
    const double *const dipole[] = {p->dipole_x, p->dipole_y, p->dipole_z};
    KOSHU_TRY(koshu_check_all_or_none(context, 3, dipole, "dipoles"));
    if (p->n == 0 ||
        (p->x && p->y && p->z && (p->charge || p->dipole_x || !charge)))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "an array of %zu %s is NULL", p->n, which);
}

static koshu_status
check_n_rhs(struct koshu_context *context, size_t n_rhs)
{
    if (n_rhs >= 1 && n_rhs <= MAX_RHS) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%zu right-hand sides of sums of 1 / r: there must be "
                      "from 1 to %d; begin with koshu_laplace_points_default()",
                      n_rhs, MAX_RHS);
}

static koshu_status
check_result(struct koshu_context *context,
             const struct koshu_laplace_result *r)
{
    const double *const gradient[] = {r->gradient_x, r->gradient_y,
                                      r->gradient_z};
    const double *const hessian[] = {r->hessian_xx, r->hessian_xy,
                                     r->hessian_xz, r->hessian_yy,
                                     r->hessian_yz, r->hessian_zz};
    KOSHU_TRY(koshu_check_all_or_none(context, 3, gradient, "gradient"));
    return koshu_check_all_or_none(context, 6, hessian, "Hessian");
}

koshu_status
koshu_read_points(struct koshu_context *context,
                  const struct koshu_laplace_points *sources,
                  const struct koshu_laplace_points *targets,
                  const struct koshu_laplace_result *result,
                  struct koshu_laplace_sets *sets)
{
    struct koshu_laplace_sets *s = sets;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_laplace_points, sources,
                                 &s->sources));
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_laplace_points,
                                 targets ? targets : sources, &s->targets));
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_laplace_result, result,
                                 &s->result));
    KOSHU_TRY(check_n_rhs(context, s->sources.n_rhs));
    KOSHU_TRY(check_arrays(context, &s->sources, true, "sources"));
    KOSHU_TRY(check_arrays(context, &s->targets, false, "targets"));
    return check_result(context, &s->result);
}

/* Checks the strengths of n points in all right-hand sides; NULL: none. */
static koshu_status
check_strengths(struct koshu_context *context, size_t n, size_t all,
                const double *strength, const char *name)
{
    for (size_t i = 0; strength && i < all; i++)
        if (!isfinite(strength[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "point %zu has the %s %g", i % n, name,
                              strength[i]);
    return KOSHU_OK;
}

koshu_status
koshu_check_finite(struct koshu_context *context,
                   const struct koshu_laplace_points *points, bool sources)
{
    const struct koshu_laplace_points *const p = points;
    const size_t all = sources ? p->n_rhs * p->n : 0;
    for (size_t i = 0; i < p->n; i++)
        if (!isfinite(p->x[i]) || !isfinite(p->y[i]) || !isfinite(p->z[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "point %zu has the position %g %g %g", i, p->x[i],
                              p->y[i], p->z[i]);
    KOSHU_TRY(check_strengths(context, p->n, all, p->charge, "charge"));
    KOSHU_TRY(check_strengths(context, p->n, all, p->dipole_x, "dipole"));
    KOSHU_TRY(check_strengths(context, p->n, all, p->dipole_y, "dipole"));
    return check_strengths(context, p->n, all, p->dipole_z, "dipole");
}
