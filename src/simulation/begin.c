/* SPDX-License-Identifier: MIT */
/* How a run begins: with new particles, or from a checkpoint. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "io/io.h"
#include "parameters/parameters.h"
#include "simulation/simulation.h"

/* ---- what new and restarted runs have in common -------------------------- */

void
koshu_simulation_options_set_defaults(struct koshu_simulation_options *options,
                                      size_t size)
{
    static const struct koshu_simulation_options defaults;
    if (!options) return;
    koshu_options_write_defaults(options, size, &defaults, sizeof defaults);
}

static koshu_status
read_options(struct koshu_context *context,
             const struct koshu_simulation_options *given,
             struct koshu_simulation_options *options)
{
    return koshu_options_read(context, "koshu_simulation_options", given,
                              options, sizeof *options);
}

/* A simulation with its own copy of the parameters, and nothing else; but a
 * backend that cannot be had is found before there is any work. */
static koshu_status
allocate(struct koshu_context *context,
         const struct koshu_parameters *parameters,
         struct koshu_simulation **simulation)
{
    *simulation = NULL;
    struct koshu_simulation *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "simulation");
    s->context = context;
    s->wall_begin = koshu_now();
    s->checkpoint_step = UINT64_MAX;
    koshu_status status =
            koshu_parameters_copy(context, parameters, &s->parameters);
    if (status == KOSHU_OK) status = koshu_parameters_check(s->parameters);
    if (status == KOSHU_OK)
        status = koshu_parameters_text(s->parameters, &s->text);
    struct koshu_backend *backend;
    if (status == KOSHU_OK) status = koshu_backend_of(context, &backend);
    if (status != KOSHU_OK) {
        koshu_simulation_destroy(s);
        return status;
    }
    s->values = koshu_parameters_values(s->parameters);
    *simulation = s;
    return KOSHU_OK;
}

void
koshu_schedules_of(const struct koshu_parameter_values *values, double begin,
                   struct koshu_schedule *snapshots, struct koshu_schedule *log)
{
    double forward = copysign(1, values->integrator.dt);
    *snapshots = (struct koshu_schedule){.interval = values->snapshot.interval,
                                         .begin = begin,
                                         .forward = forward,
                                         .times = values->snapshot.times};
    *log = (struct koshu_schedule){.interval = values->log.interval,
                                   .begin = begin,
                                   .forward = forward};
}

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

/* Solver, integrator and schedules, once the particles are there. */
static koshu_status
equip(struct koshu_simulation *s, double time)
{
    koshu_status status =
            koshu_solver_create(s->context, &s->values->solver, &s->solver);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    status = koshu_parameters_integrator(s->parameters, &options);
    if (status == KOSHU_OK)
        status = koshu_integrator_create(s->solver, s->particles, time,
                                         &options, &s->integrator);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    koshu_schedules_of(s->values, s->begin, &s->snapshot_schedule,
                       &s->log_schedule);
    return KOSHU_OK;
}

static void
start_clocks(struct koshu_simulation *s)
{
    s->wall_steps = s->wall_checkpoint = koshu_now();
    s->part_begin = koshu_clock_of(s)->time;
    if (s->part_begin == s->values->integrator.end) s->stop = KOSHU_STOP_END;
}

/* ---- a new run --------------------------------------------------------- */

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
    if (info->box_size > 0)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: a box of %g, but forces are not periodic: the bodies "
                  "are alone in space",
                  file, info->box_size);
    koshu_status status =
            koshu_make_g_one(context, file, *particles, &info->units);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}

/* Overwriting a directory must not remove what the run was made from. */
static koshu_status
keep_initial_file(struct koshu_simulation *s)
{
    char *file = realpath(s->values->initial_file, NULL);
    char *directory = realpath(s->values->directory, NULL);
    bool inside = false;
    if (file && directory) {
        *strrchr(file, '/') = '\0';
        inside = strcmp(file, directory) == 0;
    }
    free(file);
    free(directory);
    if (!inside) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "initial.file '%s' lies in the output directory that is "
                      "to be overwritten; choose another output.directory",
                      s->values->initial_file);
}

/* Rank 0 alone reads and writes the output directory. No other process does
 * from here on: what is found now holds until the run ends. */
