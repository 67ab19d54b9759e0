/* SPDX-License-Identifier: MIT */
/* Runs the block steps of a Hermite integrator in an engine. */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/hermite.h"
#include "particles/particles.h"
#include "solve/solve.h"

double
koshu_hermite_time_at(const struct koshu_hermite *h, uint64_t tick)
{
    return h->base.clock.origin_time + (double)tick * h->base.clock.tick;
}

/* ---- the store ----------------------------------------------------------- */

struct koshu_block_task
koshu_hermite_task(const struct koshu_hermite *h)
{
    const struct koshu_integrator_options *i = &h->base.options;
    const struct koshu_solver_options *s = &h->base.solver->options;
    return (struct koshu_block_task){
            .precision = s->precision,
            .eps = s->softening,
            .tick = fabs(i->dt) / (double)KOSHU_TICKS,
            .longest = KOSHU_TICKS,
            .fixed = i->step_rule == KOSHU_STEP_RULE_FIXED,
            .eta = i->eta,
            .iterations = i->iterations,
            .first = koshu_particles_first(h->base.particles),
            .interaction = s->method == KOSHU_METHOD_INTERACTION
                                   ? s->interaction
                                   : NULL};
}

koshu_status
koshu_hermite_acquire(struct koshu_hermite *h, struct koshu_block_particles *p)
{
    struct koshu_particle_view v;
    koshu_status status = koshu_particles_on_host(
            h->base.particles,
            KOSHU_FIELD_ALL | KOSHU_FIELD_JERK | KOSHU_FIELD_STEP,
            KOSHU_ACCESS_READ_WRITE, &v);
    KOSHU_TRY(koshu_ranks_collective_status(h->base.context, status));
    *p = (struct koshu_block_particles){
            v.n,  v.mass, v.x,  v.y,  v.z,  v.vx,        v.vy,   v.vz,  v.ax,
            v.ay, v.az,   v.jx, v.jy, v.jz, v.potential, v.tick, v.step};
    return KOSHU_OK;
}

/* Engines run forwards in time. If the run goes backwards, the engine
 * integrates the time-reversed orbit, with -v and -jerk, in a frame that
 * rotates the other way. */
static void
turn(const struct koshu_hermite *h, const struct koshu_block_particles *p)
{
    if (h->base.options.dt > 0) return;
    double *const odd[] = {p->vx, p->vy, p->vz, p->jx, p->jy, p->jz};
    for (int k = 0; k < 6; k++)
        for (size_t i = 0; i < p->n; i++) odd[k][i] = -odd[k][i];
}

static koshu_status
make_engine(struct koshu_hermite *h)
{
    struct koshu_block_task task = koshu_hermite_task(h);
    struct koshu_block_particles p;
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    turn(h, &p);
    koshu_status status =
            h->ops->create(h->base.backend, &task, &p, &h->engine);
    turn(h, &p);
    if (status == KOSHU_OK && h->base.external)
        koshu_block_host_set_external(
                h->engine, h->base.external,
                koshu_integrator_forward(&h->base) *
                        koshu_external_rotation(h->base.external));
    return status;
}

void
koshu_hermite_drop_engine(struct koshu_hermite *h)
{
    if (h->engine) h->ops->destroy(h->engine);
    h->engine = NULL;
}

static koshu_status
read_engine(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    double start = koshu_now();
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    KOSHU_TRY(h->ops->read(h->engine, &p));
    turn(h, &p);
    h->read_seconds = koshu_now() - start;
    return KOSHU_OK;
}

/* ---- failures ------------------------------------------------------------ */

