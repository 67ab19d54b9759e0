/* SPDX-License-Identifier: MIT */
#include "simulation/simulation.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/io.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* ---- why a run stops ---------------------------------------------------- */

static const char *const stop_names[] = {"none", "end", "request", "file",
                                         "wall-clock"};
static const char *const stop_texts[] = {
        "there are steps to make", "reached its end", "a stop was requested",
        "a stop file was found", "the wall-clock limit is reached"};

KOSHU_ENUM_NAMES(koshu_stop, "a reason to stop", stop_names)

const char *
koshu_stop_text(enum koshu_stop stop)
{
    const char *text = koshu_enum_name(
            stop_texts, sizeof stop_texts / sizeof *stop_texts, stop);
    return text ? text : "?";
}

/* ---- life ---------------------------------------------------------------- */

void
koshu_simulation_destroy(struct koshu_simulation *simulation)
{
    struct koshu_simulation *s = simulation;
    if (!s) return;
    koshu_logs_close(s);
    koshu_run_lock_release(s->lock);
    koshu_integrator_destroy(s->integrator);
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_parameters_destroy(s->parameters);
    free(s->text);
    free(s);
}

const struct koshu_integrator_clock *
koshu_clock_of(const struct koshu_simulation *simulation)
{
    return &simulation->integrator->clock;
}

/* ---- checkpoints ------------------------------------------------------- */

/* The logs are rank 0's. */
static koshu_status
sync_logs(struct koshu_simulation *s)
{
    koshu_status status = koshu_run_lock_check(s->lock);
    if (status == KOSHU_OK) status = koshu_logs_sync(s);
    return koshu_ranks_collective_status(s->context, status);
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
    struct koshu_checkpoint c = {
            .clock = *koshu_clock_of(s),
            .begin = s->begin,
            .initial_energy = s->initial_energy,
            .energy_error = s->energy_error,
            .softening = s->values->solver.softening,
            .box_size = s->box_size,
            .units = s->units,
            .snapshots = s->snapshots,
            .lost_snapshots = s->lost_snapshots,
    };
    snprintf(c.backend, sizeof c.backend, "%s",
             koshu_solver_backend(s->solver));
    koshu_logs_count(s, &c);
    KOSHU_TRY(sync_logs(s));
    KOSHU_TRY(koshu_rotation_write(s->context, s->values->directory,
                                   s->values->checkpoint.keep, s->particles, &c,
                                   s->text));
    s->part_checkpoints++;
    s->checkpoint_step = c.clock.steps;
    s->newest_time = c.clock.time;
    s->wall_checkpoint = koshu_now();
    return koshu_output_path(s->context, s->values->directory,
                             "checkpoint.hdf5", s->newest_checkpoint);
}

koshu_status
koshu_simulation_finish(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    if (s->checkpoint_step != koshu_clock_of(s)->steps)
        return koshu_simulation_checkpoint(s);
    return sync_logs(s);
}

/* ---- when to stop ------------------------------------------------------ */

koshu_status
koshu_take_stop_file(struct koshu_simulation *s, bool *found)
{
    char path[KOSHU_PATH_SIZE];
    *found = false;
    if (!s->values->stop_file[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory,
                                s->values->stop_file, path));
    if (access(path, F_OK) != 0) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(s->lock)); /* else it stops another run */
    *found = true;
    if (unlink(path) != 0)
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "cannot remove the stop file '%s': %s", path,
                  strerror(errno));
    return KOSHU_OK;
}

static bool
checkpoint_is_due(const struct koshu_simulation *s)
{
    double interval = s->values->checkpoint.interval;
    return interval > 0 && koshu_now() - s->wall_checkpoint >= interval;
}

/* What ranks exchange after a step: any may have got a request to stop, rank 0
 * checks wall clock and directory. */
enum { REQUESTED = 1, FILE_FOUND = 2, OUT_OF_TIME = 4, CHECKPOINT = 8 };

static koshu_status
check_requests(struct koshu_simulation *s, unsigned *seen)
{
    double limit = s->values->wall_clock_limit;
    double used = koshu_now() - s->wall_begin;
    bool found;
    *seen = atomic_load(&s->stop_requested) ? REQUESTED : 0;
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_take_stop_file(s, &found));
    if (found) *seen |= FILE_FOUND;
    if (limit > 0 && used + s->step_seconds >= limit) *seen |= OUT_OF_TIME;
    if (checkpoint_is_due(s)) *seen |= CHECKPOINT;
    return KOSHU_OK;
}

/* On all ranks the same. */
static koshu_status
find_stop(struct koshu_simulation *s, bool *checkpoint)
{
    unsigned seen;
    koshu_status status = check_requests(s, &seen);
    KOSHU_TRY(koshu_collective_status(s->context, status, &seen));
    if (koshu_clock_of(s)->time == s->values->integrator.end)
        s->stop = KOSHU_STOP_END;
    else if (seen & REQUESTED)
        s->stop = KOSHU_STOP_REQUEST;
    else if (seen & FILE_FOUND)
        s->stop = KOSHU_STOP_FILE;
    else if (seen & OUT_OF_TIME)
        s->stop = KOSHU_STOP_WALL_CLOCK;
    *checkpoint = s->stop == KOSHU_STOP_NONE && (seen & CHECKPOINT);
    return KOSHU_OK;
}

