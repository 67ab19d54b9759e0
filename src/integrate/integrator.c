/* SPDX-License-Identifier: MIT */
/* The public interface of integrators: chooses the scheme and completes its
 * options. */
#include <koshu/integrator.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* ---- names --------------------------------------------------------------- */

static const struct koshu_integrator_scheme *const schemes[] = {
        [KOSHU_SCHEME_LEAPFROG] = &koshu_leapfrog,
        [KOSHU_SCHEME_HERMITE] = &koshu_hermite,
        [KOSHU_SCHEME_ARCHAIN] = &koshu_archain};
enum { N_SCHEMES = sizeof schemes / sizeof schemes[0] };

static const char *const scheme_names[N_SCHEMES] = {"leapfrog", "hermite",
                                                    "archain"};
static const char *const rule_names[] = {"default", "fixed", "acceleration",
                                         "block"};

KOSHU_ENUM_NAMES(koshu_scheme, "an integration scheme", scheme_names)
KOSHU_ENUM_NAMES(koshu_step_rule, "a step rule", rule_names)

static const char *const kind_names[] = {"merger", "escape", "tide"};
KOSHU_ENUM_NAMES(koshu_event_kind, "a kind of event", kind_names)

/* ---- options ------------------------------------------------------------- */

KOSHU_DEFINE_DEFAULT(koshu_integrator_options, 0)

struct koshu_integrator_options
koshu_integrator_defaults(enum koshu_scheme scheme)
{
    struct koshu_integrator_options o = koshu_integrator_options_default();
    const bool hermite = scheme == KOSHU_SCHEME_HERMITE;
    o.scheme = scheme;
    o.step_rule = hermite ? KOSHU_STEP_RULE_BLOCK : KOSHU_STEP_RULE_FIXED;
    o.dt = scheme == KOSHU_SCHEME_LEAPFROG ? 1.0 / 256 : 1.0 / 8;
    o.eta = hermite ? 0.002 : 0.1;
    o.eta_start = 0.0005;
    o.iterations = 1;
    o.tolerance = hermite ? 1e-12 : 1e-15;
    o.perturbation = 1e-6;
    o.radius_mass = 1;
    return o;
}

static void
fill_defaults(struct koshu_integrator_options *o)
{
    const struct koshu_integrator_options d =
            koshu_integrator_defaults(o->scheme);
    if (o->step_rule == KOSHU_STEP_RULE_DEFAULT) o->step_rule = d.step_rule;
    if (o->dt == 0) o->dt = d.dt;
    if (o->eta == 0) o->eta = d.eta;
    if (o->eta_start == 0) o->eta_start = d.eta_start;
    if (o->iterations == 0) o->iterations = d.iterations;
    if (o->tolerance == 0) o->tolerance = d.tolerance;
    if (o->perturbation == 0) o->perturbation = d.perturbation;
    if (o->radius_mass == 0) o->radius_mass = d.radius_mass;
}

static koshu_status
check_positive(struct koshu_context *context, const char *name, double x)
{
    if (x > 0 && isfinite(x)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s = %g: it must be finite and > 0", name, x);
}

static koshu_status
check_radius(struct koshu_context *context,
             const struct koshu_integrator_options *o)
{
    if (!(o->radius >= 0) || !isfinite(o->radius) ||
        !isfinite(o->radius_exponent))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "radius = %g, radius_exponent = %g: expected the "
                          "radius of a body, finite and >= 0, and how it goes "
                          "with the mass",
                          o->radius, o->radius_exponent);
    KOSHU_TRY(check_positive(context, "radius_mass", o->radius_mass));
    if (o->radius == 0 || o->regularisation > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "radius = %g: bodies that touch are found in few-body "
                      "groups alone; use the Hermite scheme with "
                      "regularisation > 0",
                      o->radius);
}

/* Checks what every scheme requires; the scheme checks the rest. */
static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_integrator_options *o, double time)
{
    if (!isfinite(o->dt))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "dt = %g: a time step must be finite", o->dt);
    if (!isfinite(time))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time = %g: a run begins at a finite time", time);
    if (!(o->regularisation >= 0) || !isfinite(o->regularisation))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "regularisation = %g: expected a distance, finite "
                          "and >= 0; 0: none",
                          o->regularisation);
    KOSHU_TRY(check_positive(context, "perturbation", o->perturbation));
    KOSHU_TRY(check_radius(context, o));
    KOSHU_TRY(check_positive(context, "eta", o->eta));
    return check_positive(context, "eta_start", o->eta_start);
}

/* ---- life ---------------------------------------------------------------- */

/* Allocates on all ranks or on none: a rank without memory or without the
 * backend fails all of them. */
static koshu_status
allocate(struct koshu_context *context,
         const struct koshu_integrator_scheme *scheme,
         struct koshu_integrator **integrator)
{
    struct koshu_backend *backend;
    struct koshu_integrator *i = calloc(1, scheme->size);
    koshu_status status = koshu_backend_of(context, &backend);
    if (!i) status = koshu_fail_memory(context, scheme->size, "integrator");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) {
        i->scheme = scheme;
        i->context = context;
        i->backend = backend;
        *integrator = i;
    } else
        free(i);
    return status;
}

/* Fills in the defaults of the options and checks them. */
static koshu_status
read_options(struct koshu_context *context,
             const struct koshu_integrator_options *given, double time,
             struct koshu_integrator_options *options)
{
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_integrator_options, given,
                                 options));
    if ((unsigned)options->scheme >= N_SCHEMES)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "scheme %d is none of leapfrog, hermite and archain",
                          (int)options->scheme);
    fill_defaults(options);
    return check_options(context, options, time);
}

