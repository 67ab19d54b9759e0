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
koshu_take_stop_file(struct koshu_simulation *s, bool *found)
{
    char path[KOSHU_PATH_SIZE];
    *found = false;
    if (!s->values->stop_file[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(s->context, s->values->directory,
                                s->values->stop_file, path));
    if (access(path, F_OK) != 0) return KOSHU_OK;
    /* else it would stop another run */
    KOSHU_TRY(koshu_run_lock_check(s->lock));
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

/* Flags that ranks exchange after a step: any rank may have received a request,
 * rank 0 checks wall clock and directory. */
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

koshu_status
koshu_find_stop(struct koshu_simulation *s, bool *checkpoint)
{
    unsigned seen;
    koshu_status status = check_requests(s, &seen);
    KOSHU_TRY(koshu_collective_status(s->context, status, &seen));
    if (s->integrator->clock.time == s->values->integrator.end)
        s->stop = KOSHU_STOP_END;
    else if (seen & REQUESTED)
        s->stop = KOSHU_STOP_REQUEST;
    else if (seen & FILE_FOUND)
        s->stop = KOSHU_STOP_FILE;
    else if (seen & OUT_OF_TIME)
        s->stop = KOSHU_STOP_WALL_CLOCK;
    else
        s->stop = s->criterion;
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