enum koshu_stop
koshu_simulation_stopped(const struct koshu_simulation *simulation)
{
    if (!simulation) return KOSHU_STOP_NONE;
    return simulation->stop;
}

/* No lock is taken: a signal handler may call this. */
static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomic_int takes a lock");

void
koshu_simulation_request_stop(struct koshu_simulation *simulation)
{
    if (!simulation) return;
    atomic_store(&simulation->stop_requested, 1);
}

/* ---- one step ---------------------------------------------------------- */

/* After every so many synchronised steps, so that a restart sorts when the run
 * would. */
static koshu_status
reorder(struct koshu_simulation *s)
{
    const uint64_t steps = s->values->reorder;
    if (s->values->solver.method != KOSHU_METHOD_TREE || steps == 0 ||
        koshu_clock_of(s)->synchronised_steps % steps != 0)
        return KOSHU_OK;
    return koshu_solver_reorder(s->solver, s->particles);
}

/* A synchronised step, or a part of it. */
static koshu_status
step(struct koshu_simulation *s)
{
    const struct koshu_integrator_clock before = *koshu_clock_of(s);
    double end = s->values->integrator.end;
    double forward = copysign(1, s->values->integrator.dt);
    double due =
            koshu_schedule_next(&s->snapshot_schedule, before.synchronised);
    double until = (end - due) * forward < 0 ? end : due;
    double start = koshu_now();
    KOSHU_TRY(koshu_integrator_advance(s->integrator, until,
                                       koshu_output_needs_potential(s)));
    if (koshu_clock_of(s)->synchronised_steps != before.synchronised_steps)
        KOSHU_TRY(reorder(s));
    const struct koshu_integrator_clock *after = koshu_clock_of(s);
    s->part_steps += after->steps - before.steps;
    s->part_particle_steps += after->particle_steps - before.particle_steps;
    s->step_seconds = koshu_now() - start;
    s->tree_log.stepping += s->step_seconds;
    if (after->synchronised != before.synchronised)
        KOSHU_TRY(koshu_output_write(s, before.synchronised));
    bool checkpoint = false;
    KOSHU_TRY(find_stop(s, &checkpoint));
    return checkpoint ? koshu_simulation_checkpoint(s) : KOSHU_OK;
}

/* Where to go on from, behind the message that stands. */
static koshu_status
name_checkpoint(struct koshu_simulation *s, koshu_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", koshu_context_message(s->context));
    if (s->newest_checkpoint[0])
        return koshu_fail(s->context, status,
                          "%s; --restart goes on from '%s', time %g", message,
                          s->newest_checkpoint, s->newest_time);
    return koshu_fail(s->context, status,
                      "%s; there is no checkpoint yet to restart from",
                      message);
}

koshu_status
koshu_simulation_advance(struct koshu_simulation *simulation)
{
    KOSHU_REQUIRE(NULL, simulation);
    struct koshu_simulation *s = simulation;
    if (s->stop != KOSHU_STOP_NONE || s->failed)
        return koshu_fail(s->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the run has stopped: %s",
                          s->failed ? "a step failed"
                                    : koshu_stop_text(s->stop));
    KOSHU_TRY(koshu_particles_refuse_views(s->particles, KOSHU_ACCESS_READ,
                                           "koshu_simulation_advance()"));
    koshu_status status = step(s);
    if (status == KOSHU_OK) return KOSHU_OK;
    s->failed = true;
    return name_checkpoint(s, status);
}

/* ---- how far it is ------------------------------------------------------ */

koshu_status
koshu_simulation_progress(const struct koshu_simulation *simulation,
                          struct koshu_progress *progress)
{
    KOSHU_REQUIRE(NULL, simulation);
    KOSHU_REQUIRE(simulation->context, progress);
    const struct koshu_simulation *s = simulation;
    const struct koshu_integrator_clock *clock = koshu_clock_of(s);
    const struct koshu_integrator_report *work = &s->integrator->work;
    const struct koshu_solver_report solver = koshu_solver_work(s->solver);
    double seconds = solver.seconds + work->seconds;
    struct koshu_progress p = {
            .step = clock->steps,
            .time = clock->time,
            .end = s->values->integrator.end,
            .energy_error = s->energy_error,
            .wall_seconds = koshu_now() - s->wall_begin,
            .seconds_left = -1,
            .steps = s->part_steps,
            .particle_steps = s->part_particle_steps,
            .interactions = solver.interactions + work->interactions,
            .bytes_copied = koshu_particles_bytes_copied(s->particles),
            .snapshots = s->part_snapshots,
            .log_rows = s->part_rows,
            .checkpoints = s->part_checkpoints,
            .newest_checkpoint = s->newest_checkpoint,
    };
    if (seconds > 0) p.interactions_per_s = (double)p.interactions / seconds;
    if (p.time != s->part_begin)
        p.seconds_left = (koshu_now() - s->wall_steps) * (p.end - p.time) /
                         (p.time - s->part_begin);
    return koshu_report_write(s->context, "koshu_progress", progress, &p,
                              sizeof p);
}

koshu_status
koshu_simulation_tree_errors(const struct koshu_simulation *simulation,
                             struct koshu_tree_errors *errors)
{
    KOSHU_REQUIRE(NULL, simulation);
    KOSHU_REQUIRE(simulation->context, errors);
    const struct koshu_tree_errors *last = &simulation->tree_log.last;
    return koshu_report_write(simulation->context, "koshu_tree_errors", errors,
                              last, sizeof *last);
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
