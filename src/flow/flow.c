/* SPDX-License-Identifier: MIT */
/* Advances a flow step by step. */
#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"

double
koshu_flow_box(const struct koshu_flow_values *v)
{
    static const double two_pi = 6.28318530717958647692;
    const bool may_be_free = v->initial == KOSHU_FLOW_INITIAL_RINGS;
    return v->box > 0 || may_be_free ? v->box : two_pi;
}

enum koshu_precision
koshu_flow_precision(const struct koshu_flow_values *v)
{
    return v->precision == KOSHU_FLOW_PRECISION_SINGLE ? KOSHU_PRECISION_SINGLE
                                                       : KOSHU_PRECISION_DOUBLE;
}

void
koshu_flow_destroy(struct koshu_flow *flow)
{
    if (!flow) return;
    if (flow->ops) flow->ops->destroy(flow->state);
    koshu_csv_log_close(flow->log);
    koshu_run_lock_release(flow->run.lock);
    koshu_turbulence_free(&flow->turbulence);
    koshu_parameters_destroy(flow->parameters);
    free(flow->text);
    free(flow);
}

/* The end of the step: dt later, or the next snapshot, row of the log or the
 * end of the run. A step is stretched by up to a thousandth to end there. */
static double
find_next(const struct koshu_flow *f)
{
    const double dt = f->values->integrator.dt;
    const double due =
            fmin(f->values->integrator.end,
                 koshu_schedule_next(&f->run.snapshot_schedule, f->time));
    const double then = f->time + dt,
                 row = koshu_schedule_next(&f->run.log_schedule, f->time);
    if (due <= f->time + 1.001 * dt) return due;
    return fabs(row - then) <= 0.001 * dt ? row : then;
}

koshu_status
koshu_flow_advance(struct koshu_flow *flow)
{
    struct koshu_flow *f = flow;
    const double before = f->time, began = koshu_now(), next = find_next(f);
    bool checkpoint;
    KOSHU_TRY(f->ops->step(f->state, next - before));
    f->time = next;
    f->steps++;
    f->run.step_seconds = koshu_now() - began;
    KOSHU_TRY(koshu_flow_write_due(f, before));
    KOSHU_TRY(koshu_run_find_stop(&f->run, f->time, KOSHU_STOP_NONE,
                                  &checkpoint));
    return checkpoint ? koshu_flow_write_checkpoint(f) : KOSHU_OK;
}

koshu_status
koshu_flow_finish(struct koshu_flow *flow)
{
    if (flow->run.checkpoint_step != flow->steps)
        KOSHU_TRY(koshu_flow_write_checkpoint(flow));
    return koshu_ranks_collective_status(
            flow->context,
            flow->log ? koshu_csv_log_sync(flow->log) : KOSHU_OK);
}

void
koshu_flow_request_stop(struct koshu_flow *flow)
{
    if (flow) atomic_store(&flow->run.stop_requested, 1);
}
