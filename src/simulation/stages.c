/* SPDX-License-Identifier: MIT */
/* Divides the wall time of a run among stages: see stages.h. */
#include "simulation/stages.h"

#include <math.h>

#include "base/base.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/* ---- the clock ----------------------------------------------------------- */

struct koshu_stages
koshu_stages_begin(enum koshu_stage stage)
{
    return (struct koshu_stages){.now = stage, .since = koshu_now()};
}

enum koshu_stage
koshu_stage_enter(struct koshu_stages *stages, enum koshu_stage stage)
{
    const enum koshu_stage before = stages->now;
    const double now = koshu_now();
    stages->seconds[before] += now - stages->since;
    stages->since = now;
    stages->now = stage;
    return before;
}

double
koshu_stage_seconds(const struct koshu_stages *stages, enum koshu_stage stage)
{
    const double running =
            stages->now == stage ? koshu_now() - stages->since : 0;
    return stages->seconds[stage] + running;
}

koshu_status
koshu_stage_run(struct koshu_simulation *s, enum koshu_stage stage,
                koshu_status (*work)(struct koshu_simulation *))
{
    const enum koshu_stage before = koshu_stage_enter(&s->stages, stage);
    const koshu_status status = work(s);
    koshu_stage_enter(&s->stages, before);
    return status;
}

/* ---- the stages of a run ------------------------------------------------- */

/* Forces are timed separately, on a device by its own clock. */
static struct koshu_run_seconds
seconds_of(const struct koshu_simulation *s)
{
    const struct koshu_stages *t = &s->stages;
    const double forces =
            koshu_solver_work(s->solver).seconds + s->integrator->work.seconds;
    const double steps = koshu_stage_seconds(t, KOSHU_STAGE_STEPS);
    return (struct koshu_run_seconds){
            .size = sizeof(struct koshu_run_seconds),
            .total = koshu_now() - s->run.wall_begin,
            .start = koshu_stage_seconds(t, KOSHU_STAGE_START),
            .forces = fmin(forces, steps),
            .steps = fmax(steps - forces, 0),
            .errors = koshu_stage_seconds(t, KOSHU_STAGE_ERRORS),
            .log = koshu_stage_seconds(t, KOSHU_STAGE_LOG),
            .snapshots = koshu_stage_seconds(t, KOSHU_STAGE_SNAPSHOTS),
            .checkpoints = koshu_stage_seconds(t, KOSHU_STAGE_CHECKPOINTS),
            .caller = koshu_stage_seconds(t, KOSHU_STAGE_CALLER),
            .hidden = koshu_writer_seconds(s->writer)};
}

KOSHU_DEFINE_REPORT(koshu_simulation_seconds, simulation, koshu_run_seconds,
                    seconds, seconds_of(simulation))