static koshu_status
take_directory(struct koshu_simulation *s, bool overwrite)
{
    const char *directory = s->values->directory;
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_take(s->context, directory, true, &s->lock));
    return overwrite ? keep_initial_file(s)
                     : koshu_output_refuse(s->context, directory);
}

static koshu_status
prepare_directory(struct koshu_simulation *s)
{
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(s->lock));
    KOSHU_TRY(koshu_output_clear(s->context, s->values->directory));
    KOSHU_TRY(koshu_logs_create(s));
    bool for_another; /* an earlier run, which ended before it saw the file */
    return koshu_take_stop_file(s, &for_another);
}

/* A model is refused before it is made, a file once the particles are read. */
static koshu_status
make_particles(struct koshu_simulation *s, struct koshu_snapshot_info *info)
{
    const bool is_file = s->values->initial_file[0] != '\0';
    koshu_status status = KOSHU_OK;
    if (!is_file)
        status = koshu_require_run(s->context, s->values, s->values->initial.n,
                                   false);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_initial_particles(s->context, s->values, &s->particles,
                                      info));
    if (is_file)
        status = koshu_require_run(s->context, s->values,
                                   koshu_particles_total(s->particles), true);
    return koshu_ranks_collective_status(s->context, status);
}

/* The first row, snapshot and checkpoint. */
static koshu_status
write_beginning(struct koshu_simulation *s)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context, prepare_directory(s)));
    KOSHU_TRY(koshu_output_begin(s));
    return s->values->checkpoint.first ? koshu_simulation_checkpoint(s)
                                       : KOSHU_OK;
}

static koshu_status
begin_new(struct koshu_simulation *s, bool overwrite)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context,
                                            take_directory(s, overwrite)));
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(make_particles(s, &info));
    KOSHU_TRY(koshu_check_end(s->context, s->parameters, info.time));
    s->begin = info.time;
    s->box_size = info.box_size;
    s->units = info.units;
    KOSHU_TRY(equip(s, info.time));
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    KOSHU_TRY(write_beginning(s));
    start_clocks(s);
    return KOSHU_OK;
}

koshu_status
koshu_simulation_create(struct koshu_context *context,
                        const struct koshu_parameters *parameters,
                        const struct koshu_simulation_options *options,
                        struct koshu_simulation **simulation)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, parameters);
    KOSHU_REQUIRE(context, simulation);
    struct koshu_simulation_options o = koshu_simulation_options_default();
    KOSHU_TRY(read_options(context, options, &o));
    struct koshu_simulation *s;
    koshu_status status = allocate(context, parameters, &s);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = begin_new(s, o.overwrite);
    if (status != KOSHU_OK) koshu_simulation_destroy(s);
    *simulation = status == KOSHU_OK ? s : NULL;
    return status;
}

/* ---- from a checkpoint ------------------------------------------------- */

static koshu_status
refuse_conflict(struct koshu_simulation *s, const struct koshu_parameters *old,
                bool change_physics)
{
    const char *was, *is;
    char place[512];
    const struct koshu_key *key = koshu_parameters_conflict(
            old, s->parameters, change_physics, &was, &is);
    if (!key) return KOSHU_OK;
    koshu_parameters_place(s->parameters, key->path, place, sizeof place);
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%s%s: '%s' when '%s' was written, '%s' now; %s", place,
                      key->path, was, s->newest_checkpoint, is,
                      key->restart == KOSHU_RESTART_FORCED
                              ? "set it back, or accept the change (--force)"
                              : "the particles are made already: set it back");
}

/* A change that was forced is not silent. */
static void
warn_of_change(struct koshu_simulation *s, const struct koshu_key *key,
               const char *was, const char *is)
{
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "%s: '%s' when '%s' was written, '%s' now, as forced", key->path,
              was, s->newest_checkpoint, is);
}

static void
warn_of_backend(struct koshu_simulation *s, const char *old)
{
    const char *now = koshu_solver_backend(s->solver);
    if (strcmp(old, now) != 0)
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "'%s' was written with the %s backend; the run goes on with "
                  "%s, but not bit for bit",
                  s->newest_checkpoint, old, now);
}

