/* SPDX-License-Identifier: MIT */
/*
 * Block steps with few-body groups. A call goes from one synchronised time to
 * the next, because only then does the particle store hold the complete state.
 * If the caller stops earlier, the ticks of that call are shorter.
 */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/subsystems.h"
#include "integrate/hermite.h"
#include "kernels/steps.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* ---- what goes with groups ----------------------------------------------- */

static koshu_status
check_solver(const struct koshu_integrator *i)
{
    const struct koshu_solver_options *s = &i->solver->options;
    if (s->softening != 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "softening = %g: regularisation = %g is of "
                          "encounters without one; set either to 0",
                          s->softening, i->options.regularisation);
    if (s->method != KOSHU_METHOD_DIRECT)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "solver %s: regularisation is of gravity that is "
                          "summed directly; use a direct solver",
                          koshu_method_name(s->method));
    return KOSHU_OK;
}

static koshu_status
check_scheme(const struct koshu_integrator *i)
{
    const struct koshu_integrator_options *o = &i->options;
    if (!(o->tolerance >= 1e-16 && o->tolerance <= 1e-3))
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "tolerance = %g: expected 1e-16 to 1e-3; 1e-12 is "
                          "good for groups",
                          o->tolerance);
    if (!(o->slow_down >= 0 && o->slow_down <= 0.01))
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "slow_down = %g: expected the part of a pair's "
                          "energy that may be off, 0 to 0.01; 0: none is "
                          "slowed",
                          o->slow_down);
    if (o->step_rule != KOSHU_STEP_RULE_BLOCK)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "regularisation = %g goes with block steps alone, "
                          "not with fixed ones",
                          o->regularisation);
    if (o->dt < 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "dt = %g: groups of regularisation go forward in "
                          "time alone; use archain, or regularisation 0",
                          o->dt);
    if (o->iterations > 1)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "iterations = %u: with regularisation steps are "
                          "evaluated once; set it to 1",
                          o->iterations);
    return KOSHU_OK;
}

koshu_status
koshu_hermite_check_subsystems(const struct koshu_hermite *h)
{
    KOSHU_TRY(check_scheme(&h->base));
    return check_solver(&h->base);
}

static struct koshu_radius_law
radius_of(const struct koshu_hermite *h)
{
    const struct koshu_integrator_options *o = &h->base.options;
    return (struct koshu_radius_law){o->radius, o->radius_mass,
                                     o->radius_exponent};
}

/* Bodies whose radii touch must be in one group by then. */
static koshu_status
check_radius(const struct koshu_hermite *h, size_t k, double mass)
{
    const double largest = h->base.options.regularisation / 32;
    const struct koshu_radius_law law = radius_of(h);
    const double radius = koshu_radius_of(&law, mass);
    if (radius <= largest) return KOSHU_OK;
    return koshu_fail(h->base.context, KOSHU_ERROR_BAD_INPUT,
                      "particle %zu: its radius is %g, but at most a 32nd of "
                      "regularisation, %g, is resolved; give a larger "
                      "regularisation, or smaller radii",
                      k, radius, largest);
}

static koshu_status
check_masses(const struct koshu_hermite *h,
             const struct koshu_block_particles *p)
{
    const struct koshu_integrator *i = &h->base;
    const size_t first = koshu_particles_first(i->particles);
    for (size_t k = 0; k < p->n; k++) {
        if (i->options.radius > 0)
            KOSHU_TRY(check_radius(h, first + k, p->mass[k]));
        if (!(p->mass[k] > 0))
            return koshu_fail(i->context, KOSHU_ERROR_BAD_INPUT,
                              "particle %zu: mass = %g, with regularisation it "
                              "must be > 0; give a test particle a small one, "
                              "1e-12 of the others say",
                              first + k, p->mass[k]);
    }
    return KOSHU_OK;
}

koshu_status
koshu_hermite_check_bodies(struct koshu_hermite *h)
{
    struct koshu_block_particles p;
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    return koshu_ranks_collective_status(h->base.context, check_masses(h, &p));
}

/* If a device computes the sums, the CPU threads have time for helpers. */
static size_t
helpers_of(const struct koshu_integrator *i)
{
    const size_t threads = (size_t)koshu_context_threads(i->context);
    if (!i->backend->ops->memory || threads < 4) return 0;
    return threads < 8 ? 1 : threads / 8;
}

static struct koshu_subsystem_options
options_of(const struct koshu_hermite *h)
{
    const struct koshu_integrator_options *o = &h->base.options;
    return (struct koshu_subsystem_options){.distance = o->regularisation,
                                            .tolerance = o->tolerance,
                                            .perturbation = o->perturbation,
                                            .slow_down = o->slow_down,
                                            .radius = radius_of(h),
                                            .helpers = helpers_of(&h->base),
                                            .external = h->base.external};
}

/* ---- conversion of steps to other ticks ---------------------------------- */

/* Rounds steps down, but to no less than one tick. */
static void
rescale(const struct koshu_block_particles *p, double from, double to)
{
    for (size_t k = 0; k < p->n; k++) {
        const double step = (double)p->step[k] * from / to;
        p->step[k] = koshu_first_step(KOSHU_TICKS, step * step);
        if (p->step[k] == 0) p->step[k] = 1;
        p->tick[k] = 0;
    }
}

