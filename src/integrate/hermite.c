/* SPDX-License-Identifier: MIT */
/* The Hermite scheme with block time steps: clock, evaluation and steps. */
#include "integrate/hermite.h"

#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* The struct begins with the integrator. */
static struct koshu_hermite *
hermite_of(struct koshu_integrator *integrator)
{
    return (struct koshu_hermite *)integrator;
}

/* ---- life ---------------------------------------------------------------- */

/* Uses the device's engine if all particles are on one device and it has one,
 * else the host's. */
static void
choose_engine(struct koshu_hermite *h)
{
    struct koshu_integrator *i = &h->base;
    const struct koshu_block_task task = koshu_hermite_task(h);
    const struct koshu_block_ops *own = i->backend->ops->block;
    const bool on_device =
            own && !task.interaction && !i->external &&
            i->options.regularisation == 0 &&
            koshu_context_ranks(i->context) == 1 &&
            own->can(i->backend, &task, koshu_particles_count(i->particles));
    h->ops = on_device ? own : &koshu_block_host;
    i->work.engine = on_device ? "device" : "host";
}

static koshu_status
check_supported(const struct koshu_integrator *i)
{
    const enum koshu_step_rule rule = i->options.step_rule;
    if (rule != KOSHU_STEP_RULE_FIXED && rule != KOSHU_STEP_RULE_BLOCK)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "step rule %d: the Hermite scheme has block and "
                          "fixed steps",
                          (int)rule);
    if (!i->backend->ops->j_store)
        return koshu_fail(i->context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s cannot sum jerks, which the Hermite "
                          "scheme needs",
                          i->backend->ops->name);
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_integrator *i)
{
    enum { FIRST_CALL = 16 };
    struct koshu_hermite *h = hermite_of(i);
    const uint64_t max = i->options.max_block_steps;
    KOSHU_TRY(check_supported(i));
    h->max_block_steps = max ? max : FIRST_CALL;
    i->clock.tick = i->options.dt / (double)KOSHU_TICKS;
    if (i->options.regularisation != 0)
        KOSHU_TRY(koshu_hermite_check_subsystems(h));
    choose_engine(h);
    const struct koshu_block_task task = koshu_hermite_task(h);
    if (task.precision == KOSHU_PRECISION_SINGLE && !task.interaction)
        koshu_log(i->context, KOSHU_LOG_LEVEL_WARNING,
                  "single precision is too coarse for the Hermite scheme: it "
                  "keeps the energy to about 1e-6; use mixed or double");
    return KOSHU_OK;
}

static void
destroy(struct koshu_integrator *i)
{
    koshu_hermite_drop_engine(hermite_of(i));
    koshu_free(hermite_of(i)->accelerations);
}

static void
take_external(struct koshu_integrator *i)
{
    koshu_hermite_drop_engine(hermite_of(i));
    choose_engine(hermite_of(i));
}

/* ---- time ---------------------------------------------------------------- */

static bool
is_synchronised(const struct koshu_hermite *h)
{
    return h->base.clock.ticks % KOSHU_TICKS == 0;
}

/* How far one call may go. */
struct aim {
    uint64_t tick;
    double time;       /* of that tick, or of a partial step after it */
    bool synchronised; /* the particles are synchronised at `tick` */
};

static uint64_t
tick_before(const struct koshu_hermite *h, double time)
{
    const struct koshu_integrator_clock *c = &h->base.clock;
    double past = (time - c->origin_time) / c->tick;
    uint64_t tick = past > 0 ? (uint64_t)past : 0;
    while (tick > 0 &&
           (time - koshu_hermite_time_at(h, tick)) * h->base.options.dt <= 0)
        tick--;
    return tick;
}

static koshu_status
take_aim(struct koshu_hermite *h, double until, struct aim *aim)
{
    const struct koshu_integrator_clock *c = &h->base.clock;
    const double forward = koshu_integrator_forward(&h->base);
    uint64_t tick = (c->ticks / KOSHU_TICKS + 1) * KOSHU_TICKS;
    double time = koshu_hermite_time_at(h, tick);
    if (fabs(until - time) <= koshu_time_rounding(c->time, time))
        *aim = (struct aim){tick, until, true};
    else if ((until - time) * forward > 0)
        *aim = (struct aim){tick, time, true};
    else
        *aim = (struct aim){tick_before(h, until), until, false};
    if ((aim->time - c->synchronised) * forward > 0) return KOSHU_OK;
    return koshu_fail(h->base.context, KOSHU_ERROR_BAD_INPUT,
                      "dt = %g is too small to advance the time %g",
                      h->base.options.dt, c->time);
}