koshu_status
koshu_integrator_create(struct koshu_solver *solver,
                        struct koshu_particles *particles, double time,
                        const struct koshu_integrator_options *options,
                        struct koshu_integrator **integrator)
{
    KOSHU_REQUIRE(NULL, solver);
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, integrator);
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_integrator_options o;
    struct koshu_integrator *i;
    *integrator = NULL;
    KOSHU_TRY(read_options(context, options, time, &o));
    KOSHU_TRY(allocate(context, schemes[o.scheme], &i));
    i->solver = solver;
    i->particles = particles;
    i->options = o;
    i->clock = (struct koshu_integrator_clock){.size = sizeof i->clock,
                                               .time = time,
                                               .synchronised = time,
                                               .origin_time = time};
    i->work.size = sizeof i->work;
    koshu_status status = i->scheme->check(i);
    if (status == KOSHU_OK)
        *integrator = i;
    else
        koshu_integrator_destroy(i);
    return status;
}

void
koshu_integrator_destroy(struct koshu_integrator *integrator)
{
    if (!integrator) return;
    if (integrator->scheme->destroy) integrator->scheme->destroy(integrator);
    koshu_free(integrator->event);
    free(integrator);
}

/* ---- external fields ----------------------------------------------------- */

koshu_status
koshu_integrator_set_external(struct koshu_integrator *integrator,
                              const struct koshu_external *external)
{
    KOSHU_REQUIRE(NULL, integrator);
    struct koshu_integrator *i = integrator;
    if (i->clock.steps > 0 || i->evaluated)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "external fields are set before the first step or "
                          "evaluation; create another integrator");
    if (external && koshu_solver_box(i->solver) > 0)
        return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "external fields in a periodic box would act on one "
                          "image of each particle alone; use an isolated "
                          "boundary");
    if (external && !i->scheme->take_external)
        return koshu_fail(i->context, KOSHU_ERROR_UNSUPPORTED,
                          "the scheme %s takes no external fields: use "
                          "hermite or leapfrog",
                          koshu_scheme_name(i->options.scheme));
    i->external = external;
    if (i->scheme->take_external) i->scheme->take_external(i);
    return KOSHU_OK;
}

/* ---- steps --------------------------------------------------------------- */

static koshu_status
check_ahead(const struct koshu_integrator *i, double until)
{
    const double time = i->clock.time;
    if ((until - time) * koshu_integrator_forward(i) > 0) return KOSHU_OK;
    return koshu_fail(i->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "until = %.17g does not lie ahead of time = %.17g, "
                      "dt = %g",
                      until, time, i->options.dt);
}

koshu_status
koshu_integrator_advance(struct koshu_integrator *integrator, double until,
                         bool potential)
{
    KOSHU_REQUIRE(NULL, integrator);
    struct koshu_integrator *i = integrator;
    KOSHU_TRY(koshu_particles_refuse_views(i->particles, KOSHU_ACCESS_WRITE,
                                           "the integrator"));
    KOSHU_TRY(koshu_check_threads(i->context));
    if (!i->evaluated) KOSHU_TRY(koshu_integrator_evaluate(i));
    KOSHU_TRY(check_ahead(i, until));
    i->n_events = 0;
    return i->scheme->advance(i, until, potential);
}

koshu_status
koshu_integrator_evaluate(struct koshu_integrator *integrator)
{
    KOSHU_REQUIRE(NULL, integrator);
    KOSHU_TRY(koshu_particles_refuse_views(
            integrator->particles, KOSHU_ACCESS_WRITE, "the integrator"));
    integrator->evaluated = false;
    KOSHU_TRY(integrator->scheme->evaluate(integrator));
    integrator->evaluated = true;
    return KOSHU_OK;
}

const struct koshu_event *
koshu_integrator_events(const struct koshu_integrator *integrator, size_t *n)
{
    if (n) *n = integrator ? integrator->n_events : 0;
    return integrator ? integrator->event : NULL;
}

koshu_status
koshu_integrator_renew(struct koshu_integrator *integrator)
{
    struct koshu_integrator *i = integrator;
    return i->scheme->renew ? i->scheme->renew(i)
                            : koshu_integrator_evaluate(i);
}

/* ---- time ---------------------------------------------------------------- */

double
koshu_integrator_time(const struct koshu_integrator *integrator)
{
    return integrator ? integrator->clock.time : 0;
}

koshu_status
koshu_integrator_resume(struct koshu_integrator *integrator,
                        const struct koshu_integrator_clock *clock)
{
    KOSHU_REQUIRE(NULL, integrator);
    KOSHU_REQUIRE(integrator->context, clock);
    struct koshu_integrator_clock c = {.size = sizeof c};
    KOSHU_TRY(koshu_options_read(integrator->context, "koshu_integrator_clock",
                                 clock, &c, sizeof c));
    if (!isfinite(c.time) || !isfinite(c.synchronised) ||
        !isfinite(c.origin_time) || !isfinite(c.tick))
        return koshu_fail(integrator->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a clock at time %g, synchronised at %g, with its "
                          "origin at %g: times must be finite",
                          c.time, c.synchronised, c.origin_time);
    return integrator->scheme->resume(integrator, &c);
}

/* ---- what it is, and what it has done ------------------------------------ */

KOSHU_DEFINE_REPORT(koshu_integrator_clock, integrator, koshu_integrator_clock,
                    clock, integrator->clock)

KOSHU_DEFINE_REPORT(koshu_integrator_options_of, integrator,
                    koshu_integrator_options, options, integrator->options)

KOSHU_DEFINE_REPORT(koshu_integrator_report, integrator,
                    koshu_integrator_report, report, integrator->work)
