/* SPDX-License-Identifier: MIT */
#include "solve/points.h"

#include <math.h>

#include "base/base.h"

static koshu_status
check_arrays(struct koshu_context *context,
             const struct koshu_laplace_points *p, bool charge,
             const char *which)
{
    if (p->n == 0 || (p->x && p->y && p->z && (p->charge || !charge)))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "an array of %zu %s is NULL", p->n, which);
}

koshu_status
koshu_check_points(struct koshu_context *context,
                   const struct koshu_laplace_points *sources,
                   const struct koshu_laplace_points *targets,
                   const struct koshu_laplace_result *result)
{
    KOSHU_REQUIRE(context, sources);
    KOSHU_REQUIRE(context, result);
    KOSHU_TRY(check_arrays(context, sources, true, "sources"));
    if (targets) KOSHU_TRY(check_arrays(context, targets, false, "targets"));
    if ((targets ? targets->n : sources->n) == 0) return KOSHU_OK;
    KOSHU_REQUIRE(context, result->gradient_x);
    KOSHU_REQUIRE(context, result->gradient_y);
    KOSHU_REQUIRE(context, result->gradient_z);
    return KOSHU_OK;
}

koshu_status
koshu_check_finite(struct koshu_context *context,
                   const struct koshu_laplace_points *points, bool charges)
{
    const struct koshu_laplace_points *const p = points;
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(p->x[i]) || !isfinite(p->y[i]) || !isfinite(p->z[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "point %zu has the position %g %g %g", i, p->x[i],
                              p->y[i], p->z[i]);
        if (charges && !isfinite(p->charge[i]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "point %zu has the charge %g", i, p->charge[i]);
    }
    return KOSHU_OK;
}
