/* SPDX-License-Identifier: MIT */
/* Begins a run: with new particles, or from a checkpoint. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "simulation/interaction.h"
#include "simulation/components.h"
#include "simulation/events.h"
#include "simulation/simulation.h"

KOSHU_DEFINE_DEFAULT(koshu_simulation_options, 0)

/* ---- all runs ------------------------------------------------------------ */

/* Creates solver, integrator and schedules, once the particles exist. */
static koshu_status
equip(struct koshu_simulation *s, double time)
{
    KOSHU_TRY(koshu_make_solver(s));
    koshu_status status = koshu_make_integrator(s, time);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_ranks_collective_status(s->context, koshu_events_begin(s)));
    koshu_universe_expand(s);
    koshu_schedules_of(s->values, s->kept.begin, &s->run.snapshot_schedule,
                       &s->run.log_schedule);
    koshu_divide_snapshots(s);
    if (s->writes_beside) koshu_writer_create(s);
    return KOSHU_OK;
}

/* Chooses the solver, once the number of particles is known. */
static koshu_status
choose_solver(struct koshu_simulation *s)
{
    const uint64_t n = koshu_particles_total(s->particles);
    koshu_status status = KOSHU_OK;
    double offset;
    if (!s->choice_kept)
        status = koshu_choose_solver_for(s->context, s->parameters, n,
                                         s->particles, &offset);
    free(s->text);
    s->text = NULL;
    if (status == KOSHU_OK)
        status = koshu_parameters_text(s->parameters, &s->text);
    return koshu_ranks_collective_status(s->context, status);
}

/* ---- a new run ----------------------------------------------------------- */

/* Overwriting a directory must not remove the file that the run starts from, or
 * the files, if it is a base name. */
static koshu_status
keep_initial_file(struct koshu_simulation *s)
{
    char *first = NULL;
    if (s->values->initial_file[0])
        KOSHU_TRY(koshu_snapshot_find(s->context, s->values->initial_file,
                                      &first));
    char *file = first ? realpath(first, NULL) : NULL;
    char *directory = realpath(s->values->directory, NULL);
    bool inside = false;
    if (file && directory) {
        *strrchr(file, '/') = '\0';
        inside = strcmp(file, directory) == 0;
    }
    free(first);
    free(file);
    free(directory);
    if (!inside) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "initial.file '%s' lies in the output directory that is "
                      "to be overwritten; choose another output.directory",
                      s->values->initial_file);
}

static koshu_status
take_directory(struct koshu_simulation *s, bool overwrite)
{
    KOSHU_TRY(koshu_run_take_directory(&s->run, overwrite));
    return overwrite && koshu_is_first_rank(s->context) ? keep_initial_file(s)
                                                        : KOSHU_OK;
}

static koshu_status
prepare_directory(struct koshu_simulation *s)
{
    KOSHU_TRY(koshu_run_clear_directory(&s->run));
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_logs_create(s));
    return koshu_interaction_keep(s);
}

/* A model is refused before it is made, a file after it has been read. */
static koshu_status
make_particles(struct koshu_simulation *s, struct koshu_snapshot_info *info)
{
    const bool is_file = s->values->initial_file[0] != '\0';
    koshu_status status = KOSHU_OK;
    size_t n;
    if (!is_file) status = koshu_initial_count(s->context, s->values, &n);
    if (!is_file && status == KOSHU_OK)
        status = koshu_require_run(s->context, s->values, n, false);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_initial_particles(s->context, s->parameters, SIZE_MAX,
                                      &s->particles, info));
    if (is_file)
        status = koshu_require_run(s->context, s->values,
                                   koshu_particles_total(s->particles), true);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
write_beginning(struct koshu_simulation *s)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context, prepare_directory(s)));
    KOSHU_TRY(koshu_output_begin(s));
    return s->values->checkpoint.first ? koshu_checkpoint_begin(s) : KOSHU_OK;
}

