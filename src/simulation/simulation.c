/* SPDX-License-Identifier: MIT */
/* A run from step to step, and its checkpoints. */
#include "simulation/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/events.h"
#include "simulation/mass_loss.h"
#include "solve/solve.h"

/* ---- life ---------------------------------------------------------------- */

void
koshu_simulation_destroy(struct koshu_simulation *simulation)
{
    struct koshu_simulation *s = simulation;
    if (!s) return;
    koshu_writer_destroy(s->writer);
    koshu_logs_close(s);
    koshu_run_lock_release(s->run.lock);
    koshu_integrator_destroy(s->integrator);
    koshu_external_destroy(s->external);
    koshu_mass_loss_free(&s->mass_loss);
    koshu_solver_destroy(s->solver);
    koshu_interaction_destroy(s->interaction);
    koshu_particles_destroy(s->particles);
    koshu_parameters_destroy(s->parameters);
    free(s->text);
    free(s);
}

/* ---- checkpoints ------------------------------------------------------- */

/* The logs are on rank 0. */
static koshu_status
sync_logs(struct koshu_simulation *s)
{
    koshu_status status = koshu_run_lock_check(s->run.lock);
    if (status == KOSHU_OK) status = koshu_logs_sync(s);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
put_checkpoint(struct koshu_particles *particles, struct koshu_job *job)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const struct koshu_rotation rotation = {context, job->directory, job->keep};
    koshu_status status = koshu_run_lock_check_folder(context, job->lock);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_rotation_write(&rotation, particles, &job->checkpoint,
                                job->parameters);
}

static koshu_status
end_checkpoint(struct koshu_simulation *s, const struct koshu_job *job)
{
    s->part_checkpoints++;
    s->newest_time = job->checkpoint.clock.time;
    return koshu_output_path(s->context, s->values->directory,
                             "checkpoint.hdf5", s->run.newest_checkpoint);
}

/* Fills in a checkpoint with the rows and snapshots so far. */
static koshu_status
make_checkpoint(struct koshu_simulation *s, struct koshu_job *job)
{
    struct koshu_checkpoint *c = &s->kept;
    if (s->row_pending) KOSHU_TRY(koshu_writer_settle(s, true));
    c->clock = s->integrator->clock;
    c->softening = s->solver->options.softening;
    c->velocity_factor = koshu_velocity_factor(s);
    snprintf(c->backend, sizeof c->backend, "%s",
             koshu_solver_backend(s->solver));
    koshu_logs_count(s);
    KOSHU_TRY(sync_logs(s));
    *job = (struct koshu_job){.work = put_checkpoint,
                              .end = end_checkpoint,
                              .checkpoint = *c,
                              .lock = s->run.lock,
                              .parameters = s->text,
                              .directory = s->values->directory,
                              .keep = s->values->checkpoint.keep};
    s->run.checkpoint_step = c->clock.steps;
    s->run.wall_checkpoint = koshu_now();
    return KOSHU_OK;
}

static koshu_status
write_beside(struct koshu_simulation *s)
{
    struct koshu_job job;
    KOSHU_TRY(make_checkpoint(s, &job));
    return koshu_writer_do(s, &job);
}

/* Writes a checkpoint now, by the writer too, from the present particles: the
 * caller may have changed them since the writer's last copy. */
static koshu_status
write_now(struct koshu_simulation *s)
{
    koshu_writer_renew(s->writer);
    KOSHU_TRY(write_beside(s));
    return koshu_writer_settle(s, true);
}

koshu_status
koshu_checkpoint_begin(struct koshu_simulation *s)
{
    return koshu_stage_run(s, KOSHU_STAGE_CHECKPOINTS, write_beside);
}

koshu_status
koshu_simulation_checkpoint(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    if (s->failed)
        return koshu_fail(s->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the last step failed: its particles are not to be "
                          "kept");
    return koshu_stage_run(s, KOSHU_STAGE_CHECKPOINTS, write_now);
}

