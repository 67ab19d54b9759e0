/* SPDX-License-Identifier: MIT */
/*
 * Block time steps on the host, for backends without a koshu_block_ops of their
 * own. Uses the sums of the backend's j-particle store.
 */
#include <stdlib.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/block_schedule.h"
#include "integrate/block_step.h"
#include "integrate/integrate.h"
#include "kernels/steps.h"

struct koshu_block_engine {
    struct koshu_context *context;
    struct koshu_block_task task;
    struct koshu_block_particles p;
    double *mass; /* of the particles of p, and the memory of all its arrays */
    struct koshu_block_step step;
    struct koshu_block_schedule schedule;
    uint64_t now; /* the tick at which the last block ended */
    /* the tick that is time 0 in the store, at which all particles were
     * synchronised: times near it are differences of small numbers, exact to
     * the last tick */
    uint64_t base;
    double *time;       /* of each member, in the store's time */
    struct plan *plans; /* one for each rank */
};

/* What a rank tells the others before the next block. */
struct plan {
    uint64_t end;     /* of the next block of its own particles */
    uint64_t members; /* number of its particles in that block */
    int64_t status;   /* of its part of the previous block */
};

/* ---- the j-particle store ------------------------------------------------ */

static double
time_of(const struct koshu_block_engine *e, uint64_t tick)
{
    return (double)(int64_t)(tick - e->base) * e->task.tick;
}

static koshu_status
load(struct koshu_block_engine *e)
{
    for (size_t m = 0; m < e->step.n; m++)
        e->time[m] = time_of(e, e->p.tick[e->step.members[m]]);
    return koshu_block_step_load(&e->step, &e->p, e->time);
}

/* ---- life ---------------------------------------------------------------- */

static void
destroy_host(struct koshu_block_engine *e)
{
    if (!e) return;
    koshu_free(e->mass);
    koshu_free(e->time);
    koshu_free(e->plans);
    koshu_block_step_destroy(&e->step);
    koshu_block_schedule_destroy(&e->schedule);
    free(e);
}

/* The last block ended at the tick of the most recently advanced particle of
 * any rank. */
static koshu_status
find_now(struct koshu_block_engine *e)
{
    size_t ranks = (size_t)koshu_context_ranks(e->context);
    for (size_t i = 0; i < e->p.n; i++)
        if (e->p.tick[i] > e->now) e->now = e->p.tick[i];
    const struct plan mine = {.end = e->now};
    KOSHU_TRY(koshu_all_gather(e->context, &mine, sizeof mine, e->plans));
    for (size_t r = 0; r < ranks; r++)
        if (e->plans[r].end > e->now) e->now = e->plans[r].end;
    e->base = e->now - e->now % e->task.longest;
    return KOSHU_OK;
}

static koshu_status
allocate(struct koshu_block_engine *e, struct koshu_backend *backend,
         const struct koshu_block_particles *particles)
{
    size_t n = particles->n, ranks = (size_t)koshu_context_ranks(e->context);
    KOSHU_TRY(koshu_block_copy_create(e->context, particles, &e->p, &e->mass));
    e->time = koshu_alloc(n, sizeof *e->time);
    e->plans = koshu_alloc(ranks, sizeof *e->plans);
    if (!e->time || !e->plans)
        return koshu_fail_memory(e->context, n * sizeof *e->time,
                                 "times of particles");
    KOSHU_TRY(koshu_block_schedule_create(e->context, n, e->p.step,
                                          &e->schedule));
    return koshu_block_step_create(backend, &e->task, n, &e->step);
}

static koshu_status
equip(struct koshu_block_engine *e, struct koshu_backend *backend,
      const struct koshu_block_particles *particles)
{
    koshu_status status = allocate(e, backend, particles);
    KOSHU_TRY(koshu_ranks_collective_status(e->context, status));
    KOSHU_TRY(find_now(e));
    koshu_block_step_take_all(&e->step, particles->n);
    return koshu_ranks_collective_status(e->context, load(e));
}

static koshu_status
create_host(struct koshu_backend *backend, const struct koshu_block_task *task,
            const struct koshu_block_particles *particles,
            struct koshu_block_engine **engine)
{
    *engine = NULL;
    struct koshu_block_engine *e = calloc(1, sizeof *e);
    koshu_status status = KOSHU_OK;
    if (!e)
        status = koshu_fail_memory(backend->context, sizeof *e,
                                   "engine of block steps");
    status = koshu_ranks_collective_status(backend->context, status);
    if (status == KOSHU_OK) {
        e->context = backend->context;
        e->task = *task;
        status = equip(e, backend, particles);
    }
    if (status == KOSHU_OK)
        *engine = e;
    else
        destroy_host(e);
    return status;
}

void
koshu_block_host_set_external(struct koshu_block_engine *engine,
                              const struct koshu_external *external,
                              double omega)
{
    engine->step.external = external;
    engine->step.omega = omega;
}

/* ---- block steps --------------------------------------------------------- */

/* Chooses the members' steps from `end` on and stores them in p.
 * KOSHU_ERROR_BAD_INPUT: a step is shorter than a tick. */
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
    return lost ? KOSHU_ERROR_BAD_INPUT : KOSHU_OK;
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

/* Finds when the next block of all ranks ends and how many members each rank
 * has in it; *n: the total. A failure on any rank is returned on all. */
static koshu_status
plan(struct koshu_block_engine *e, koshu_status status, uint64_t *end,
     uint64_t *n)
{
    int ranks = koshu_context_ranks(e->context);
    struct plan mine = {.end = UINT64_MAX, .status = status};
    bool failed = false;
    if (status == KOSHU_OK && e->p.n > 0) {
        mine.end = koshu_block_next(&e->schedule, e->now);
        mine.members = koshu_block_count(&e->schedule, mine.end);
    }
    KOSHU_TRY(koshu_all_gather(e->context, &mine, sizeof mine, e->plans));
    *end = UINT64_MAX;
    *n = 0;
    for (int r = 0; r < ranks; r++) {
        if (e->plans[r].end < *end) *end = e->plans[r].end;
        failed = failed || e->plans[r].status != KOSHU_OK;
    }
    for (int r = 0; r < ranks; r++) {
        bool takes_part = e->plans[r].end == *end;
        e->step.members_of[r] = takes_part ? e->plans[r].members : 0;
        *n += e->step.members_of[r];
    }
    return failed ? koshu_ranks_collective_status(e->context, status)
                  : KOSHU_OK;
}

static koshu_status
run_host(struct koshu_block_engine *e, uint64_t until, uint64_t max,
         struct koshu_block_progress *progress)
{
    uint64_t end, n;
    *progress = (struct koshu_block_progress){.tick = e->now};
    KOSHU_TRY(plan(e, KOSHU_OK, &end, &n));
    while (end <= until && progress->blocks < max) {
        uint64_t members = n;
        KOSHU_TRY(plan(e, block(e, end), &end, &n));
        progress->blocks++;
        progress->steps += members;
        progress->tick = e->now;
    }
    return KOSHU_OK;
}

static koshu_status
read_host(struct koshu_block_engine *engine,
          const struct koshu_block_particles *particles)
{
    koshu_block_copy(&engine->p, particles);
    return KOSHU_OK;
}

const struct koshu_block_ops koshu_block_host = {.create = create_host,
                                                 .destroy = destroy_host,
                                                 .run = run_host,
                                                 .read = read_host};
