/* SPDX-License-Identifier: MIT */
/* Chooses the steps of particles and groups. */
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

/* ---- the nearest neighbour ----------------------------------------------- */

/*
 * The time, in ticks, in which member m of the block comes half way to its
 * nearest neighbour, at their relative speed or, if larger, the rms speed of
 * all, because a particle from farther off may be faster. When two light
 * particles approach head on in the field of all others, neither the force nor
 * its derivatives show it before they are near. 0: unknown.
 */
static double
half_way(const struct koshu_subsystem_engine *e, size_t m)
{
    const struct koshu_subsystems *g = e->groups;
    const struct koshu_jerk_result *r = &e->step.result[m];
    double v2 = 0;
    if (r->nearest == KOSHU_NO_INDEX || g->mass[r->nearest] == 0) return 0;
    const struct koshu_subsystem_place at = koshu_subsystems_predict(
            g, r->nearest, koshu_subsystems_time(g, e->now));
    for (int d = 0; d < 3; d++) {
        const double v = at.v[d] - e->step.end[m].v[d];
        v2 += v * v;
    }
    v2 = fmax(v2, g->speed * g->speed);
    return sqrt(r->nearest_r2 / v2) / (2 * e->task.tick);
}

void
koshu_subsystem_note_nearest(struct koshu_subsystem_engine *e, size_t m)
{
    e->clearance[e->step.members[m]] =
            (struct koshu_clearance){e->now, half_way(e, m)};
}

/* The longest step that a particle may take now, allowing for the neighbour
 * having come nearer since it was found. */
static double
limit_of(const struct koshu_subsystem_engine *e, size_t k)
{
    const struct koshu_clearance *c = &e->clearance[k];
    if (c->half_way == 0) return INFINITY;
    return c->half_way - (double)(e->now - c->tick) / 2;
}

/* Whether the neighbour found earlier still permits a step twice as long as
 * this one, even if it approaches faster than assumed; then no new search is
 * needed. */
static bool
is_clear(const struct koshu_subsystem_engine *e, size_t k, uint64_t end)
{
    const struct koshu_clearance *c = &e->clearance[k];
    const double since = (double)(end - c->tick), step = (double)e->p.step[k];
    return 2 * step <= c->half_way - since / 2 && since <= c->half_way / 2;
}

void
koshu_subsystem_look_back(struct koshu_subsystem_engine *e, uint64_t end)
{
    struct koshu_block_step *s = &e->step;
    for (size_t m = 0; m < s->n; m++)
        s->knows_nearest[m] = is_clear(e, s->members[m], end);
}

/* ---- steps --------------------------------------------------------------- */

koshu_status
koshu_subsystem_choose_steps(struct koshu_subsystem_engine *e)
{
    const struct koshu_block_task *t = &e->task;
    for (size_t m = 0; m < e->step.n; m++) {
        const size_t k = e->step.members[m];
        const double dt2 =
                koshu_block_step_criterion(&e->step, &e->p, m, t->eta);
        if (!e->step.knows_nearest[m]) koshu_subsystem_note_nearest(e, m);
        const double limit = limit_of(e, k);
        e->p.step[k] =
                koshu_next_step(e->p.step[k], e->now, t->longest,
                                fmin(dt2 / (t->tick * t->tick), limit * limit));
        KOSHU_TRY(check_step(e, k));
    }
    return KOSHU_OK;
}

koshu_status
koshu_subsystem_first_step(struct koshu_subsystem_engine *e, size_t m)
{
    const size_t k = e->step.members[m];
    const double per_tick = e->eta_start / e->task.tick, limit = limit_of(e, k),
                 scale2 = koshu_hermite_time_scale2(&e->p, k, e->step.external);
    uint64_t step = koshu_first_step(
            e->task.longest, fmin(scale2 * per_tick * per_tick, limit * limit));
    while (step > 0 && e->now % step != 0) step >>= 1;
    e->p.step[k] = step;
    return check_step(e, k);
}