koshu_status
koshu_simulation_finish(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    if (s->run.checkpoint_step != s->integrator->clock.steps)
        return koshu_simulation_checkpoint(s);
    KOSHU_TRY(koshu_writer_settle(s, true));
    return sync_logs(s);
}

/* ---- one step ---------------------------------------------------------- */

/* Sorts the store after a fixed number of synchronised steps, so that a restart
 * sorts at the same steps as the run would. */
static koshu_status
reorder(struct koshu_simulation *s)
{
    const uint64_t steps = s->values->reorder;
    if (!koshu_method_has_cells(s->values->solver.method) || steps == 0 ||
        s->integrator->clock.synchronised_steps % steps != 0)
        return KOSHU_OK;
    return koshu_solver_reorder(s->solver, s->particles);
}

/* The next time at which something is due. */
static double
next_stop(const struct koshu_simulation *s)
{
    const double end = s->values->integrator.end;
    const double due = koshu_schedule_next(&s->run.snapshot_schedule,
                                           s->integrator->clock.synchronised);
    return (end - due) * s->run.snapshot_schedule.forward < 0 ? end : due;
}

/* To be called after a synchronised step, or a part of one. */
static koshu_status
end_step(struct koshu_simulation *s,
         const struct koshu_integrator_clock *before, double start)
{
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    bool checkpoint = false;
    if (now->synchronised_steps != before->synchronised_steps) {
        KOSHU_TRY(koshu_universe_step(s, before->time));
        KOSHU_TRY(reorder(s));
    }
    KOSHU_TRY(koshu_wrap_positions(s));
    if (now->synchronised != before->synchronised)
        KOSHU_TRY(koshu_events_step(s, before->synchronised));
    s->run.step_seconds = koshu_now() - start;
    s->tree_log.stepping += s->run.step_seconds;
    if (now->synchronised != before->synchronised)
        KOSHU_TRY(koshu_output_write(s, before->synchronised));
    KOSHU_TRY(koshu_writer_settle(s, false));
    KOSHU_TRY(
            koshu_run_find_stop(&s->run, now->time, s->criterion, &checkpoint));
    return checkpoint ? koshu_checkpoint_begin(s) : KOSHU_OK;
}

/* Adds advice: the same steps would fail again. Other messages have their
 * own. */
static void
advise(const struct koshu_simulation *s, koshu_status status, size_t size,
       char *advice)
{
    const bool fixed = s->values->integrator.step == KOSHU_STEP_RULE_FIXED;
    advice[0] = '\0';
    if (s->values->integrator.scheme == KOSHU_SCHEME_ARCHAIN) return;
    const double step =
            fixed ? s->values->integrator.dt : s->values->integrator.eta;
    if (status == KOSHU_ERROR_NOT_FINITE)
        snprintf(advice, size,
                 ", and fails again unless steps are shorter: add --force "
                 "--set integrator.%s=%g",
                 fixed ? "dt" : "eta", step / 4);
}

/* Adds to the message from which checkpoint the run can continue. */
static koshu_status
name_checkpoint(struct koshu_simulation *s, koshu_status status)
{
    char message[1024], advice[128], time[64];
    snprintf(message, sizeof message, "%s", koshu_context_message(s->context));
    advise(s, status, sizeof advice, advice);
    const bool ranks_fail = status == KOSHU_ERROR_EXTERNAL &&
                            koshu_context_ranks(s->context) > 1;
    const koshu_status settled =
            ranks_fail ? status : koshu_writer_settle(s, true);
    (void)settled; /* only the first failure is reported */
    if (s->run.newest_checkpoint[0])
        return koshu_fail(s->context, status,
                          "%s; --restart goes on from '%s', time %s%s", message,
                          s->run.newest_checkpoint,
                          koshu_time_text(s->values, s->newest_time, time),
                          advice);
    return koshu_fail(s->context, status,
                      "%s; there is no checkpoint yet to restart from",
                      message);
}

static bool
needs_potential(const struct koshu_simulation *s)
{
    return koshu_output_needs_potential(s) || koshu_mass_loss_is_wanted(s);
}