static koshu_status
begin_new(struct koshu_simulation *s, bool overwrite)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context,
                                            take_directory(s, overwrite)));
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(make_particles(s, &info));
    KOSHU_TRY(choose_solver(s));
    KOSHU_TRY(koshu_check_end(s->context, s->parameters, info.time));
    s->kept.begin = info.time;
    s->kept.units = info.units;
    s->kept.mass_factor = koshu_units_mass_factor(&info.units);
    s->kept.omega_m = info.omega_m;
    s->kept.omega_lambda = info.omega_lambda;
    s->kept.hubble = info.hubble;
    koshu_warn_of_lost_units(s);
    KOSHU_TRY(koshu_take_box(s, info.box_size));
    KOSHU_TRY(koshu_universe_check_density(s));
    KOSHU_TRY(equip(s, info.time));
    KOSHU_TRY(koshu_universe_begin(s));
    koshu_stage_enter(&s->stages, KOSHU_STAGE_STEPS);
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    koshu_stage_enter(&s->stages, KOSHU_STAGE_START);
    return write_beginning(s);
}

/* ---- what has changed -------------------------------------------------- */

static void
warn_of_backend(struct koshu_simulation *s, const char *old)
{
    const char *now = koshu_solver_backend(s->solver);
    if (strcmp(old, now) != 0)
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "'%s' was written with the %s backend; the run goes on with "
                  "%s, but not bit for bit",
                  s->run.newest_checkpoint, old, now);
}

/* ---- restarts ------------------------------------------------------------ */

/* Particles that are not synchronised can be synchronised only by the scheme
 * that left them so. */
static koshu_status
check_scheme(struct koshu_simulation *s)
{
    const struct koshu_integrator_clock *clock = &s->kept.clock;
    if (s->values->integrator.scheme == KOSHU_SCHEME_HERMITE ||
        clock->time == clock->synchronised)
        return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' was written between two synchronised times, and "
                      "only integrator.scheme: hermite can go on from it; or "
                      "begin with it as initial.file, where its particles are "
                      "predicted to one time",
                      s->run.newest_checkpoint);
}

static koshu_status
resume(struct koshu_simulation *s, bool changed)
{
    const struct koshu_integrator_clock *clock = &s->kept.clock;
    KOSHU_TRY(check_scheme(s));
    KOSHU_TRY(koshu_integrator_resume(s->integrator, clock));
    KOSHU_TRY(koshu_universe_begin(s));
    koshu_stage_enter(&s->stages, KOSHU_STAGE_STEPS);
    if (changed) KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    koshu_stage_enter(&s->stages, KOSHU_STAGE_START);
    s->newest_time = clock->time;
    s->run.checkpoint_step = changed ? UINT64_MAX : clock->steps;
    return KOSHU_OK;
}

/* Takes the parameters, and keeps the method that the run has chosen before. */
static koshu_status
take_parameters(struct koshu_simulation *s, const char *text, bool force,
                bool *changed)
{
    struct koshu_parameters *old = NULL;
    koshu_status status = koshu_parameters_create(s->context, &old);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse_checkpoint(
                old, s->run.newest_checkpoint, text);
    if (status == KOSHU_OK)
        status = koshu_parameters_use_units(old, &s->kept.units);
    if (status == KOSHU_OK)
        status = koshu_parameters_keep_choice(s->parameters, old,
                                              &s->choice_kept);
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY_CLEANUP(choose_solver(s));
    KOSHU_TRY_CLEANUP(koshu_run_compare_parameters(
            &s->run, old, force,
            "the particles are made already: set it back, or begin another run "
            "with --force in place of --restart, or in another "
            "output.directory",
            changed));
cleanup:
    koshu_parameters_destroy(old);
    return status;
}

