/* SPDX-License-Identifier: MIT */
/* Forms and dissolves few-body groups at the end of a block. */
#include <string.h>

#include "base/base.h"
#include "integrate/subsystem_engine.h"

bool
koshu_subsystem_is_aside(const struct koshu_subsystem_engine *e, size_t k)
{
    const struct koshu_subsystem *group = e->groups->of[k];
    return e->groups->body_mass[k] == 0 || (group && group->body[0] != k);
}

koshu_status
koshu_subsystem_load(struct koshu_subsystem_engine *e)
{
    for (size_t m = 0; m < e->step.n; m++)
        e->time[m] =
                koshu_subsystems_time(e->groups, e->p.tick[e->step.members[m]]);
    return koshu_block_step_load(&e->step, &e->p, e->time);
}
/* ---- particles that entered or left groups ------------------------------- */

static void
mark_changed(struct koshu_subsystem_engine *e, size_t k)
{
    if (e->is_changed[k]) return;
    e->is_changed[k] = true;
    e->clearance[k].half_way = 0;
    e->changed[e->n_changed++] = k;
}

static void
mark_group(struct koshu_subsystem_engine *e,
           const struct koshu_subsystem *group)
{
    for (size_t i = 0; i < group->n; i++) mark_changed(e, group->body[i]);
}

koshu_status
koshu_subsystem_settle(struct koshu_subsystem_engine *e)
{
    struct koshu_block_step *s = &e->step;
    const double now = koshu_subsystems_time(e->groups, e->now);
    s->n = e->n_changed;
    memcpy(s->members, e->changed, s->n * sizeof *s->members);
    KOSHU_TRY(koshu_subsystem_load(e));
    const struct koshu_subsystem_changes changes = {e->n_changed, e->changed,
                                                    e->is_changed};
    KOSHU_TRY(koshu_subsystems_renew_near(e->groups, &changes, now));
    s->n = 0;
    for (size_t i = 0; i < e->n_changed; i++)
        if (!koshu_subsystem_is_aside(e, e->changed[i]))
            s->members[s->n++] = e->changed[i];
    memset(s->dt, 0, s->n * sizeof *s->dt);
    memset(s->knows_nearest, 0, s->n * sizeof *s->knows_nearest);
    KOSHU_TRY(koshu_block_step_make(s, &e->p, now));
    koshu_block_step_accept_sums(s, &e->p);
    for (size_t m = 0; m < s->n; m++) {
        koshu_subsystem_note_nearest(e, m);
        if (e->p.step[s->members[m]] == 0)
            KOSHU_TRY(koshu_subsystem_first_step(e, m));
    }
    for (size_t i = 0; i < e->n_changed; i++)
        e->is_changed[e->changed[i]] = false;
    e->n_changed = 0;
    return koshu_subsystem_load(e);
}
/* ---- groups that form and end -------------------------------------------- */

/* The radius used to join a group must not be larger than that used to find it
 * apart, or groups would form and dissolve again and again. */
static struct koshu_clump
cluster_of(const struct koshu_subsystems *g, size_t k)
{
    const struct koshu_block_particles *p = g->p;
    const struct koshu_subsystem *group = g->of[k];
    struct koshu_clump c = {.mass = g->mass[k],
                            .x = {p->x[k], p->y[k], p->z[k]},
                            .v = {p->vx[k], p->vy[k], p->vz[k]},
                            .n = 1,
                            .first = k,
                            .last = k};
    if (!group) return c;
    c.radius = group->n == 2 ? group->radius : group->span;
    c.n = group->n;
    c.last = group->body[group->n - 1];
    for (size_t i = 0; i + 1 < group->n; i++)
        g->next[group->body[i]] = group->body[i + 1];
    return c;
}

koshu_status
koshu_subsystem_dissolve(struct koshu_subsystem_engine *e,
                         struct koshu_subsystem *group)
{
    KOSHU_TRY(koshu_subsystems_move(
            e->groups, group, koshu_subsystems_time(e->groups, e->now), 0));
    koshu_chain_settle(&group->chain);
    mark_group(e, group);
    koshu_subsystems_forget(e->groups, group);
    koshu_subsystems_dissolve(e->groups, group);
    for (size_t i = 0; i < e->n_changed; i++)
        if (!e->groups->of[e->changed[i]]) e->p.step[e->changed[i]] = 0;
    return KOSHU_OK;
}

