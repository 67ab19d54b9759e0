/* SPDX-License-Identifier: MIT */
/*
 * Block time steps on the host: what a backend's koshu_block_ops does where it
 * has none, with the sums of its memory of j-particles.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "integrate/block_schedule.h"
#include "integrate/block_step.h"
#include "integrate/integrate.h"
#include "kernels/steps.h"

struct koshu_block_engine {
    struct koshu_block_task task;
    struct koshu_block_particles p;
    struct koshu_block_step step;
    struct koshu_block_schedule schedule;
    uint64_t now;  /* the tick at which the last block ended */
    uint64_t base; /* the tick that is time 0 in the memory: all particles
                      stood there. Near it times are differences of small
                      numbers, exact to the last tick */
    double *time;  /* of each member, in the memory */
};

/* ---- copies of particles ------------------------------------------------- */

/* The arrays of doubles but the mass, to be treated alike. */
enum { N_ARRAYS = 13 };

static void
arrays_of(struct koshu_block_particles *p, double **array[N_ARRAYS])
{
    double **const all[N_ARRAYS] = {
            &p->x,  &p->y,  &p->z,  &p->vx, &p->vy, &p->vz,       &p->ax,
            &p->ay, &p->az, &p->jx, &p->jy, &p->jz, &p->potential};
    memcpy(array, all, sizeof all);
}

static bool
copy(double **to, const double *from, size_t n)
{
    *to = koshu_alloc(n, sizeof **to);
    if (*to) memcpy(*to, from, n * sizeof **to);
    return *to != NULL;
}

static koshu_status
copy_particles(struct koshu_block_engine *e, struct koshu_context *context,
               const struct koshu_block_particles *particles)
{
    struct koshu_block_particles from = *particles, *to = &e->p;
    double **a[N_ARRAYS], **b[N_ARRAYS], *mass;
    size_t n = to->n = from.n;
    arrays_of(&from, a);
    arrays_of(to, b);
    bool whole = copy(&mass, from.mass, n);
    to->mass = mass;
    for (int k = 0; k < N_ARRAYS; k++) whole = copy(b[k], *a[k], n) && whole;
    to->tick = koshu_alloc(n, sizeof *to->tick);
    to->step = koshu_alloc(n, sizeof *to->step);
    if (!whole || !to->tick || !to->step)
        return koshu_fail_memory(context, n * (N_ARRAYS + 3) * sizeof *mass,
                                 "particles in block steps");
    memcpy(to->tick, from.tick, n * sizeof *to->tick);
    memcpy(to->step, from.step, n * sizeof *to->step);
    return KOSHU_OK;
}

static koshu_status
read_host(struct koshu_block_engine *engine,
          const struct koshu_block_particles *particles)
{
    struct koshu_block_particles to = *particles, *from = &engine->p;
    double **a[N_ARRAYS], **b[N_ARRAYS];
    arrays_of(from, a);
    arrays_of(&to, b);
    for (int k = 0; k < N_ARRAYS; k++)
        memcpy(*b[k], *a[k], to.n * sizeof **b[k]);
    memcpy(to.tick, from->tick, to.n * sizeof *to.tick);
    memcpy(to.step, from->step, to.n * sizeof *to.step);
    return KOSHU_OK;
}

/* ---- the memory ---------------------------------------------------------- */

static double
time_of(const struct koshu_block_engine *e, uint64_t tick)
{
    return (double)(int64_t)(tick - e->base) * e->task.tick;
}

/* The members as they stand in p. */
static koshu_status
load(struct koshu_block_engine *e)
{
    for (size_t m = 0; m < e->step.n; m++)
        e->time[m] = time_of(e, e->p.tick[e->step.members[m]]);
    return koshu_block_step_load(&e->step, &e->p, e->time);
}

/* ---- life ---------------------------------------------------------------- */

static bool
can_host(const struct koshu_backend *backend,
         const struct koshu_block_task *task, size_t n)
{
    (void)task;
    (void)n;
    return backend->ops->j_memory != NULL;
}

static void
destroy_host(struct koshu_block_engine *engine)
{
    struct koshu_block_engine *e = engine;
    if (!e) return;
    double **a[N_ARRAYS];
    arrays_of(&e->p, a);
    for (int k = 0; k < N_ARRAYS; k++) koshu_free(*a[k]);
    koshu_free((void *)e->p.mass);
    koshu_free(e->p.tick);
    koshu_free(e->p.step);
    koshu_free(e->time);
    koshu_block_step_destroy(&e->step);
    koshu_block_schedule_destroy(&e->schedule);
    free(e);
}

