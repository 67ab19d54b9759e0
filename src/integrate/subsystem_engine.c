/* SPDX-License-Identifier: MIT */
/* Block steps with few-body groups, from one synchronised time to the next. */
#include "integrate/subsystem_engine.h"

#include <string.h>

#include "base/base.h"
#include "integrate/subsystem_ahead.h"
#include "integrate/subsystem_helpers.h"

/* ---- life ---------------------------------------------------------------- */

static void
destroy(struct koshu_subsystem_engine *e)
{
    koshu_free(e->mass);
    koshu_free(e->time);
    koshu_free(e->changed);
    koshu_free(e->is_changed);
    koshu_free(e->clearance);
    koshu_block_step_destroy(&e->step);
    koshu_block_schedule_destroy(&e->schedule);
    koshu_subsystems_destroy(e->groups);
}

static koshu_status
create(struct koshu_subsystem_engine *e, struct koshu_backend *backend,
       const struct koshu_subsystem_options *options,
       const struct koshu_block_particles *particles)
{
    const size_t n = particles->n;
    KOSHU_TRY(koshu_block_copy_create(e->context, particles, &e->p, &e->mass));
    e->now = n > 0 ? e->p.tick[0] : 0;
    e->time = koshu_alloc(n, sizeof *e->time);
    e->changed = koshu_alloc(n, sizeof *e->changed);
    e->is_changed = koshu_alloc(n, sizeof *e->is_changed);
    e->clearance = koshu_alloc(n, sizeof *e->clearance);
    if (!e->time || !e->changed || !e->is_changed || !e->clearance)
        return koshu_fail_memory(e->context, n * sizeof *e->time,
                                 "times of particles");
    KOSHU_TRY(koshu_block_schedule_create(e->context, n, e->p.step,
                                          &e->schedule));
    KOSHU_TRY(koshu_subsystems_create(e->context, options, e->task.tick, e->now,
                                      &e->p, e->mass, &e->groups));
    KOSHU_TRY(koshu_subsystem_helpers_start(e->groups, options->helpers));
    e->task.nearest = true;
    KOSHU_TRY(koshu_block_step_create(backend, &e->task, n, &e->step));
    e->step.groups = e->groups;
    e->step.external = options->external;
    e->step.omega = e->groups->omega;
    return KOSHU_OK;
}

static void
schedule_all(struct koshu_subsystem_engine *e)
{
    struct koshu_block_schedule *s = &e->schedule;
    memset(s->count, 0, sizeof s->count);
    s->n = 0;
    for (size_t k = 0; k < e->p.n; k++)
        if (!koshu_subsystem_is_aside(e, k)) e->step.members[s->n++] = k;
    koshu_block_give(s, s->n, e->step.members, e->p.step);
}

/* ---- block steps --------------------------------------------------------- */

static koshu_status
block(struct koshu_subsystem_engine *e, struct koshu_block_progress *progress)
{
    struct koshu_block_step *s = &e->step;
    const uint64_t end = koshu_block_next(&e->schedule, e->now);
    e->groups->n_slow = 0;
    s->n = koshu_block_take(&e->schedule, end, s->members);
    for (size_t m = 0; m < s->n; m++)
        s->dt[m] = (double)e->p.step[s->members[m]] * e->task.tick;
    koshu_subsystem_look_back(e, end);
    KOSHU_TRY(koshu_block_step_make(s, &e->p,
                                    koshu_subsystems_time(e->groups, end)));
    e->now = end;
    const koshu_status chosen = koshu_subsystem_choose_steps(e);
    KOSHU_TRY(koshu_block_step_accept(s, &e->p));
    for (size_t m = 0; m < s->n; m++) e->p.tick[s->members[m]] = end;
    progress->blocks++;
    progress->steps += s->n; /* before `settle` replaces the members */
    progress->tick = end;
    KOSHU_TRY(chosen);
    KOSHU_TRY(koshu_subsystem_load(e));
    KOSHU_TRY(koshu_subsystem_change(e));
    if (e->n_changed == 0) {
        koshu_block_give(&e->schedule, s->n, s->members, e->p.step);
        return koshu_subsystems_go_ahead(e->groups);
    }
    KOSHU_TRY(koshu_subsystem_settle(e));
    schedule_all(e);
    return KOSHU_OK;
}

/* ---- from one synchronised time to the next ------------------------------ */

/* Forms a group at a synchronised time. Bodies with equal steps were a group
 * before, whose step they were given; the new group keeps it. */
static koshu_status
form_again(struct koshu_subsystem_engine *e, const struct koshu_clump *cluster)
{
    const uint64_t step = e->p.step[cluster->first];
    bool same = true;
    size_t k = cluster->first;
    for (size_t i = 0; i < cluster->n; i++, k = e->groups->next[k])
        same = same && e->p.step[k] == step;
    KOSHU_TRY(koshu_subsystem_form(e, cluster));
    if (same) e->p.step[e->groups->group[e->groups->n - 1]->body[0]] = step;
    return KOSHU_OK;
}