koshu_status
koshu_simulation_advance(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    if (s->run.stop != KOSHU_STOP_NONE || s->failed)
        return koshu_fail(s->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the run has stopped: %s",
                          s->failed ? "a step failed"
                                    : koshu_stop_text(s->run.stop));
    KOSHU_TRY(koshu_particles_refuse_views(s->particles, KOSHU_ACCESS_READ,
                                           "koshu_simulation_advance()"));
    const struct koshu_integrator_clock before = s->integrator->clock;
    const double start = koshu_now();
    koshu_stage_enter(&s->stages, KOSHU_STAGE_STEPS);
    koshu_writer_renew(s->writer);
    koshu_status status = koshu_integrator_advance(s->integrator, next_stop(s),
                                                   needs_potential(s));
    if (status == KOSHU_OK) status = end_step(s, &before, start);
    koshu_stage_enter(&s->stages, KOSHU_STAGE_CALLER);
    if (status == KOSHU_OK) return KOSHU_OK;
    s->failed = true;
    return name_checkpoint(s, status);
}

koshu_status
koshu_simulation_evaluate(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    koshu_stage_enter(&s->stages, KOSHU_STAGE_STEPS);
    const koshu_status status = koshu_integrator_evaluate(s->integrator);
    koshu_stage_enter(&s->stages, KOSHU_STAGE_CALLER);
    /* a checkpoint of this step would have other particles */
    s->run.checkpoint_step = UINT64_MAX;
    return status;
}

/* ---- how far it is ------------------------------------------------------ */

koshu_status
koshu_simulation_progress(const struct koshu_simulation *simulation,
                          struct koshu_progress *progress)
{
    KOSHU_REQUIRE(NULL, simulation);
    KOSHU_REQUIRE(simulation->context, progress);
    const struct koshu_simulation *s = simulation;
    const struct koshu_integrator_clock *clock = &s->integrator->clock;
    const struct koshu_integrator_report *work = &s->integrator->work;
    const struct koshu_solver_report solver = koshu_solver_work(s->solver);
    double seconds = solver.seconds + work->seconds;
    struct koshu_progress p = {
            .step = clock->steps,
            .time = clock->time,
            .end = s->values->integrator.end,
            .energy_error = s->kept.energy_error,
            .wall_seconds = koshu_now() - s->run.wall_begin,
            .seconds_left = -1,
            .steps = clock->steps - s->part_begin.steps,
            .particle_steps =
                    clock->particle_steps - s->part_begin.particle_steps,
            .interactions = solver.interactions + work->interactions,
            .bytes_copied = koshu_particles_bytes_copied(s->particles),
            .snapshots = s->part_snapshots,
            .log_rows = s->part_rows,
            .checkpoints = s->part_checkpoints,
            .newest_checkpoint = s->run.newest_checkpoint,
            .energy_of_kinetic = koshu_errors_are_of_kinetic(s),
            .group_forces = work->group_forces,
            .hardest_forces = work->hardest_forces,
            .hardest_bodies = work->hardest_bodies,
            .hardest_id = work->hardest_id,
            .hardest_time = work->hardest_time,
    };
    if (seconds > 0) p.interactions_per_s = (double)p.interactions / seconds;
    if (p.time != s->part_begin.time)
        p.seconds_left =
                (koshu_now() - s->wall_steps) *
                koshu_time_between(s->values, p.time, p.end) /
                koshu_time_between(s->values, s->part_begin.time, p.time);
    return koshu_report_write(s->context, "koshu_progress", progress, &p,
                              sizeof p);
}

KOSHU_DEFINE_REPORT(koshu_simulation_tree_errors, simulation, koshu_tree_errors,
                    errors, simulation->tree_log.last)

const struct koshu_units *
koshu_simulation_units(const struct koshu_simulation *simulation)
{
    return simulation ? &simulation->kept.units : NULL;
}

struct koshu_particles *
koshu_simulation_particles(struct koshu_simulation *simulation)
{
    if (!simulation) return NULL;
    return simulation->particles;
}

struct koshu_solver *
koshu_simulation_solver(struct koshu_simulation *simulation)
{
    if (!simulation) return NULL;
    return simulation->solver;
}