/* The last block is the youngest particle's. */
static void
find_now(struct koshu_block_engine *e)
{
    for (size_t i = 0; i < e->p.n; i++)
        if (e->p.tick[i] > e->now) e->now = e->p.tick[i];
    e->base = e->now - e->now % e->task.longest;
}

static koshu_status
equip(struct koshu_block_engine *e, struct koshu_backend *backend,
      const struct koshu_block_particles *particles)
{
    size_t n = particles->n;
    KOSHU_TRY(copy_particles(e, backend->context, particles));
    find_now(e);
    e->time = koshu_alloc(n, sizeof *e->time);
    if (!e->time)
        return koshu_fail_memory(backend->context, n * sizeof *e->time,
                                 "times of particles");
    KOSHU_TRY(koshu_block_schedule_create(backend->context, n, e->p.step,
                                          &e->schedule));
    KOSHU_TRY(koshu_block_step_create(backend, &e->task, n, &e->step));
    e->step.n = n;
    for (size_t i = 0; i < n; i++) e->step.members[i] = i;
    return load(e);
}

static koshu_status
create_host(struct koshu_backend *backend, const struct koshu_block_task *task,
            const struct koshu_block_particles *particles,
            struct koshu_block_engine **engine)
{
    *engine = NULL;
    struct koshu_block_engine *e = calloc(1, sizeof *e);
    if (!e)
        return koshu_fail_memory(backend->context, sizeof *e,
                                 "engine of block steps");
    e->task = *task;
    koshu_status status = equip(e, backend, particles);
    if (status == KOSHU_OK)
        *engine = e;
    else
        destroy_host(e);
    return status;
}

/* ---- block steps --------------------------------------------------------- */

/* Which step the members take from `end` on: into p. KOSHU_BAD_INPUT: one is
 * shorter than a tick. */
static koshu_status
choose_steps(struct koshu_block_engine *e, uint64_t end)
{
    const struct koshu_block_task *t = &e->task;
    struct koshu_block_step *s = &e->step;
    int lost = 0;
    if (t->fixed) return KOSHU_OK;
    for (size_t m = 0; m < s->n; m++) {
        size_t k = s->members[m];
        double dt2 = koshu_block_step_criterion(s, &e->p, m, t->eta);
        e->p.step[k] = koshu_next_step(e->p.step[k], end, t->longest,
                                       dt2 / (t->tick * t->tick));
        lost |= e->p.step[k] == 0;
    }
    return lost ? KOSHU_BAD_INPUT : KOSHU_OK;
}

static koshu_status
block(struct koshu_block_engine *e, uint64_t end)
{
    struct koshu_block_step *s = &e->step;
    s->n = koshu_block_take(&e->schedule, end, s->members);
    for (size_t m = 0; m < s->n; m++)
        s->dt[m] = (double)e->p.step[s->members[m]] * e->task.tick;
    KOSHU_TRY(koshu_block_step_make(s, &e->p, time_of(e, end)));
    koshu_status chosen = choose_steps(e, end);
    KOSHU_TRY(koshu_block_step_accept(s, &e->p));
    for (size_t m = 0; m < s->n; m++) e->p.tick[s->members[m]] = end;
    e->now = end;
    KOSHU_TRY(chosen);
    koshu_block_give(&e->schedule, s->n, s->members, e->p.step);
    if (end % e->task.longest == 0) e->base = end;
    return load(e);
}

static koshu_status
run_host(struct koshu_block_engine *engine, uint64_t until, uint64_t most,
         struct koshu_block_progress *progress)
{
    struct koshu_block_engine *e = engine;
    *progress = (struct koshu_block_progress){.tick = e->now};
    while (progress->blocks < most) {
        uint64_t end = koshu_block_next(&e->schedule, e->now);
        if (end > until) break;
        KOSHU_TRY(block(e, end));
        progress->blocks++;
        progress->steps += e->step.n;
        progress->tick = end;
    }
    return KOSHU_OK;
}

const struct koshu_block_ops koshu_block_host = {.can = can_host,
                                                 .create = create_host,
                                                 .destroy = destroy_host,
                                                 .run = run_host,
                                                 .read = read_host};
