/* SPDX-License-Identifier: MIT */
/* Decides when a flow stops, and why. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/flow.h"

void
koshu_flow_request_stop(struct koshu_flow *flow)
{
    if (flow) atomic_store(&flow->stop_requested, 1);
}

koshu_status
koshu_flow_take_stop_file(struct koshu_flow *f, bool *found)
{
    char path[KOSHU_PATH_SIZE];
    *found = false;
    if (!f->values->stop_file[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_output_path(f->context, f->values->directory,
                                f->values->stop_file, path));
    if (access(path, F_OK) != 0) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(f->lock));
    *found = true;
    if (unlink(path) != 0)
        koshu_log(f->context, KOSHU_LOG_LEVEL_WARNING,
                  "cannot remove the stop file '%s': %s", path,
                  strerror(errno));
    return KOSHU_OK;
}

/* What the ranks tell each other after a step: any may have received a request
 * to stop; the first sees the stop file and the clock. */
enum { REQUESTED = 1, FILE_FOUND = 2, LATE = 4, CHECKPOINT_DUE = 8 };

static koshu_status
look(struct koshu_flow *f, unsigned *flags)
{
    const double limit = f->values->wall_clock_limit,
                 interval = f->values->checkpoint.interval, now = koshu_now();
    bool file;
    *flags = atomic_load(&f->stop_requested) ? REQUESTED : 0;
    if (!koshu_is_first_rank(f->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_flow_take_stop_file(f, &file));
    if (file) *flags |= FILE_FOUND;
    if (limit > 0 && now - f->wall_begin + f->step_seconds >= limit)
        *flags |= LATE;
    if (interval > 0 && now - f->wall_checkpoint >= interval)
        *flags |= CHECKPOINT_DUE;
    return KOSHU_OK;
}

koshu_status
koshu_flow_find_stop(struct koshu_flow *f)
{
    unsigned flags;
    const koshu_status status = look(f, &flags);
    KOSHU_TRY(koshu_collective_status(f->context, status, &flags));
    if (f->time >= f->values->integrator.end)
        f->stop = KOSHU_STOP_END;
    else if (flags & REQUESTED)
        f->stop = KOSHU_STOP_REQUEST;
    else if (flags & FILE_FOUND)
        f->stop = KOSHU_STOP_FILE;
    else if (flags & LATE)
        f->stop = KOSHU_STOP_WALL_CLOCK;
    else if (flags & CHECKPOINT_DUE)
        return koshu_flow_write_checkpoint(f);
    return KOSHU_OK;
}
