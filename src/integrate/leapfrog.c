/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "integrate/kick_drift.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* Where it stands: with a fixed step the time after k more steps is
 * origin_time + (steps + k - origin_steps) dt. */
struct clock {
    double time;
    uint64_t steps;
    double origin_time;
    uint64_t origin_steps;
};

struct leapfrog {
    struct koshu_context *context;
    struct koshu_integrator_options options;
    struct koshu_solver *solver;
    struct koshu_backend *backend; /* the context's: it moves them */
    struct koshu_particles *particles;
    struct clock clock;
    bool evaluated; /* the store's accelerations are those at its positions */
};

/* A step that is planned. */
struct step {
    double h;   /* its length */
    double end; /* the time after it */
    bool whole; /* it ends on the grid of the clock */
};

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_integrator_options *o, double eps)
{
    if (o->step_rule != KOSHU_STEP_RULE_FIXED &&
        o->step_rule != KOSHU_STEP_RULE_ACCELERATION)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "step rule %d: the leapfrog has fixed and "
                          "acceleration",
                          (int)o->step_rule);
    if (o->step_rule == KOSHU_STEP_RULE_FIXED) return KOSHU_OK;
    if (o->dt < 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "dt = %g: steps from the acceleration cannot go "
                          "back in time; use a fixed step",
                          o->dt);
    if (eps == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "softening = 0: steps from the acceleration need a "
                          "softening > 0; give one, or use a fixed step");
    return KOSHU_OK;
}

static koshu_status
create(const struct koshu_integrator_options *options,
       struct koshu_solver *solver, struct koshu_particles *particles,
       double time, void **self)
{
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_TRY(check_options(context, options,
                            koshu_solver_own_options(solver)->softening));
    struct koshu_backend *backend;
    struct leapfrog *l = calloc(1, sizeof *l);
    koshu_status status = koshu_backend_of(context, &backend);
    if (!l) status = koshu_fail_memory(context, sizeof *l, "leapfrog");
    status = koshu_ranks_collective_status(context, status);
    if (status != KOSHU_OK) {
        free(l);
        return status;
    }
    *l = (struct leapfrog){.context = context,
                           .options = *options,
                           .solver = solver,
                           .backend = backend,
                           .particles = particles,
                           .clock = {.time = time, .origin_time = time}};
    *self = l;
    return KOSHU_OK;
}

static void
destroy(void *self)
{
    free(self);
}

/* ---- the length of a step ------------------------------------------------ */

/* The next step by the rule alone, wherever the caller wants to stop. */
static koshu_status
plan_by_rule(struct leapfrog *l, struct step *step)
{
    const struct koshu_integrator_options *o = &l->options;
    const struct clock *c = &l->clock;
    if (o->step_rule == KOSHU_STEP_RULE_FIXED) {
        double k = (double)(c->steps + 1 - c->origin_steps);
        *step = (struct step){o->dt, c->origin_time + k * o->dt, true};
        return KOSHU_OK;
    }
    double a;
    KOSHU_TRY(koshu_largest_acceleration(l->backend, l->particles, &a));
    double eps = koshu_solver_own_options(l->solver)->softening;
    double h = fmin(o->dt, o->eta * sqrt(eps / a)); /* a = 0: dt */
    *step = (struct step){h, c->time + h, false};
    return KOSHU_OK;
}

static koshu_status
plan_step(struct leapfrog *l, double until, struct step *step)
{
    const double shortest_rest = 1e-3; /* of a step */
    double time = l->clock.time;
    double forward = l->options.dt > 0 ? 1 : -1;
    if (!((until - time) * forward > 0))
        return koshu_fail(l->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "until = %.17g does not lie ahead of time = %.17g, "
                          "dt = %g",
                          until, time, l->options.dt);
    KOSHU_TRY(plan_by_rule(l, step));
    double rest = (until - step->end) * forward;
    double rounding = 16 * DBL_EPSILON * fmax(fabs(time), fabs(step->end));
    if (fabs(rest) <= rounding)
        step->end = until;
    else if (rest < shortest_rest * fabs(step->h))
        *step = (struct step){until - time, until, false};
    if ((step->end - time) * forward > 0) return KOSHU_OK;
    return koshu_fail(l->context, KOSHU_ERROR_BAD_INPUT,
                      "a time step of %g is too small to advance the time %g; "
                      "use more softening or a larger step",
                      step->h, time);
}

/* ---- the step ------------------------------------------------------------ */