/* Resumes from the checkpoint that has been read; text: its parameters. */
static koshu_status
resume_run(struct koshu_simulation *s, const char *text, bool force)
{
    const double time = s->kept.clock.time;
    bool changed;
    koshu_status status =
            koshu_parameters_use_units(s->parameters, &s->kept.units);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(take_parameters(s, text, force, &changed));
    KOSHU_TRY(koshu_check_end(s->context, s->parameters, time));
    status = koshu_require_run(s->context, s->values,
                               koshu_particles_total(s->particles), true);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(equip(s, time));
    warn_of_backend(s, s->kept.backend);
    KOSHU_TRY(resume(s, changed));
    if (koshu_is_first_rank(s->context))
        status = koshu_interaction_compare(s, force);
    if (koshu_is_first_rank(s->context) && status == KOSHU_OK)
        status = koshu_logs_open(s, force);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
go_on(struct koshu_simulation *s, bool force)
{
    char *text = NULL;
    KOSHU_TRY(koshu_ranks_collective_status(
            s->context, koshu_run_take_directory_again(&s->run)));
    koshu_status status =
            koshu_rotation_read(&s->run.rotation, s->run.newest_checkpoint,
                                &s->particles, &s->kept, &text);
    if (status == KOSHU_OK) status = resume_run(s, text, force);
    free(text);
    return status;
}

/* ---- new runs and restarts ----------------------------------------------- */

/* Copies the parameters. Finds out whether the backend is available before any
 * work is done. */
static koshu_status
prepare(struct koshu_simulation *s, const struct koshu_parameters *parameters)
{
    struct koshu_backend *backend;
    int grid[3];
    KOSHU_TRY(koshu_parameters_copy(s->context, parameters, &s->parameters));
    s->values = koshu_parameters_values(s->parameters);
    koshu_run_begin(&s->run, s->context, s->parameters);
    s->stages = koshu_stages_begin(KOSHU_STAGE_START);
    KOSHU_TRY(koshu_check_particles(s->context, s->parameters));
    KOSHU_TRY(koshu_parameters_grid(s->parameters,
                                    koshu_context_ranks(s->context), grid));
    KOSHU_TRY(koshu_ranks_arrange(s->context, grid));
    KOSHU_TRY(koshu_parameters_text(s->parameters, &s->text));
    return koshu_backend_of(s->context, &backend);
}

/* To be called right before the first step of this part of the run. */
static void
start(struct koshu_simulation *s)
{
    s->wall_steps = s->run.wall_checkpoint = koshu_now();
    koshu_stage_enter(&s->stages, KOSHU_STAGE_CALLER);
    s->part_begin = s->integrator->clock;
    if (s->part_begin.time == s->values->integrator.end)
        s->run.stop = KOSHU_STOP_END;
}

static koshu_status
open_simulation(struct koshu_context *context,
                const struct koshu_parameters *parameters,
                const struct koshu_simulation_options *given, bool restart,
                struct koshu_simulation **simulation)
{
    struct koshu_simulation_options options;
    *simulation = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_simulation_options, given,
                                 &options));
    struct koshu_simulation *s = calloc(1, sizeof *s);
    koshu_status status = KOSHU_OK;
    if (!s) status = koshu_fail_memory(context, sizeof *s, "simulation");
    if (s) s->context = context;
    if (s) s->writes_beside = options.beside;
    if (s) s->mass_loss.function = options.mass_loss;
    if (s) s->mass_loss.user = options.mass_loss_user;
    if (status == KOSHU_OK) status = prepare(s, parameters);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = koshu_run_compare_ranks(&s->run);
    if (status == KOSHU_OK)
        status = restart ? go_on(s, options.force)
                         : begin_new(s, options.overwrite);
    if (status != KOSHU_OK) {
        koshu_simulation_destroy(s);
        return status;
    }
    start(s);
    *simulation = s;
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
    return open_simulation(context, parameters, options, false, simulation);
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
    return open_simulation(context, parameters, options, true, simulation);
}