/* Particles that do not stand at one time are synchronised by the scheme that
 * left them so. */
static koshu_status
check_scheme(struct koshu_simulation *s, const struct koshu_checkpoint *c)
{
    if (s->values->integrator.scheme == KOSHU_SCHEME_HERMITE ||
        c->clock.time == c->clock.synchronised)
        return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' was written between two synchronised times, and "
                      "only integrator.scheme: hermite can go on from it; or "
                      "begin with it as initial.file, where its particles are "
                      "predicted to one time",
                      s->newest_checkpoint);
}

static koshu_status
resume(struct koshu_simulation *s, const struct koshu_checkpoint *c,
       bool changed)
{
    KOSHU_TRY(check_scheme(s, c));
    KOSHU_TRY(koshu_integrator_resume(s->integrator, &c->clock));
    if (changed) KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    s->newest_time = c->clock.time;
    s->checkpoint_step = changed ? UINT64_MAX : c->clock.steps;
    return KOSHU_OK;
}

static void
take_over(struct koshu_simulation *s, const struct koshu_checkpoint *c)
{
    s->begin = c->begin;
    s->box_size = c->box_size;
    s->units = c->units;
    s->initial_energy = c->initial_energy;
    s->energy_error = c->energy_error;
    s->snapshots = c->snapshots;
}

static koshu_status
resume_run(struct koshu_simulation *s,
           const struct koshu_checkpoint *checkpoint, const char *text,
           bool force)
{
    struct koshu_parameters *old = NULL;
    koshu_status status = koshu_parameters_create(s->context, &old);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse_checkpoint(old, s->newest_checkpoint,
                                                   text);
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY_CLEANUP(refuse_conflict(s, old, force));
    const char *was, *is;
    const struct koshu_key *changed =
            koshu_parameters_conflict(old, s->parameters, false, &was, &is);
    if (changed) warn_of_change(s, changed, was, is);
    KOSHU_TRY_CLEANUP(
            koshu_check_end(s->context, s->parameters, checkpoint->clock.time));
    take_over(s, checkpoint);
    status = koshu_require_run(s->context, s->values,
                               koshu_particles_total(s->particles), true);
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY_CLEANUP(equip(s, checkpoint->clock.time));
    warn_of_backend(s, checkpoint->backend);
    KOSHU_TRY_CLEANUP(resume(s, checkpoint, changed));
    if (koshu_is_first_rank(s->context))
        status = koshu_logs_open(s, checkpoint, force);
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK) start_clocks(s);
cleanup:
    koshu_parameters_destroy(old);
    return status;
}

/* Before anything is read: what another run writes meanwhile is not its end. */
static koshu_status
take_directory_again(struct koshu_simulation *s)
{
    const char *directory = s->values->directory;
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    koshu_status status =
            koshu_run_lock_take(s->context, directory, false, &s->lock);
    if (status != KOSHU_ERROR_NOT_FOUND) return status;
    return koshu_fail(s->context, status,
                      "there is no checkpoint in '%s', and no such directory; "
                      "start without --restart, or name another "
                      "output.directory",
                      directory);
}

koshu_status
koshu_simulation_restart(struct koshu_context *context,
                         const struct koshu_parameters *parameters,
                         const struct koshu_simulation_options *options,
                         struct koshu_simulation **simulation)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, parameters);
    KOSHU_REQUIRE(context, simulation);
    struct koshu_simulation_options o = koshu_simulation_options_default();
    KOSHU_TRY(read_options(context, options, &o));
    struct koshu_simulation *s;
    struct koshu_checkpoint checkpoint;
    char *text = NULL;
    koshu_status status = allocate(context, parameters, &s);
    if (status == KOSHU_OK) status = take_directory_again(s);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = koshu_rotation_read(
                context, s->values->directory, s->values->checkpoint.keep,
                s->newest_checkpoint, &s->particles, &checkpoint, &text);
    if (status == KOSHU_OK) status = resume_run(s, &checkpoint, text, o.force);
    free(text);
    if (status != KOSHU_OK) koshu_simulation_destroy(s);
    *simulation = status == KOSHU_OK ? s : NULL;
    return status;
}