/* Adds the cost of groups up to that time to the report; does nothing on ranks
 * other than the first. */
static koshu_status
report_groups(struct koshu_integrator *i, const struct koshu_group_cost *cost,
              double time)
{
    struct koshu_integrator_report *r = &i->work;
    struct koshu_particle_view v;
    r->group_forces += cost->forces;
    if (cost->largest <= r->hardest_forces) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_host(i->particles, KOSHU_FIELD_ID,
                                      KOSHU_ACCESS_READ, &v));
    r->hardest_forces = cost->largest;
    r->hardest_bodies = cost->bodies;
    r->hardest_id = v.id[cost->body];
    r->hardest_time = time;
    return KOSHU_OK;
}

static koshu_status
run(struct koshu_hermite *h, double tick, const struct koshu_block_particles *p,
    struct koshu_mergers *mergers, struct koshu_block_progress *progress,
    struct koshu_group_cost *cost)
{
    struct koshu_integrator *i = &h->base;
    const size_t n = koshu_particles_total(i->particles);
    struct koshu_subsystem_run r = {.task = koshu_hermite_task(h),
                                    .eta_start = i->options.eta_start,
                                    .options = options_of(h),
                                    .particles = *p,
                                    .mergers = mergers,
                                    .progress = progress,
                                    .cost = cost};
    const double start = koshu_now();
    r.task.tick = tick;
    const koshu_status status =
            koshu_subsystems_run_on_ranks(i->backend, n, &r);
    /* otherwise the message is there already */
    if (status == KOSHU_ERROR_NOT_FINITE)
        KOSHU_TRY(koshu_find_not_finite(i, i->clock.steps, i->clock.time));
    KOSHU_TRY(status);
    i->work.interactions += progress->steps * n;
    i->work.seconds += koshu_now() - start;
    return KOSHU_OK;
}

/* ---- to the next synchronised time --------------------------------------- */

static void
move_clock(struct koshu_integrator_clock *c, double time,
           const struct koshu_block_progress *progress)
{
    c->time = c->synchronised = time;
    c->steps += progress->blocks;
    c->particle_steps += progress->steps;
    c->ticks += KOSHU_TICKS;
    c->synchronised_steps++;
}

/* One call, to the next synchronised time or to `until` if that is earlier. */
struct leg {
    double time, whole, tick; /* ticks of a whole dt; ticks of this leg */
    bool is_part;
};

static koshu_status
plan_leg(const struct koshu_hermite *h, double until, struct leg *leg)
{
    const struct koshu_integrator_clock *c = &h->base.clock;
    const double whole = h->base.options.dt / (double)KOSHU_TICKS,
                 next = koshu_hermite_time_at(h, c->ticks + KOSHU_TICKS);
    const bool is_on_grid =
            fabs(until - next) <= koshu_time_rounding(c->time, next);
    *leg = (struct leg){next, whole, whole, !is_on_grid && until < next};
    if (leg->is_part) leg->tick = (until - c->time) / (double)KOSHU_TICKS;
    if (is_on_grid || leg->is_part) leg->time = until;
    if (leg->time > c->time) return KOSHU_OK;
    return koshu_fail(h->base.context, KOSHU_ERROR_BAD_INPUT,
                      "dt = %g is too small to advance the time %g",
                      h->base.options.dt, c->time);
}

/* Advances particles that are all on rank 0. */
static koshu_status
run_leg(struct koshu_hermite *h, const struct leg *leg,
        struct koshu_block_progress *progress)
{
    struct koshu_context *context = h->base.context;
    struct koshu_block_particles p;
    struct koshu_mergers mergers = {0};
    struct koshu_group_cost cost = {0};
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    KOSHU_TRY(koshu_ranks_collective_status(context, check_masses(h, &p)));
    if (leg->is_part) rescale(&p, leg->whole, leg->tick);
    koshu_status status = run(h, leg->tick, &p, &mergers, progress, &cost);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                context, report_groups(&h->base, &cost, leg->time));
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                context, koshu_hermite_merge(h, &mergers));
    koshu_free(mergers.merger);
    return status;
}

koshu_status
koshu_hermite_advance_subsystems(struct koshu_hermite *h, double until)
{
    struct koshu_particles *particles = h->base.particles;
    struct koshu_block_particles p;
    struct koshu_block_progress progress;
    struct leg leg;
    KOSHU_TRY(plan_leg(h, until, &leg));
    KOSHU_TRY(koshu_particles_to_first_rank(particles));
    const koshu_status status = run_leg(h, &leg, &progress);
    KOSHU_TRY(koshu_particles_to_all_ranks(particles));
    KOSHU_TRY(status);
    move_clock(&h->base.clock, leg.time, &progress);
    if (!leg.is_part) return KOSHU_OK;
    KOSHU_TRY(koshu_hermite_acquire(h, &p));
    rescale(&p, leg.tick, leg.whole);
    koshu_hermite_new_origin(h, &p);
    return KOSHU_OK;
}
