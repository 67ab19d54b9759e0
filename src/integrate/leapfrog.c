/* SPDX-License-Identifier: MIT */
/* The leapfrog (kick-drift-kick), also in comoving coordinates. */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "solve/solve.h"

/* A planned step. */
struct step {
    double h;   /* its length */
    double end; /* the time after it */
    bool whole; /* it ends on the grid of the clock */
    struct koshu_step_factors factors;
};

/* Checks the options of steps from the acceleration. */
static koshu_status
check_adaptive(const struct koshu_integrator *i)
{
    if (i->options.dt < 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "dt = %g: steps from the acceleration cannot go "
                          "back in time; use a fixed step",
                          i->options.dt);
    if (i->solver->options.softening == 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "softening = 0: steps from the acceleration need a "
                          "softening > 0; give one, or use a fixed step");
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_integrator *i)
{
    i->work.engine = i->backend->ops->kick ? "device" : "host";
    switch (i->options.step_rule) {
    case KOSHU_STEP_RULE_FIXED: return KOSHU_OK;
    case KOSHU_STEP_RULE_ACCELERATION: return check_adaptive(i);
    default:
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "step rule %d: the leapfrog has fixed and "
                          "acceleration",
                          (int)i->options.step_rule);
    }
}

static void
take_external(struct koshu_integrator *i)
{
    const bool device = i->backend->ops->kick && !i->external;
    i->work.engine = device ? "device" : "host";
}

/* ---- the length of a step ------------------------------------------------ */

/* The time after a step x, which is a step of ln a in comoving coordinates. */
static double
later(const struct koshu_integrator *i, double time, double x)
{
    return i->comoving ? time * exp(x) : time + x;
}

/* The longest step from the acceleration; infinite: no limit. */
static koshu_status
find_longest(struct koshu_integrator *i, double *x)
{
    const struct koshu_universe *e = &i->expansion;
    const double eps = i->solver->options.softening, eta = i->options.eta;
    double a;
    const struct koshu_beside beside = {.c = i->comoving ? e->background : 0,
                                        .external = i->external};
    KOSHU_TRY(
            koshu_largest_acceleration(i->backend, i->particles, &beside, &a));
    *x = i->comoving ? koshu_comoving_step(e, i->clock.time, a, eta)
                     : eta * sqrt(eps / a);
    return KOSHU_OK;
}

/* The next step by the rule alone, without regard to where the caller wants to
 * stop. */
static koshu_status
plan_by_rule(struct koshu_integrator *i, struct step *step)
{
    const struct koshu_integrator_options *o = &i->options;
    const struct koshu_integrator_clock *c = &i->clock;
    *step = (struct step){.whole = o->step_rule == KOSHU_STEP_RULE_FIXED};
    if (step->whole) {
        double k = (double)(c->steps + 1 - c->origin_steps);
        step->end = later(i, c->origin_time, k * o->dt);
        step->h = i->comoving ? step->end - c->time : o->dt;
        return KOSHU_OK;
    }
    double x;
    KOSHU_TRY(find_longest(i, &x));
    x = fmin(o->dt, x);
    step->end = later(i, c->time, x);
    step->h = i->comoving ? step->end - c->time : x;
    return KOSHU_OK;
}

/* The factors of the kicks and the drift, for the length that has been
 * chosen. */
static void
find_factors(const struct koshu_integrator *i, struct step *step)
{
    const double h = step->h;
    step->factors = i->comoving
                            ? koshu_comoving_factors(&i->expansion,
                                                     i->clock.time, step->end)
                            : (struct koshu_step_factors){{h / 2, h / 2}, h};
}

static koshu_status
plan_step(struct koshu_integrator *i, double until, struct step *step)
{
    const double shortest_rest = 1e-3; /* of a step */
    const double time = i->clock.time, forward = koshu_integrator_forward(i);
    KOSHU_TRY(plan_by_rule(i, step));
    double rest = (until - step->end) * forward;
    if (fabs(rest) <= koshu_time_rounding(time, step->end))
        step->end = until;
    else if (rest < shortest_rest * fabs(step->h))
        *step = (struct step){.h = until - time, .end = until};
    find_factors(i, step);
    if ((step->end - time) * forward > 0) return KOSHU_OK;
    return koshu_fail(i->context, KOSHU_ERROR_BAD_INPUT,
                      "a time step of %g is too small to advance the time %g; "
                      "use more softening or a larger step",
                      step->h, time);
}

