/* SPDX-License-Identifier: MIT */
/*
 * Moves expensive groups ahead of the block steps.
 *
 * A group is needed next when it, or a particle that perturbs it, has completed
 * its step. Until then nothing that it depends on changes, unless particles
 * join or leave groups. A helper thread therefore moves a copy of the group to
 * that time while other blocks are computed. The result is the same as if the
 * group had been moved when needed. The copy is dropped if its perturbers
 * change, if pairs beside it move, or if the group is needed at another time.
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

/* The tick at which it is needed next. */
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
    /* done without helpers too, so that results are the same to the last bit */
    koshu_subsystems_show_pairs(g);
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
