/* SPDX-License-Identifier: MIT */
/*
 * Algorithmic regularisation of a few bodies, as an integration scheme.
 *
 * The few-body code chooses its own steps. One step of the integrator spans the
 * time between two updates of the store. It starts from the bodies in the
 * store, so that a restarted run continues exactly as the original one.
 */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "fewbody/fewbody.h"
#include "integrate/integrate.h"
#include "particles/particles.h"
#include "solve/solve.h"

struct archain {
    struct koshu_integrator base;
    struct koshu_fewbody *bodies; /* NULL: not loaded yet */
};

static struct archain *
archain_of(struct koshu_integrator *integrator)
{
    return (struct archain *)integrator;
}

/* ---- what it can do ------------------------------------------------------ */

static koshu_status
check_solver(const struct koshu_integrator *i)
{
    const struct koshu_solver_options *o = &i->solver->options;
    if (o->softening != 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "softening = %g: archain regularises encounters "
                          "without one; set it to 0, or use the Hermite scheme",
                          o->softening);
    if (o->method != KOSHU_METHOD_DIRECT)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "solver %s: archain sums gravity of a few bodies by "
                          "itself; use a direct solver, or the leapfrog",
                          koshu_method_name(o->method));
    return KOSHU_OK;
}

static koshu_status
check_place(const struct koshu_integrator *i)
{
    const int ranks = koshu_context_ranks(i->context);
    if (ranks > 1)
        return koshu_fail(i->context, KOSHU_ERROR_UNSUPPORTED,
                          "%d ranks: archain integrates a few bodies on one; "
                          "start koshu without mpirun",
                          ranks);
    if (i->backend->ops->memory)
        return koshu_fail(i->context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s: archain integrates a few bodies on the "
                          "CPU; use backend simd (run.backend: cpu)",
                          i->backend->ops->name);
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_integrator *i)
{
    const struct koshu_integrator_options *o = &i->options;
    i->work.engine = "host";
    if (o->step_rule != KOSHU_STEP_RULE_FIXED)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "step rule %d: archain has its own steps, and all "
                          "bodies at one time every dt; use fixed",
                          (int)o->step_rule);
    KOSHU_TRY(check_solver(i));
    return check_place(i);
}

static void
destroy(struct koshu_integrator *i)
{
    koshu_fewbody_destroy(archain_of(i)->bodies);
}

/* ---- the store ----------------------------------------------------------- */

static koshu_status
acquire(struct koshu_integrator *i, struct koshu_particle_view *v)
{
    return koshu_particles_on_host(i->particles, KOSHU_FIELD_ALL,
                                   KOSHU_ACCESS_READ_WRITE, v);
}

/* Reads the bodies from the store. */
static koshu_status
take(struct koshu_integrator *i, const struct koshu_particle_view *v)
{
    struct archain *a = archain_of(i);
    const struct koshu_particle_const_view b = {.n = v->n,
                                                .mass = v->mass,
                                                .x = v->x,
                                                .y = v->y,
                                                .z = v->z,
                                                .vx = v->vx,
                                                .vy = v->vy,
                                                .vz = v->vz};
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    if (a->bodies) return koshu_fewbody_set(a->bodies, &b, i->clock.time);
    o.time = i->clock.time;
    if (i->options.tolerance > 0) o.tolerance = i->options.tolerance;
    o.slow_down = i->options.slow_down;
    return koshu_fewbody_create(i->context, &b, &o, &a->bodies);
}

/* Writes the bodies to the store; masses do not change. */
static koshu_status
give(struct koshu_integrator *i, const struct koshu_particle_view *v)
{
    struct koshu_particle_view to = *v;
    struct koshu_fewbody_report r = {.size = sizeof r};
    to.mass = NULL;
    KOSHU_TRY(koshu_fewbody_bodies(archain_of(i)->bodies, &to));
    KOSHU_TRY(koshu_fewbody_report(archain_of(i)->bodies, &r));
    i->work.interactions = r.interactions;
    return koshu_find_not_finite(i, i->clock.steps, i->clock.time);
}

static koshu_status
evaluate(struct koshu_integrator *i)
{
    struct koshu_particle_view v;
    KOSHU_TRY(acquire(i, &v));
    KOSHU_TRY(take(i, &v));
    KOSHU_TRY(give(i, &v));
    koshu_clock_new_origin(&i->clock);
    return KOSHU_OK;
}

/* ---- steps --------------------------------------------------------------- */

/* The end of the next step: the next multiple of dt, or `until` if that is
 * earlier. *whole: it is on the grid. */
static koshu_status
find_end(const struct koshu_integrator *i, double until, double *end,
         bool *whole)
{
    const struct koshu_integrator_clock *c = &i->clock;
    const double forward = koshu_integrator_forward(i);
    const double k = (double)(c->steps + 1 - c->origin_steps);
    *end = c->origin_time + k * i->options.dt;
    *whole = true;
    if (fabs(until - *end) <= koshu_time_rounding(c->time, *end))
        *end = until;
    else if ((until - *end) * forward < 0) {
        *end = until;
        *whole = false;
    }
    if ((*end - c->time) * forward > 0) return KOSHU_OK;
    return koshu_fail(i->context, KOSHU_ERROR_BAD_INPUT,
                      "dt = %g is too small to advance the time %g",
                      i->options.dt, c->time);
}

static koshu_status
move(struct koshu_integrator *i, double end)
{
    struct koshu_particle_view v;
    KOSHU_TRY(acquire(i, &v));
    KOSHU_TRY(take(i, &v));
    KOSHU_TRY(koshu_fewbody_integrate(archain_of(i)->bodies, end));
    return give(i, &v);
}

static koshu_status
advance(struct koshu_integrator *i, double until, bool potential)
{
    (void)potential; /* the few-body code has it at no extra cost */
    struct koshu_integrator_clock *c = &i->clock;
    const double start = koshu_now();
    double end;
    bool whole;
    KOSHU_TRY(find_end(i, until, &end, &whole));
    i->evaluated = false;
    KOSHU_TRY(move(i, end));
    c->time = c->synchronised = end;
    c->steps++;
    c->synchronised_steps++;
    if (!whole) koshu_clock_new_origin(c);
    i->evaluated = true;
    i->work.seconds += koshu_now() - start;
    return KOSHU_OK;
}

static koshu_status
resume(struct koshu_integrator *i, const struct koshu_integrator_clock *clock)
{
    return koshu_leapfrog.resume(i, clock);
}

const struct koshu_integrator_scheme koshu_archain = {
        .size = sizeof(struct archain),
        .check = check,
        .destroy = destroy,
        .evaluate = evaluate,
        .advance = advance,
        .resume = resume};