/* Finds the groups among the bodies as p has them: *n clusters in
 * g->cluster. */
static koshu_status
find_all(struct koshu_subsystem_engine *e,
         const struct koshu_block_particles *p, size_t *n)
{
    struct koshu_subsystems *g = e->groups;
    *n = 0;
    for (size_t k = 0; k < p->n; k++)
        if (g->body_mass[k] > 0)
            g->cluster[(*n)++] =
                    (struct koshu_clump){.mass = g->body_mass[k],
                                         .x = {p->x[k], p->y[k], p->z[k]},
                                         .v = {p->vx[k], p->vy[k], p->vz[k]},
                                         .n = 1,
                                         .first = k,
                                         .last = k};
    const struct koshu_grouping how = koshu_grouping_of(g, 1);
    return koshu_find_subsystems(e->context, &how, n, g->cluster, g->next);
}

static koshu_status
begin(struct koshu_subsystem_engine *e)
{
    size_t n;
    KOSHU_TRY(find_all(e, &e->p, &n));
    for (size_t i = 0; i < n; i++)
        if (e->groups->cluster[i].n > 1)
            KOSHU_TRY(form_again(e, &e->groups->cluster[i]));
    KOSHU_TRY(koshu_subsystems_gauge(e->groups));
    koshu_block_step_take_all(&e->step, e->p.n);
    KOSHU_TRY(koshu_subsystem_load(e));
    if (e->n_changed > 0) KOSHU_TRY(koshu_subsystem_settle(e));
    schedule_all(e);
    return KOSHU_OK;
}

static koshu_status
write_all(struct koshu_subsystem_engine *e,
          const struct koshu_block_particles *particles)
{
    struct koshu_subsystems *g = e->groups;
    KOSHU_TRY(koshu_subsystems_each(g, g->n, g->group,
                                    koshu_subsystems_time(g, e->now),
                                    koshu_subsystems_move, KOSHU_FEW_LOOKS));
    koshu_block_copy(&e->p, particles);
    for (size_t k = 0; k < g->n; k++) {
        koshu_chain_settle(&g->group[k]->chain);
        koshu_subsystems_write(g, g->group[k], particles);
    }
    return KOSHU_OK;
}

/* Writes all particles at the end. Dissolves groups that the next call would
 * not find, so that their bodies start as single particles. */
static koshu_status
end(struct koshu_subsystem_engine *e,
    const struct koshu_block_particles *particles)
{
    struct koshu_subsystems *g = e->groups;
    size_t n;
    KOSHU_TRY(write_all(e, particles));
    KOSHU_TRY(find_all(e, particles, &n));
    for (size_t i = 0; i < n; i++) {
        const struct koshu_clump *c = &g->cluster[i];
        if (c->n == 1 && g->of[c->first])
            KOSHU_TRY(koshu_subsystem_dissolve(e, g->of[c->first]));
    }
    if (e->n_changed == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_subsystem_settle(e));
    return write_all(e, particles);
}

static koshu_status
run(struct koshu_subsystem_engine *e,
    const struct koshu_block_particles *particles,
    struct koshu_block_progress *progress)
{
    KOSHU_TRY(begin(e));
    const uint64_t until = e->now + e->task.longest;
    while (e->now < until && e->schedule.n > 0) KOSHU_TRY(block(e, progress));
    return end(e, particles);
}

static struct koshu_group_cost
cost_of(const struct koshu_subsystems *g)
{
    struct koshu_group_cost cost = g->cost;
    for (size_t k = 0; k < g->n; k++)
        koshu_group_cost_add(&cost, g->group[k]->cost, g->group[k]->n,
                             g->group[k]->body[0]);
    return cost;
}

/* Writes the present state of the bodies, for the error message. */
static void
give_up(struct koshu_subsystem_engine *e,
        const struct koshu_block_particles *particles)
{
    struct koshu_subsystems *g = e->groups;
    koshu_block_copy(&e->p, particles);
    for (size_t k = 0; g && k < g->n; k++)
        koshu_subsystems_write(g, g->group[k], particles);
}

koshu_status
koshu_subsystems_run(struct koshu_backend *backend,
                     const struct koshu_subsystem_run *given)
{
    struct koshu_subsystem_engine e = {.context = backend->context,
                                       .task = given->task,
                                       .eta_start = given->eta_start};
    *given->progress = (struct koshu_block_progress){0};
    koshu_status status =
            create(&e, backend, &given->options, &given->particles);
    if (status == KOSHU_OK) {
        e.groups->mergers = given->mergers;
        status = run(&e, &given->particles, given->progress);
        *given->cost = cost_of(e.groups);
        if (status != KOSHU_OK) give_up(&e, &given->particles);
    }
    destroy(&e);
    return status;
}
