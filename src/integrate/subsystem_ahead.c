/* SPDX-License-Identifier: MIT */
/*
 * Groups that take long, ahead of the blocks. A group is wanted next when it,
 * or a particle that perturbs it, has made its step; until then nothing that it
 * depends on changes, unless particles become others. So a helper, a thread of
 * its own, moves a copy there while other blocks are made. That is where the
 * group would have come to by itself. Where its perturbers change meanwhile,
 * pairs beside it are moved, or it is wanted at another time, the copy is
 * dropped.
 */
#include "integrate/subsystem_ahead.h"

#include <koshu/integrator.h>

#include "base/base.h"
#include "integrate/subsystem_helpers.h"
#include "integrate/subsystem_outside.h"

static koshu_status
go_ahead(struct koshu_subsystems *g, struct koshu_subsystem *group, double time)
{
    struct koshu_subsystem_ahead *a = group->ahead;
    const struct koshu_radius_law *law = &g->options.radius;
    if (!a) a = group->ahead = koshu_alloc(1, sizeof *a);
    if (!a) return koshu_fail_memory(g->context, sizeof *a, "a group");
    a->helpers = g->helpers;
    a->time = time;
    a->chain = group->chain;
    KOSHU_TRY(koshu_subsystems_look_outside(g, group, time, &a->outside,
                                            &a->chain));
    a->step = group->step;
    a->gbs.tolerance = g->options.tolerance;
    a->gbs.slow_down = g->options.slow_down;
    a->gbs.evaluations = 0;
    a->contact = (struct koshu_contact){law->radius > 0 ? law : NULL,
                                        KOSHU_NO_CONTACT};
    group->is_ahead = true;
    group->is_stale = false;
    koshu_subsystem_helpers_take(a);
    return KOSHU_OK;
}

static uint64_t
end_of_step(const struct koshu_subsystems *g, size_t k)
{
    return g->p->tick[k] + g->p->step[k];
}

/* When it is wanted next. */
static uint64_t
next_of(const struct koshu_subsystems *g, const struct koshu_subsystem *group)
{
    uint64_t next = end_of_step(g, group->body[0]);
    for (size_t j = 0; j < group->n_near; j++) {
        const uint64_t end = end_of_step(g, group->near[j]);
        if (end < next) next = end;
    }
    return next;
}

koshu_status
koshu_subsystems_go_ahead(struct koshu_subsystems *groups)
{
    struct koshu_subsystems *g = groups;
    const size_t n = g->n_slow;
    g->n_slow = 0;
    koshu_subsystems_show_pairs(g); /* helpers or not: bits are the same */
    if (!koshu_subsystems_have_helpers(g)) return KOSHU_OK;
    for (size_t i = 0; i < n; i++) {
        struct koshu_subsystem *group = g->slow[i];
        const uint64_t next = next_of(g, group);
        const bool kepler =
                group->n == 2 && !koshu_subsystem_is_perturbed(group);
        if (!group->is_ahead && !kepler && next <= g->base + KOSHU_TICKS)
            KOSHU_TRY(go_ahead(g, group, koshu_subsystems_time(g, next)));
    }
    return KOSHU_OK;
}
