/* SPDX-License-Identifier: MIT */
/* When snapshots and rows of logs are due. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "simulation/events.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

void
koshu_schedules_of(const struct koshu_parameter_values *values, double begin,
                   struct koshu_schedule *snapshots, struct koshu_schedule *log)
{
    double forward = copysign(1, values->integrator.dt);
    *snapshots = (struct koshu_schedule){.interval = values->snapshot.interval,
                                         .begin = begin,
                                         .forward = forward,
                                         .times = values->snapshot.times};
    if (values->snapshot.redshifts.n > 0 &&
        values->flow.method == KOSHU_FLOW_METHOD_NONE) {
        snapshots->times = values->snapshot.redshifts;
        snapshots->redshifts = true;
    }
    *log = (struct koshu_schedule){.interval = values->log.interval,
                                   .begin = begin,
                                   .forward = forward};
}

/* The next of the times begin + k interval. It is computed for whole k, exactly
 * as a run that stops there computes it, and then compared, so that rounding of
 * the quotient cannot skip or repeat a time. */
static double
next_multiple(const struct koshu_schedule *s, double time)
{
    double past = (time - s->begin) * s->forward;
    /* every step: k + 1 would round to k */
    if (s->interval <= DBL_EPSILON * past)
        return nextafter(time, s->forward * INFINITY);
    double passed = floor(past / s->interval);
    double k = fmax(passed - 1, 0);
    double due;
    do {
        k += 1;
        due = s->begin + s->forward * k * s->interval;
    } while ((due - time) * s->forward <= 0);
    return due;
}

double
koshu_schedule_time(const struct koshu_schedule *s, size_t k)
{
    const double time = s->times.time[k];
    return s->redshifts ? 1 / (1 + time) : time;
}

double
koshu_schedule_next(const struct koshu_schedule *s, double time)
{
    if (s->interval > 0) return next_multiple(s, time);
    double next = s->forward * INFINITY;
    for (size_t k = 0; k < s->times.n; k++) {
        double due = koshu_schedule_time(s, k);
        if ((due - time) * s->forward > 0 && (next - due) * s->forward > 0)
            next = due;
    }
    return next;
}

bool
koshu_schedule_passed(const struct koshu_schedule *schedule, double from,
                      double to)
{
    double next = koshu_schedule_next(schedule, from);
    return (to - next) * schedule->forward >= 0;
}

bool
koshu_run_row_is_due(const struct koshu_run *run, double before, double time,
                     uint64_t steps)
{
    const struct koshu_parameter_values *v = run->values;
    if (time == v->integrator.end) return true;
    if (v->log.interval == 0) return steps % v->log.steps == 0;
    return koshu_schedule_passed(&run->log_schedule, before, time);
}

bool
koshu_run_snapshot_is_due(const struct koshu_run *run, double before,
                          double time)
{
    const struct koshu_parameter_values *v = run->values;
    return (v->snapshot.last && time == v->integrator.end) ||
           koshu_schedule_passed(&run->snapshot_schedule, before, time);
}

bool
koshu_log_is_wanted(const struct koshu_simulation *s, int k)
{
    if (k == KOSHU_ENERGY_LOG) return true;
    if (k == KOSHU_CLUSTER_LOG) return s->values->log.cluster;
    if (k == KOSHU_EVENTS_LOG) return koshu_events_are_wanted(s);
    if (k == KOSHU_ERRORS_LOG && s->values->accuracy > 0)
        return s->values->errors.steps > 0;
    return koshu_method_has_cells(s->values->solver.method) &&
           (k == KOSHU_PERFORMANCE_LOG || s->values->errors.steps > 0);
}

bool
koshu_log_is_due(const struct koshu_simulation *s, int k)
{
    if (koshu_context_ranks(s->context) == 1) return s->log[k] != NULL;
    return koshu_log_is_wanted(s, k);
}