/* ---- the step ------------------------------------------------------------ */

/* Forces at a time; a comoving softening may depend on it. */
static koshu_status
sum(struct koshu_integrator *i, double time, unsigned fields)
{
    if (i->comoving)
        i->solver->options.softening =
                koshu_comoving_softening(&i->expansion, time);
    return koshu_solver_forces(i->solver, i->particles, fields);
}

static koshu_status
kick(struct koshu_integrator *i, double dt)
{
    const double background = i->expansion.background;
    KOSHU_TRY(koshu_kick(i->backend, i->particles, dt));
    if (i->external)
        KOSHU_TRY(koshu_kick_external(i->particles, i->external, dt));
    if (!i->comoving || background == 0) return KOSHU_OK;
    return koshu_kick_outward(i->particles, background * dt);
}

static koshu_status
drift(struct koshu_integrator *i, double dt)
{
    const double omega = koshu_external_rotation(i->external);
    return omega != 0 ? koshu_drift_turning(i->particles, omega, dt)
                      : koshu_drift(i->backend, i->particles, dt);
}

static koshu_status
evaluate(struct koshu_integrator *i)
{
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    KOSHU_TRY(sum(i, i->clock.time, fields));
    KOSHU_TRY(koshu_check_first_forces(i));
    koshu_clock_new_origin(&i->clock);
    return KOSHU_OK;
}

/* Ends the step on all ranks. If the failure is a value that is not finite,
 * names the particle. */
static koshu_status
end_step(struct koshu_integrator *i, koshu_status status,
         const struct step *step)
{
    struct koshu_integrator_clock *clock = &i->clock;
    status = koshu_ranks_collective_status(i->context, status);
    if (status == KOSHU_ERROR_NOT_FINITE)
        return koshu_name_not_finite(i, step->end, "a kick or drift");
    KOSHU_TRY(status);
    clock->time = clock->synchronised = step->end;
    clock->steps++;
    clock->synchronised_steps++;
    if (!step->whole) koshu_clock_new_origin(clock);
    i->evaluated = true;
    return KOSHU_OK;
}

/* Computes forces even if this rank could not move its particles, because the
 * sum is collective. */
static koshu_status
advance(struct koshu_integrator *i, double until, bool potential)
{
    const unsigned fields =
            KOSHU_FIELD_ACCELERATION | (potential ? KOSHU_FIELD_POTENTIAL : 0u);
    struct step step = {0};
    KOSHU_TRY(plan_step(i, until, &step));
    i->evaluated = false;
    const struct koshu_step_factors *f = &step.factors;
    koshu_status status = kick(i, f->kick[0]), summed = KOSHU_OK;
    if (status == KOSHU_OK) status = drift(i, f->drift);
    if (status == KOSHU_OK || koshu_context_ranks(i->context) > 1)
        summed = sum(i, step.end, fields);
    if (status == KOSHU_OK) status = summed;
    if (status == KOSHU_OK) status = kick(i, f->kick[1]);
    return end_step(i, status, &step);
}

/* Takes over the clock, but not what the block steps of another scheme wrote
 * there. */
static koshu_status
resume(struct koshu_integrator *i, const struct koshu_integrator_clock *clock)
{
    if (clock->time != clock->synchronised)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time = %.17g, last synchronised at %.17g: the "
                          "leapfrog resumes synchronised particles only",
                          clock->time, clock->synchronised);
    i->clock = *clock;
    i->clock.synchronised_steps = clock->steps;
    i->clock.particle_steps = i->clock.ticks = 0;
    i->clock.tick = 0;
    i->evaluated = true;
    return KOSHU_OK;
}

const struct koshu_integrator_scheme koshu_leapfrog = {
        .size = sizeof(struct koshu_integrator),
        .check = check,
        .take_external = take_external,
        .evaluate = evaluate,
        .advance = advance,
        .resume = resume};