static koshu_status
forces(struct leapfrog *l, bool potential)
{
    unsigned fields =
            KOSHU_FIELD_ACCELERATION | (potential ? KOSHU_FIELD_POTENTIAL : 0u);
    return koshu_solver_forces(l->solver, l->particles, fields);
}

static koshu_status
evaluate(void *self)
{
    struct leapfrog *l = self;
    l->evaluated = false;
    KOSHU_TRY(forces(l, true));
    KOSHU_TRY(
            koshu_find_not_finite(l->particles, l->clock.steps, l->clock.time));
    l->clock.origin_time = l->clock.time;
    l->clock.origin_steps = l->clock.steps;
    l->evaluated = true;
    return KOSHU_OK;
}

/* The sum is of all ranks: one whose particles could not be moved takes part in
 * it all the same. */
static koshu_status
kick_drift_kick(struct leapfrog *l, double h, bool potential)
{
    koshu_status status = koshu_kick(l->backend, l->particles, h / 2);
    if (status == KOSHU_OK) status = koshu_drift(l->backend, l->particles, h);
    bool all = status == KOSHU_OK || koshu_context_ranks(l->context) > 1;
    koshu_status summed = all ? forces(l, potential) : KOSHU_OK;
    if (status != KOSHU_OK) return status;
    KOSHU_TRY(summed);
    return koshu_kick(l->backend, l->particles, h / 2);
}

/* Names the particle that is not finite, if that is what the step failed of. */
static koshu_status
explain(struct leapfrog *l, koshu_status status, double time)
{
    if (status != KOSHU_ERROR_NOT_FINITE) return status;
    KOSHU_TRY(koshu_find_not_finite(l->particles, l->clock.steps + 1, time));
    return koshu_fail(l->context, KOSHU_ERROR_INTERNAL,
                      "backend %s: a kick or drift reports a particle that is "
                      "not finite, but there is none",
                      l->backend->ops->name);
}

static void
advance_clock(struct clock *clock, const struct step *step)
{
    clock->time = step->end;
    clock->steps++;
    if (step->whole) return;
    clock->origin_time = clock->time;
    clock->origin_steps = clock->steps;
}

static koshu_status
advance(void *self, double until, bool potential)
{
    struct leapfrog *l = self;
    struct step step = {0};
    KOSHU_TRY(koshu_particles_refuse_views(l->particles, KOSHU_ACCESS_WRITE,
                                           "the integrator"));
    KOSHU_TRY(koshu_check_threads(l->context));
    if (!l->evaluated) KOSHU_TRY(evaluate(l));
    KOSHU_TRY(plan_step(l, until, &step));
    l->evaluated = false;
    koshu_status status = kick_drift_kick(l, step.h, potential);
    status = koshu_ranks_collective_status(l->context, status);
    KOSHU_TRY(explain(l, status, step.end));
    advance_clock(&l->clock, &step);
    l->evaluated = true;
    return KOSHU_OK;
}

/* ---- the clock ----------------------------------------------------------- */

static struct koshu_integrator_clock
clock_of(const void *self)
{
    const struct leapfrog *l = self;
    return (struct koshu_integrator_clock){
            .size = sizeof(struct koshu_integrator_clock),
            .time = l->clock.time,
            .synchronised = l->clock.time,
            .steps = l->clock.steps,
            .synchronised_steps = l->clock.steps,
            .origin_time = l->clock.origin_time,
            .origin_steps = l->clock.origin_steps};
}

static koshu_status
resume(void *self, const struct koshu_integrator_clock *clock)
{
    struct leapfrog *l = self;
    if (clock->time != clock->synchronised)
        return koshu_fail(l->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time = %.17g, last synchronised at %.17g: the "
                          "leapfrog resumes synchronised particles only",
                          clock->time, clock->synchronised);
    l->clock = (struct clock){.time = clock->time,
                              .steps = clock->steps,
                              .origin_time = clock->origin_time,
                              .origin_steps = clock->origin_steps};
    l->evaluated = true;
    return KOSHU_OK;
}

static struct koshu_integrator_report
report_of(const void *self)
{
    const struct leapfrog *l = self;
    return (struct koshu_integrator_report){
            .size = sizeof(struct koshu_integrator_report),
            .engine = l->backend->ops->kick ? "device" : "host"};
}

const struct koshu_integrator_ops koshu_leapfrog = {.create = create,
                                                    .destroy = destroy,
                                                    .evaluate = evaluate,
                                                    .advance = advance,
                                                    .clock = clock_of,
                                                    .resume = resume,
                                                    .report = report_of};