/* Of several refused particles, names the one that needs the shortest step. */
static koshu_status
fail_short_step(struct koshu_hermite *h, double time)
{
    struct koshu_context *context = h->base.context;
    struct koshu_particle_view v;
    size_t worst = 0;
    KOSHU_TRY(koshu_particles_on_host(h->base.particles,
                                      KOSHU_FIELD_ID | KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 1; i < v.n; i++)
        if (v.step[i] < v.step[worst]) worst = i;
    double shortest = v.n > 0 ? -(double)v.step[worst] : -INFINITY;
    double of_all = shortest;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_largest(context, &of_all));
    if (shortest == of_all)
        status = koshu_fail(
                context, KOSHU_ERROR_BAD_INPUT,
                "particle %zu (id %llu) needs a step shorter than dt / 2^40 = "
                "%g after time %g: give more softening, or a smaller dt",
                koshu_particles_first(h->base.particles) + worst,
                (unsigned long long)v.id[worst], koshu_hermite_task(h).tick,
                time);
    return koshu_ranks_collective_status(context, status);
}

koshu_status
koshu_hermite_check_steps(struct koshu_hermite *h)
{
    struct koshu_particle_view v;
    unsigned lost = 0;
    KOSHU_TRY(koshu_particles_on_host(h->base.particles, KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++) lost |= v.step[i] == 0;
    KOSHU_TRY(koshu_collective_status(h->base.context, KOSHU_OK, &lost));
    return lost ? fail_short_step(h, h->base.clock.time) : KOSHU_OK;
}

/* Fails after the blocks of this call that succeeded have been counted. */
static koshu_status
fail_in_engine(struct koshu_hermite *h, koshu_status status,
               const struct koshu_block_progress *progress)
{
    double time = progress->blocks > 0
                          ? koshu_hermite_time_at(h, progress->tick)
                          : h->base.clock.time;
    if (status != KOSHU_ERROR_NOT_FINITE && status != KOSHU_ERROR_BAD_INPUT)
        return status;
    KOSHU_TRY(read_engine(h));
    return status == KOSHU_ERROR_NOT_FINITE
                   ? koshu_name_not_finite(&h->base, time, "a block step")
                   : fail_short_step(h, time);
}

/* ---- block steps --------------------------------------------------------- */

/* Plans the next call, assuming that it runs like this one. It shall take about
 * a tenth of a second, or so long that reading back the particles (there may be
 * millions) costs little by comparison, but at most a second. Never fewer
 * blocks than are negligible work: where calls of few particles end, and with
 * them checkpoints, must not depend on how busy the machine is. */
static void
plan_next_call(struct koshu_hermite *h, uint64_t blocks, double seconds,
               double reading)
{
    const double least = 0.1, longest = 1, times = 50, max = 1 << 20;
    const double negligible = 1e6; /* interactions */
    if (h->base.options.max_block_steps > 0 || blocks == 0) return;
    double rate = (double)blocks / fmax(seconds, 1e-9);
    double wanted = fmin(fmax(least, times * reading), longest);
    double n = (double)koshu_particles_total(h->base.particles);
    double fewest = fmax(1, negligible / (n * n * h->base.options.iterations));
    h->max_block_steps = (uint64_t)fmin(fmax(fewest, wanted * rate), max);
}

koshu_status
koshu_hermite_blocks(struct koshu_hermite *h, uint64_t until,
                     struct koshu_block_progress *progress)
{
    struct koshu_integrator *i = &h->base;
    if (!h->engine) KOSHU_TRY(make_engine(h));
    double start = koshu_now();
    koshu_status status =
            h->ops->run(h->engine, until, h->max_block_steps, progress);
    if (status != KOSHU_OK) return fail_in_engine(h, status, progress);
    double seconds = koshu_now() - start, reading = h->read_seconds;
    /* Every rank must plan the same number of blocks: a rank that made more
     * would wait indefinitely. */
    KOSHU_TRY(koshu_largest(i->context, &seconds));
    KOSHU_TRY(koshu_largest(i->context, &reading));
    i->work.interactions += progress->steps *
                            koshu_particles_total(i->particles) *
                            i->options.iterations;
    i->work.seconds += seconds;
    plan_next_call(h, progress->blocks, seconds, reading);
    return read_engine(h);
}
