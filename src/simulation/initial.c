/* SPDX-License-Identifier: MIT */
/* The initial particles of a run, and whether the run can reach its end. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/components.h"
#include "simulation/simulation.h"

/* ---- the end ------------------------------------------------------------- */

/* Refuses steps and intervals so short that adding them does not change the
 * time. */
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
    const double shortest =
            16 * DBL_EPSILON * (koshu_is_comoving(v) ? 1 : fabs(begin));
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
    char place[512], end[64], from[64];
    koshu_parameters_place(parameters, "integrator.end", place, sizeof place);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%sintegrator.end: %s does not lie ahead: the run "
                      "begins at time %s and dt = %.6g",
                      place, koshu_time_text(v, v->integrator.end, end),
                      koshu_time_text(v, begin, from), v->integrator.dt);
}

/* Snapshots before the beginning are not written. */
static void
warn_of_early_snapshots(struct koshu_context *context,
                        const struct koshu_parameters *parameters, double begin)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    struct koshu_schedule snapshots, log;
    char place[512], early[64], from[64];
    koshu_schedules_of(v, begin, &snapshots, &log);
    const char *key = snapshots.redshifts ? "output.snapshot.redshifts"
                                          : "output.snapshot.times";
    const double rounding = 1e-9 * fabs(begin);
    for (size_t k = 0; k < snapshots.times.n; k++) {
        const double time = koshu_schedule_time(&snapshots, k);
        if ((time - begin) * snapshots.forward >= -rounding) continue;
        koshu_parameters_place(parameters, key, place, sizeof place);
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s%s: no snapshot is written at %s, as the run begins at "
                  "%s: leave it out, or begin earlier",
                  place, key, koshu_time_text(v, time, early),
                  koshu_time_text(v, begin, from));
    }
}

/* ---- particles ----------------------------------------------------------- */

static koshu_status
make_model(struct koshu_context *context,
           const struct koshu_parameter_values *values, size_t n,
           struct koshu_particles **particles, struct koshu_snapshot_info *info)
{
    struct koshu_initial_options options = values->initial;
    double total_mass;
    options.n = n;
    KOSHU_TRY(koshu_size_model(context, values, &options, &total_mass));
    *info = koshu_snapshot_info_default();
    info->units = values->units;
    KOSHU_TRY(koshu_initial_create(context, &options, particles));
    return koshu_scale_model(context, values, total_mass, *particles);
}

static koshu_status
make_components(struct koshu_context *context,
                const struct koshu_parameter_values *v, size_t max,
                struct koshu_particles **particles,
                struct koshu_snapshot_info *info)
{
    *info = koshu_snapshot_info_default();
    info->units = v->units;
    return koshu_make_components(context, v->components, v->initial.seed,
                                 &v->units, max, particles);
}

static koshu_status
read_file(struct koshu_context *context, struct koshu_parameters *parameters,
          struct koshu_particles **particles, struct koshu_snapshot_info *info)
{
    const struct koshu_parameter_values *values =
            koshu_parameters_values(parameters);
    const char *file = values->initial_file;
    KOSHU_TRY(koshu_snapshot_read(context, file, info, particles));
    KOSHU_TRY(koshu_ranks_collective_status(
            context, koshu_universe_check(context, values, info)));
    if (info->box_size > 0 && values->boundary == KOSHU_BOUNDARY_ISOLATED)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: a box of %g, but forces are not periodic: the bodies "
                  "are alone in space",
                  file, info->box_size);
    return koshu_ranks_collective_status(
            context, koshu_convert_file(context, parameters, *particles, info));
}

koshu_status
koshu_initial_particles(struct koshu_context *context,
                        struct koshu_parameters *parameters, size_t max,
                        struct koshu_particles **particles,
                        struct koshu_snapshot_info *info)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    const size_t n = v->initial.n < max ? v->initial.n : max;
    *particles = NULL;
    koshu_status status;
    if (v->initial_file[0])
        status = read_file(context, parameters, particles, info);
    else if (v->components[0])
        status = make_components(context, v, max, particles, info);
    else
        status = make_model(context, v, n, particles, info);
    if (status == KOSHU_OK) {
        warn_of_early_snapshots(context, parameters, info->time);
        return KOSHU_OK;
    }
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
