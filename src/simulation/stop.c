/* SPDX-License-Identifier: MIT */
/* Decides whether and why a run stops. */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "domain/domain.h"
#include "simulation/simulation.h"

/* ---- reasons to stop ----------------------------------------------------- */

static const char *const stop_names[] = {"none",    "end",        "request",
                                         "file",    "wall-clock", "energy",
                                         "escaped", "core"};
static const char *const stop_texts[] = {
        "there are steps to make",
        "reached its end",
        "a stop was requested",
        "a stop file was found",
        "the wall-clock limit is reached",
        "the energy error is larger than stop.energy_error",
        "more of the mass is unbound than stop.escaped_fraction",
        "the core is smaller than stop.core_radius"};

KOSHU_ENUM_NAMES(koshu_stop, "a reason to stop", stop_names)

const char *
koshu_stop_text(enum koshu_stop stop)
{
    const char *text = koshu_enum_name(
            stop_texts, sizeof stop_texts / sizeof *stop_texts, stop);
    return text ? text : "?";
}

/* ---- when to stop ------------------------------------------------------ */

koshu_status
koshu_run_take_stop_file(struct koshu_run *run, bool *found)
{
    char path[KOSHU_PATH_SIZE];
    *found = false;
    if (!run->values->stop_file[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(run->context, run->values->directory,
                                run->values->stop_file, path));
    if (access(path, F_OK) != 0) return KOSHU_OK;
    /* else it would stop another run */
    KOSHU_TRY(koshu_run_lock_check(run->lock));
    *found = true;
    if (unlink(path) != 0)
        koshu_log(run->context, KOSHU_LOG_LEVEL_WARNING,
                  "cannot remove the stop file '%s': %s", path,
                  strerror(errno));
    return KOSHU_OK;
}

static bool
checkpoint_is_due(const struct koshu_run *run)
{
    double interval = run->values->checkpoint.interval;
    return interval > 0 && koshu_now() - run->wall_checkpoint >= interval;
}

/* Flags that ranks exchange after a step: any rank may have received a request,
 * rank 0 checks wall clock and directory. */
enum { REQUESTED = 1, FILE_FOUND = 2, OUT_OF_TIME = 4, CHECKPOINT = 8 };

static koshu_status
check_requests(struct koshu_run *run, unsigned *seen)
{
    double limit = run->values->wall_clock_limit;
    double used = koshu_now() - run->wall_begin;
    bool found;
    *seen = atomic_load(&run->stop_requested) ? REQUESTED : 0;
    if (!koshu_is_first_rank(run->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_take_stop_file(run, &found));
    if (found) *seen |= FILE_FOUND;
    if (limit > 0 && used + run->step_seconds >= limit) *seen |= OUT_OF_TIME;
    if (checkpoint_is_due(run)) *seen |= CHECKPOINT;
    return KOSHU_OK;
}

koshu_status
koshu_run_find_stop(struct koshu_run *run, double time,
                    enum koshu_stop criterion, bool *checkpoint)
{
    unsigned seen;
    koshu_status status = check_requests(run, &seen);
    KOSHU_TRY(koshu_collective_status(run->context, status, &seen));
    if (time == run->values->integrator.end)
        run->stop = KOSHU_STOP_END;
    else if (seen & REQUESTED)
        run->stop = KOSHU_STOP_REQUEST;
    else if (seen & FILE_FOUND)
        run->stop = KOSHU_STOP_FILE;
    else if (seen & OUT_OF_TIME)
        run->stop = KOSHU_STOP_WALL_CLOCK;
    else
        run->stop = criterion;
    *checkpoint = run->stop == KOSHU_STOP_NONE && (seen & CHECKPOINT);
    return KOSHU_OK;
}

enum koshu_stop
koshu_simulation_stopped(const struct koshu_simulation *simulation)
{
    if (!simulation) return KOSHU_STOP_NONE;
    return simulation->run.stop;
}

/* No lock is taken: a signal handler may call this. */
static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomic_int takes a lock");

void
koshu_simulation_request_stop(struct koshu_simulation *simulation)
{
    if (!simulation) return;
    atomic_store(&simulation->run.stop_requested, 1);
}
