/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/hermite.h"
#include "integrate/integrate.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_integrator_options *o)
{
    if (o->step_rule == KOSHU_STEP_RULE_FIXED ||
        o->step_rule == KOSHU_STEP_RULE_BLOCK)
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "step rule %d: the Hermite scheme has block and fixed "
                      "steps",
                      (int)o->step_rule);
}

static koshu_status
check_backend(const struct koshu_hermite *h)
{
    const struct koshu_solver_options *o = koshu_solver_own_options(h->solver);
    if (!h->backend->ops->j_store)
        return koshu_fail(h->context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s cannot sum jerks, which the Hermite "
                          "scheme needs",
                          h->backend->ops->name);
    if (o->precision == KOSHU_PRECISION_SINGLE)
        koshu_log(h->context, KOSHU_LOG_LEVEL_WARNING,
                  "single precision is too coarse for the Hermite scheme: it "
                  "keeps the energy to about 1e-6; use mixed or double");
    return KOSHU_OK;
}

static void
drop_engine(struct koshu_hermite *h)
{
    if (h->engine) h->ops->destroy(h->engine);
    h->engine = NULL;
}

static void
destroy(void *self)
{
    struct koshu_hermite *h = self;
    drop_engine(h);
    koshu_free(h->accelerations);
    free(h);
}

static koshu_status
create(const struct koshu_integrator_options *options,
       struct koshu_solver *solver, struct koshu_particles *particles,
       double time, void **self)
{
    enum { FIRST_CALL = 16 };
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_TRY(check_options(context, options));
    struct koshu_backend *backend;
    struct koshu_hermite *h = calloc(1, sizeof *h);
    koshu_status status = koshu_backend_of(context, &backend);
    if (!h)
        status = koshu_fail_memory(context, sizeof *h, "Hermite integrator");
    status = koshu_ranks_collective_status(context, status);
    if (status != KOSHU_OK) {
        free(h);
        return status;
    }
    *h = (struct koshu_hermite){.context = context,
                                .options = *options,
                                .solver = solver,
                                .backend = backend,
                                .particles = particles,
                                .clock = {.time = time,
                                          .synchronised = time,
                                          .origin_time = time,
                                          .dt = options->dt},
                                .max_block_steps =
                                        options->max_block_steps
                                                ? options->max_block_steps
                                                : FIRST_CALL};
    status = check_backend(h);
    if (status == KOSHU_OK)
        *self = h;
    else
        destroy(h);
    return status;
}

/* ---- the engine and the store -------------------------------------------- */

struct koshu_block_task
koshu_hermite_task(const struct koshu_hermite *h)
{
    const struct koshu_solver_options *o = koshu_solver_own_options(h->solver);
    return (struct koshu_block_task){
            .precision = o->precision,
            .eps = o->softening,
            .tick = fabs(h->options.dt) / (double)KOSHU_TICKS,
            .longest = KOSHU_TICKS,
            .fixed = h->options.step_rule == KOSHU_STEP_RULE_FIXED,
            .eta = h->options.eta,
            .iterations = h->options.iterations,
            .first = koshu_particles_first(h->particles)};
}

koshu_status
koshu_hermite_acquire(struct koshu_hermite *h, struct koshu_block_particles *p)
{
    struct koshu_particle_view v;
    koshu_status status = koshu_particles_on_host(
            h->particles, KOSHU_FIELD_ALL | KOSHU_FIELD_JERK | KOSHU_FIELD_STEP,
            KOSHU_ACCESS_READ_WRITE, &v);
    KOSHU_TRY(koshu_ranks_collective_status(h->context, status));
    *p = (struct koshu_block_particles){
            v.n,  v.mass, v.x,  v.y,  v.z,  v.vx,        v.vy,   v.vz,  v.ax,
            v.ay, v.az,   v.jx, v.jy, v.jz, v.potential, v.tick, v.step};
    return KOSHU_OK;
}

/* Engines go forward in time. Where the run goes back, theirs is the same orbit
 * the other way: with -v and -jerk. */
