/* SPDX-License-Identifier: MIT */
/* Why and when a flow stops. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "flow/flow.h"

void
koshu_flow_request_stop(struct koshu_flow *flow)
{
    if (flow) atomic_store(&flow->stop_requested, 1);
}

/* It is removed, so that it stops one run only. */
static koshu_status
take_stop_file(struct koshu_flow *f, bool *found)
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

koshu_status
koshu_flow_find_stop(struct koshu_flow *f)
{
    const double limit = f->values->wall_clock_limit,
                 interval = f->values->checkpoint.interval, now = koshu_now();
    bool file;
    KOSHU_TRY(take_stop_file(f, &file));
    if (f->time >= f->values->integrator.end)
        f->stop = KOSHU_STOP_END;
    else if (atomic_load(&f->stop_requested))
        f->stop = KOSHU_STOP_REQUEST;
    else if (file)
        f->stop = KOSHU_STOP_FILE;
    else if (limit > 0 && now - f->wall_begin + f->step_seconds >= limit)
        f->stop = KOSHU_STOP_WALL_CLOCK;
    else if (interval > 0 && now - f->wall_checkpoint >= interval)
        return koshu_flow_write_checkpoint(f);
    return KOSHU_OK;
}