static void
move_clock(struct koshu_hermite *h, const struct koshu_block_progress *progress,
           const struct aim *aim)
{
    struct koshu_integrator_clock *c = &h->base.clock;
    if (progress->blocks == 0) return;
    c->ticks = progress->tick;
    c->steps += progress->blocks;
    c->particle_steps += progress->steps;
    c->synchronised_steps = c->origin_steps + c->ticks / KOSHU_TICKS;
    if (aim->synchronised && c->ticks == aim->tick) {
        c->time = c->synchronised = aim->time;
        return;
    }
    c->time = koshu_hermite_time_at(h, c->ticks);
    if (c->time == aim->time) /* equal by rounding, but not synchronised */
        c->time = nextafter(c->time, c->synchronised);
}

/* Starts the count of ticks anew, long before it could overflow. */
static koshu_status
wind_back(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    if (h->base.clock.ticks < UINT64_C(1) << 62) return KOSHU_OK;
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    koshu_hermite_new_origin(h, &p);
    koshu_hermite_drop_engine(h);
    return KOSHU_OK;
}

/* ---- evaluation and steps ------------------------------------------------ */

static koshu_status
evaluate(struct koshu_integrator *i)
{
    struct koshu_hermite *h = hermite_of(i);
    koshu_hermite_drop_engine(h);
    if (!is_synchronised(h))
        KOSHU_TRY(koshu_hermite_synchronise(h, i->clock.time));
    KOSHU_TRY(koshu_hermite_start(h));
    KOSHU_TRY(koshu_hermite_potential(h));
    KOSHU_TRY(koshu_find_not_finite(i, i->clock.steps, i->clock.time));
    return i->options.regularisation > 0 ? koshu_hermite_check_bodies(h)
                                         : koshu_hermite_check_steps(h);
}

static koshu_status
advance_groups(struct koshu_hermite *h, double until, bool potential)
{
    if (!is_synchronised(h)) /* the clock comes from a run without groups */
        KOSHU_TRY(koshu_hermite_synchronise(h, h->base.clock.time));
    KOSHU_TRY(koshu_hermite_advance_subsystems(h, until));
    if (potential) KOSHU_TRY(koshu_hermite_potential(h));
    return wind_back(h);
}

static koshu_status
advance(struct koshu_integrator *i, double until, bool potential)
{
    struct koshu_hermite *h = hermite_of(i);
    if (i->options.regularisation > 0)
        return advance_groups(h, until, potential);
    struct koshu_block_progress progress = {0};
    struct aim aim = {0};
    KOSHU_TRY(take_aim(h, until, &aim));
    const uint64_t max = h->max_block_steps;
    KOSHU_TRY(koshu_hermite_blocks(h, aim.tick, &progress));
    move_clock(h, &progress, &aim);
    if (!aim.synchronised && progress.blocks < max) {
        koshu_hermite_drop_engine(h);
        KOSHU_TRY(koshu_hermite_synchronise(h, until));
        KOSHU_TRY(koshu_hermite_check_steps(h));
    }
    if (!is_synchronised(h)) return KOSHU_OK;
    if (potential) KOSHU_TRY(koshu_hermite_potential(h));
    return wind_back(h);
}

/* Another dt or another scheme has ticks of another length, so steps are chosen
 * anew. */
static koshu_status
resume(struct koshu_integrator *i, const struct koshu_integrator_clock *clock)
{
    koshu_hermite_drop_engine(hermite_of(i));
    i->clock = *clock;
    i->clock.synchronised_steps =
            clock->origin_steps + clock->ticks / KOSHU_TICKS;
    i->evaluated = clock->tick == i->options.dt / (double)KOSHU_TICKS;
    return KOSHU_OK;
}

static koshu_status
renew(struct koshu_integrator *i)
{
    return koshu_hermite_renew(hermite_of(i));
}

const struct koshu_integrator_scheme koshu_hermite = {
        .size = sizeof(struct koshu_hermite),
        .check = check,
        .take_external = take_external,
        .destroy = destroy,
        .evaluate = evaluate,
        .advance = advance,
        .resume = resume,
        .renew = renew};