koshu_status
koshu_subsystem_form(struct koshu_subsystem_engine *e,
                     const struct koshu_clump *cluster)
{
    struct koshu_subsystems *g = e->groups;
    size_t k = cluster->first;
    for (size_t i = 0; i < cluster->n; i++, k = g->next[k])
        if (g->of[k]) KOSHU_TRY(koshu_subsystem_dissolve(e, g->of[k]));
    KOSHU_TRY(koshu_subsystems_form(g, cluster));
    mark_group(e, g->group[g->n - 1]);
    e->p.step[g->group[g->n - 1]->body[0]] = 0;
    return KOSHU_OK;
}

/* Forms groups from the n clusters of g->cluster, after joining those that
 * belong together. */
static koshu_status
form_groups(struct koshu_subsystem_engine *e, size_t n)
{
    struct koshu_subsystems *g = e->groups;
    const struct koshu_grouping how = koshu_grouping_of(g, 1);
    KOSHU_TRY(koshu_find_subsystems(e->context, &how, &n, g->cluster, g->next));
    for (size_t i = 0; i < n; i++) {
        const struct koshu_clump *c = &g->cluster[i];
        const struct koshu_subsystem *old = g->of[c->first];
        if (c->n > 1 && !(old && old->n == c->n))
            KOSHU_TRY(koshu_subsystem_form(e, c));
    }
    return KOSHU_OK;
}

/* Whether a particle may have a close neighbour, judged by its step. Aarseth's
 * criterion for two bodies of mass M at distance r gives a squared step of 2
 * eta r^3 / M; `margin` allows for more. They are one group within the limit,
 * where r^3 / M is largest if the other body is massless; a group also reaches
 * as far as its radius demands. */
static bool
may_meet(const struct koshu_subsystem_engine *e, size_t k)
{
    const struct koshu_subsystems *g = e->groups;
    const struct koshu_grouping how = koshu_grouping_of(g, 1);
    const double margin = 2, mass = g->mass[k],
                 radius = g->of[k] ? g->of[k]->radius : 0;
    const double r = fmax(koshu_grouping_limit(&how, mass, 2), 6 * radius),
                 step = (double)e->p.step[k] * e->task.tick;
    return step * step < margin * margin * 2 * e->task.eta * r * r * r / mass;
}

static koshu_status
meet(struct koshu_subsystem_engine *e)
{
    const struct koshu_block_step *s = &e->step;
    size_t n = 0;
    for (size_t m = 0; m < s->n; m++)
        if (may_meet(e, s->members[m]))
            e->groups->cluster[n++] = cluster_of(e->groups, s->members[m]);
    return form_groups(e, n);
}

/* Lists the groups among the members of the block in groups->wanted. */
static koshu_status
list_groups(struct koshu_subsystem_engine *e)
{
    struct koshu_subsystems *g = e->groups;
    const struct koshu_block_step *s = &e->step;
    KOSHU_TRY(KOSHU_GROW(g, wanted, s->n, e->context, "groups"));
    g->n_wanted = 0;
    for (size_t m = 0; m < s->n; m++)
        if (g->of[s->members[m]])
            g->wanted[g->n_wanted++] = g->of[s->members[m]];
    return KOSHU_OK;
}

koshu_status
koshu_subsystem_change(struct koshu_subsystem_engine *e)
{
    struct koshu_subsystems *g = e->groups;
    KOSHU_TRY(list_groups(e));
    KOSHU_TRY(koshu_subsystems_look(g, g->n_wanted, g->wanted,
                                    koshu_subsystems_time(g, e->now)));
    for (size_t i = 0; i < g->n_wanted; i++)
        if (g->wanted[i]->apart)
            KOSHU_TRY(koshu_subsystem_dissolve(e, g->wanted[i]));
    return meet(e);
}
