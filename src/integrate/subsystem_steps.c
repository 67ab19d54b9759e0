/* SPDX-License-Identifier: MIT */
/* How long the steps of particles and groups are. */
#include <math.h>

#include "base/base.h"
#include "integrate/hermite.h"
#include "integrate/subsystem_engine.h"
#include "kernels/steps.h"

static koshu_status
check_step(const struct koshu_subsystem_engine *e, size_t k)
{
    if (e->p.step[k] > 0) return KOSHU_OK;
    return koshu_fail(e->context, KOSHU_ERROR_BAD_INPUT,
                      "particle %zu needs a step shorter than a tick, %g: give "
                      "a regularisation larger than %g, or a smaller dt",
                      k, e->task.tick, e->groups->options.distance);
}

/*
 * The square of the time in which member m of the block comes no more than half
 * way to its nearest neighbour, in ticks; at their relative speed, or the usual
 * one, as what comes from further off may be faster. Where two light ones run
 * head on in the field of all others, neither the force nor its derivatives
 * show it before they are near.
 */
static double
half_way2(const struct koshu_subsystem_engine *e, size_t m)
{
    const struct koshu_subsystems *g = e->groups;
    const struct koshu_jerk_result *r = &e->step.result[m];
    const double tick = e->task.tick;
    double v2 = 0;
    if (r->nearest == KOSHU_NO_INDEX || g->mass[r->nearest] == 0)
        return INFINITY;
    const struct koshu_subsystem_place at = koshu_subsystems_predict(
            g, r->nearest, koshu_subsystems_time(g, e->now));
    for (int d = 0; d < 3; d++) {
        const double v = at.v[d] - e->step.end[m].v[d];
        v2 += v * v;
    }
    v2 = fmax(v2, g->speed * g->speed);
    return 0.25 * r->nearest_r2 / (v2 * tick * tick);
}

koshu_status
koshu_subsystem_choose_steps(struct koshu_subsystem_engine *e)
{
    const struct koshu_block_task *t = &e->task;
    for (size_t m = 0; m < e->step.n; m++) {
        const size_t k = e->step.members[m];
        const double dt2 =
                koshu_block_step_criterion(&e->step, &e->p, m, t->eta);
        e->p.step[k] = koshu_next_step(
                e->p.step[k], e->now, t->longest,
                fmin(dt2 / (t->tick * t->tick), half_way2(e, m)));
        KOSHU_TRY(check_step(e, k));
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystem_first_step(struct koshu_subsystem_engine *e, size_t m)
{
    const size_t k = e->step.members[m];
    const double per_tick = e->eta_start / e->task.tick,
                 scale2 = koshu_hermite_time_scale2(&e->p, k, e->step.external);
    uint64_t step =
            koshu_first_step(e->task.longest, fmin(scale2 * per_tick * per_tick,
                                                   half_way2(e, m)));
    while (step > 0 && e->now % step != 0) step >>= 1;
    e->p.step[k] = step;
    return check_step(e, k);
}
