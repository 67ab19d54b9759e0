/* SPDX-License-Identifier: MIT */
/* Checks of options that several models share, and velocities to be scaled
 * later. */
#include <math.h>

#include "base/base.h"
#include "initial/initial.h"

koshu_status
koshu_check_mass_fraction(struct koshu_context *context,
                          const struct koshu_initial_options *options)
{
    double kept = options->mass_fraction;
    if (kept > 0 && kept <= 1) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "mass_fraction = %g: it must be in (0, 1]", kept);
}

koshu_status
koshu_check_virial_ratio(struct koshu_context *context,
                         const struct koshu_initial_options *options)
{
    double ratio = options->virial_ratio;
    if (!(ratio >= 0 && isfinite(ratio)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "virial_ratio = %g: it must be finite and not "
                          "negative",
                          ratio);
    if (options->exact_virial && ratio != 0.5)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "virial_ratio = %g: exact_virial makes it 0.5, ask "
                          "for that or leave exact_virial out",
                          ratio);
    return KOSHU_OK;
}

void
koshu_draw_unscaled_velocity(const struct koshu_initial_options *options,
                             struct koshu_body *body)
{
    if (options->virial_ratio == 0) return; /* a cold start */
    koshu_random_ball(&body->velocity, body->v);
}
