/* SPDX-License-Identifier: MIT */
/* A Kepler ellipse with semi-major axis 1 and mass 1, starting at apocentre. */
#include <math.h>

#include "base/base.h"
#include "initial/initial.h"

/* Apocentre is at 1 + e, where the speed is sqrt((1 - e) / (1 + e)). */
static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    double e = options->eccentricity, q = options->two_body_mass;
    /* fraction of the relative orbit */
    double part = body->particle == 0 ? -q : 1 - q;
    body->mass = body->particle == 0 ? 1 - q : q;
    body->x[0] = part * (1 + e);
    body->v[1] = part * sqrt((1 - e) / (1 + e));
}

static koshu_status
check(struct koshu_context *context,
      const struct koshu_initial_options *options)
{
    double e = options->eccentricity, q = options->two_body_mass;
    if (options->n != 2)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = %zu: the model two-body has n = 2", options->n);
    if (!(e >= 0 && e < 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "eccentricity = %g: it must be in [0, 1)", e);
    if (!(q > 0 && q < 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "two_body_mass = %g: it must be in (0, 1)", q);
    if (options->exact_virial)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "exact_virial: not for the model two-body, whose "
                          "eccentricity sets the energy");
    return KOSHU_OK;
}

const struct koshu_model_ops koshu_model_two_body = {
        .summary = "Kepler ellipse, semi-major axis 1, period 2 pi; n = 2",
        .check = check,
        .draw = draw,
};