static void
turn(const struct koshu_hermite *h, const struct koshu_block_particles *p)
{
    if (h->options.dt > 0) return;
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
    const struct koshu_block_ops *own = h->backend->ops->block;
    bool alone = koshu_context_ranks(h->context) == 1;
    h->ops = alone && own && own->can(h->backend, &task, p.n)
                     ? own
                     : &koshu_block_host;
    turn(h, &p);
    koshu_status status = h->ops->create(h->backend, &task, &p, &h->engine);
    turn(h, &p);
    return status;
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

static double
time_at(const struct koshu_hermite_clock *c, uint64_t tick)
{
    return c->origin_time + (double)tick / (double)KOSHU_TICKS * c->dt;
}

/* ---- failures ------------------------------------------------------------ */

koshu_status
koshu_hermite_not_finite(struct koshu_hermite *h, double time)
{
    KOSHU_TRY(koshu_find_not_finite(h->particles, h->clock.block_steps + 1,
                                    time));
    return koshu_fail(h->context, KOSHU_ERROR_INTERNAL,
                      "backend %s: a block step reports a particle that is not "
                      "finite, but there is none",
                      h->backend->ops->name);
}

/* Of several that were refused, the one that needs the shortest step. */
static koshu_status
fail_short_step(struct koshu_hermite *h, double time)
{
    struct koshu_particle_view v;
    size_t worst = 0;
    KOSHU_TRY(koshu_particles_on_host(h->particles,
                                      KOSHU_FIELD_ID | KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 1; i < v.n; i++)
        if (v.step[i] < v.step[worst]) worst = i;
    double shortest = v.n > 0 ? -(double)v.step[worst] : -INFINITY;
    double of_all = shortest;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_largest(h->context, &of_all));
    if (shortest == of_all)
        status = koshu_fail(
                h->context, KOSHU_ERROR_BAD_INPUT,
                "particle %zu (id %llu) needs a step shorter than dt / 2^40 = "
                "%g after time %g: give more softening, or a smaller dt",
                koshu_particles_first(h->particles) + worst,
                (unsigned long long)v.id[worst],
                fabs(h->options.dt) / (double)KOSHU_TICKS, time);
    return koshu_ranks_collective_status(h->context, status);
}

/* Is every step a tick or longer? */
static koshu_status
check_steps(struct koshu_hermite *h)
{
    struct koshu_particle_view v;
    unsigned lost = 0;
    KOSHU_TRY(koshu_particles_on_host(h->particles, KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++) lost |= v.step[i] == 0;
    KOSHU_TRY(koshu_collective_status(h->context, KOSHU_OK, &lost));
    return lost ? fail_short_step(h, h->clock.time) : KOSHU_OK;
}

/* After the blocks of this call that were well made. */
static koshu_status
fail_in_engine(struct koshu_hermite *h, koshu_status status,
               const struct koshu_block_progress *progress)
{
    double time = progress->blocks > 0 ? time_at(&h->clock, progress->tick)
                                       : h->clock.time;
    if (status != KOSHU_ERROR_NOT_FINITE && status != KOSHU_ERROR_BAD_INPUT)
        return status;
    KOSHU_TRY(read_engine(h));
    return status == KOSHU_ERROR_NOT_FINITE ? koshu_hermite_not_finite(h, time)
                                            : fail_short_step(h, time);
}

/* Do all particles stand at the same time? */
static bool
is_synchronised(const struct koshu_hermite_clock *c)
{
    return c->ticks % KOSHU_TICKS == 0;
}

/* ---- evaluation ---------------------------------------------------------- */

static koshu_status
evaluate(void *self)
{
    struct koshu_hermite *h = self;
    KOSHU_TRY(koshu_particles_refuse_views(h->particles, KOSHU_ACCESS_WRITE,
                                           "the integrator"));
    drop_engine(h);
    h->evaluated = false;
    if (!is_synchronised(&h->clock))
        KOSHU_TRY(koshu_hermite_synchronise(h, h->clock.time));
    KOSHU_TRY(koshu_hermite_start(h));
    KOSHU_TRY(koshu_hermite_potential(h));
    KOSHU_TRY(koshu_find_not_finite(h->particles, h->clock.block_steps,
                                    h->clock.time));
    KOSHU_TRY(check_steps(h));
    h->evaluated = true;
    return KOSHU_OK;
}

/* ---- advancing ----------------------------------------------------------- */

/* How far a call may go. */
struct aim {
    uint64_t tick;
    double time;       /* that is reached there, or by a partial step after */
    bool synchronised; /* at `tick` */
};

/* The last tick before that time. */
static uint64_t
tick_before(const struct koshu_hermite_clock *c, double time)
{
    double past = (time - c->origin_time) / c->dt * (double)KOSHU_TICKS;
    uint64_t tick = past > 0 ? (uint64_t)past : 0;
    while (tick > 0 && (time - time_at(c, tick)) * c->dt <= 0) tick--;
    return tick;
}

static koshu_status
take_aim(struct koshu_hermite *h, double until, struct aim *aim)
{
    const struct koshu_hermite_clock *c = &h->clock;
    uint64_t tick = (c->ticks / KOSHU_TICKS + 1) * KOSHU_TICKS;
    double time = time_at(c, tick), forward = c->dt > 0 ? 1 : -1;
    double rounding = 16 * DBL_EPSILON * fmax(fabs(c->time), fabs(time));
    if (fabs(until - time) <= rounding)
        *aim = (struct aim){tick, until, true};
    else if ((until - time) * forward > 0)
        *aim = (struct aim){tick, time, true};
    else
        *aim = (struct aim){tick_before(c, until), until, false};
    if (!((until - c->time) * forward > 0))
        return koshu_fail(h->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "until = %.17g does not lie ahead of time = %.17g, "
                          "dt = %g",
                          until, c->time, c->dt);
    if ((aim->time - c->synchronised) * forward > 0) return KOSHU_OK;
    return koshu_fail(h->context, KOSHU_ERROR_BAD_INPUT,
                      "dt = %g is too small to advance the time %g", c->dt,
                      c->time);
}

/* The next call takes about a tenth of a second, if it is like this one; or as
 * long as makes reading the particles back, of which there may be millions,
 * next to nothing, but no more than a second. */
static void
plan_next_call(struct koshu_hermite *h, uint64_t blocks, double seconds)
{
    const double least = 0.1, longest = 1, times = 50, max = 1 << 20;
    if (h->options.max_block_steps > 0 || blocks == 0) return;
    double rate = (double)blocks / fmax(seconds, 1e-9);
    double wanted = fmin(fmax(least, times * h->read_seconds), longest);
    h->max_block_steps = (uint64_t)fmax(1, fmin(wanted * rate, max));
}

static koshu_status
run_engine(struct koshu_hermite *h, uint64_t until,
           struct koshu_block_progress *progress)
{
    double start = koshu_now();
    koshu_status status =
            h->ops->run(h->engine, until, h->max_block_steps, progress);
    if (status != KOSHU_OK) return fail_in_engine(h, status, progress);
    uint64_t n = koshu_particles_total(h->particles);
    double seconds = koshu_now() - start;
    KOSHU_TRY(koshu_largest(h->context, &seconds)); /* all plan the same call */
    h->interactions += progress->steps * n * h->options.iterations;
    h->seconds += seconds;
    plan_next_call(h, progress->blocks, seconds);
    return KOSHU_OK;
}

static void
move_clock(struct koshu_hermite *h, const struct koshu_block_progress *progress,
           const struct aim *aim)
{
    struct koshu_hermite_clock *c = &h->clock;
    if (progress->blocks == 0) return;
    c->ticks = progress->tick;
    c->block_steps += progress->blocks;
    c->particle_steps += progress->steps;
    if (aim->synchronised && c->ticks == aim->tick) {
        c->time = c->synchronised = aim->time;
        return;
    }
    c->time = time_at(c, c->ticks);
    if (c->time == aim->time) /* but for rounding it is not */
        c->time = nextafter(c->time, c->synchronised);
}

/* Ticks start again, long before they would run over. */
static koshu_status
wind_back(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    struct koshu_hermite_clock *c = &h->clock;
    if (c->ticks < UINT64_C(1) << 62) return KOSHU_OK;
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    for (size_t i = 0; i < p.n; i++) p.tick[i] = 0;
    c->origin_steps += c->ticks / KOSHU_TICKS;
    c->origin_time = c->time;
    c->ticks = 0;
    drop_engine(h);
    return KOSHU_OK;
}

static koshu_status
advance(void *self, double until, bool potential)
{
    struct koshu_hermite *h = self;
    struct koshu_block_progress progress = {0};
    struct aim aim = {0};
    KOSHU_TRY(koshu_particles_refuse_views(h->particles, KOSHU_ACCESS_WRITE,
                                           "the integrator"));
    KOSHU_TRY(koshu_check_threads(h->context));
    if (!h->evaluated) KOSHU_TRY(evaluate(h));
    KOSHU_TRY(take_aim(h, until, &aim));
    if (!h->engine) KOSHU_TRY(make_engine(h));
    uint64_t max = h->max_block_steps;
    KOSHU_TRY(run_engine(h, aim.tick, &progress));
    move_clock(h, &progress, &aim);
    KOSHU_TRY(read_engine(h));
    if (!aim.synchronised && progress.blocks < max) {
        drop_engine(h);
        KOSHU_TRY(koshu_hermite_synchronise(h, until));
        KOSHU_TRY(check_steps(h));
    }
    if (!is_synchronised(&h->clock)) return KOSHU_OK;
    if (potential) KOSHU_TRY(koshu_hermite_potential(h));
    return wind_back(h);
}

/* ---- the clock ----------------------------------------------------------- */

static struct koshu_integrator_clock
clock_of(const void *self)
{
    const struct koshu_hermite *h = self;
    const struct koshu_hermite_clock *c = &h->clock;
    return (struct koshu_integrator_clock){
            .size = sizeof(struct koshu_integrator_clock),
            .time = c->time,
            .synchronised = c->synchronised,
            .steps = c->block_steps,
            .particle_steps = c->particle_steps,
            .synchronised_steps = c->origin_steps + c->ticks / KOSHU_TICKS,
            .origin_time = c->origin_time,
            .origin_steps = c->origin_steps,
            .tick = c->dt / (double)KOSHU_TICKS,
            .ticks = c->ticks};
}

static koshu_status
resume(void *self, const struct koshu_integrator_clock *clock)
{
    struct koshu_hermite *h = self;
    drop_engine(h);
    h->clock = (struct koshu_hermite_clock){
            .time = clock->time,
            .synchronised = clock->synchronised,
            .origin_time = clock->origin_time,
            .dt = clock->tick * (double)KOSHU_TICKS,
            .ticks = clock->ticks,
            .block_steps = clock->steps,
            .particle_steps = clock->particle_steps,
            .origin_steps = clock->origin_steps};
    h->evaluated = h->clock.dt == h->options.dt;
    return KOSHU_OK;
}

static struct koshu_integrator_report
report_of(const void *self)
{
    const struct koshu_hermite *h = self;
    struct koshu_block_task task = koshu_hermite_task(h);
    const struct koshu_block_ops *own = h->backend->ops->block;
    size_t n = koshu_particles_count(h->particles);
    bool on_device = own && own->can(h->backend, &task, n);
    return (struct koshu_integrator_report){
            .size = sizeof(struct koshu_integrator_report),
            .engine = on_device ? "device" : "host",
            .interactions = h->interactions,
            .seconds = h->seconds};
}

const struct koshu_integrator_ops koshu_hermite = {.create = create,
                                                   .destroy = destroy,
                                                   .evaluate = evaluate,
                                                   .advance = advance,
                                                   .clock = clock_of,
                                                   .resume = resume,
                                                   .report = report_of};
