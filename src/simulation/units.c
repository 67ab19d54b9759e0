/* SPDX-License-Identifier: MIT */
/* Particles of a file in the units in which G = 1. */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* Files whose units make G = 1 were written with as many values of G as there
 * are programs: they agree to three digits. */
static const double same_g = 2e-3;

static koshu_status
scale_masses(struct koshu_particles *particles, double by)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, KOSHU_FIELD_MASS,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.mass[i] *= by;
    return koshu_particles_check(particles);
}

koshu_status
koshu_make_g_one(struct koshu_context *context, const char *file,
                 struct koshu_particles *particles, struct koshu_units *units)
{
    const double g = koshu_units_gravitational_constant(units);
    if (fabs(g - 1) <= same_g) return KOSHU_OK;
    if (!(g > 0) || !isfinite(g))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: its units of %g cm, %g g and %g cm/s make G = "
                          "%g; choose others",
                          file, units->length_cm, units->mass_g,
                          units->velocity_cm_s, g);
    KOSHU_TRY(
            koshu_ranks_collective_status(context, scale_masses(particles, g)));
    units->mass_g /= g;
    koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
              "%s: G = %.6g in its units; the run takes %.6g g for the unit of "
              "mass, in which G = 1",
              file, g, units->mass_g);
    return KOSHU_OK;
}
