/* SPDX-License-Identifier: MIT */
/* What a new run begins with, and whether it can end. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* ---- the end ------------------------------------------------------------- */

/* Steps and schedules that rounding swallows would never get on. */
static koshu_status
check_intervals(struct koshu_context *context,
                const struct koshu_parameters *parameters, double begin)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    const struct {
        const char *key;
        double interval;
    } all[] = {{"integrator.dt", v->integrator.dt},
               {"output.log.interval", v->log.interval},
               {"output.snapshot.interval", v->snapshot.interval}};
    const double shortest = 16 * DBL_EPSILON * fabs(begin);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (all[k].interval == 0 || fabs(all[k].interval) >= shortest) continue;
        char place[512];
        koshu_parameters_place(parameters, all[k].key, place, sizeof place);
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s%s: %g is lost beside time %g, where the run "
                          "begins; make it %.2g or more",
                          place, all[k].key, all[k].interval, begin, shortest);
    }
    return KOSHU_OK;
}

koshu_status
koshu_check_end(struct koshu_context *context,
                const struct koshu_parameters *parameters, double begin)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    if ((v->integrator.end - begin) * v->integrator.dt >= 0)
        return check_intervals(context, parameters, begin);
    char place[512];
    koshu_parameters_place(parameters, "integrator.end", place, sizeof place);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%sintegrator.end: %g does not lie ahead: the run "
                      "begins at time %g and dt = %g",
                      place, v->integrator.end, begin, v->integrator.dt);
}

/* ---- units -------------------------------------------------------------- */

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

/*
 * The forces are those of G = 1. In units of a file that make another G, masses
 * are multiplied by it, and *units gets the unit of mass that they are in then:
 * the same bodies, with the same accelerations, lengths and velocities.
 */
static koshu_status
make_g_one(struct koshu_context *context, const char *file,
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

/* ---- particles ----------------------------------------------------------- */

koshu_status
koshu_initial_particles(struct koshu_context *context,
                        const struct koshu_parameter_values *values,
                        struct koshu_particles **particles,
                        struct koshu_snapshot_info *info)
{
    const char *file = values->initial_file;
    if (!file[0]) {
        *info = koshu_snapshot_info_default();
        return koshu_initial_create(context, &values->initial, particles);
    }
    KOSHU_TRY(koshu_snapshot_read(context, file, info, particles));
    if (info->box_size > 0 && values->boundary == KOSHU_BOUNDARY_ISOLATED)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: a box of %g, but forces are not periodic: the bodies "
                  "are alone in space",
                  file, info->box_size);
    koshu_status status = make_g_one(context, file, *particles, &info->units);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
