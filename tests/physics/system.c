/* SPDX-License-Identifier: MIT */
#include "integrator.h"
#include "particles/particles.h"
#include "system.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct system
system_create(const struct koshu_initial_options *initial,
              enum koshu_precision precision, double eps)
{
    /* for fewer, threads would only wait for each other */
    enum { SMALL = 256 };
    int threads = initial->n <= SMALL ? 1 : 0;
    struct system s = {.context = test_context(NULL, threads)};
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = precision;
    solver.softening = eps;
    assert_ok(s.context,
              koshu_initial_create(s.context, initial, &s.particles));
    assert_ok(s.context, koshu_solver_create(s.context, &solver, &s.solver));
    system_integrate_by(&s, KOSHU_STEP_RULE_FIXED, 1.0 / 256, 0, 0);
    assert_ok(s.context, koshu_integrator_evaluate(s.leapfrog));
    return s;
}

struct system
system_plummer(size_t n, double eps)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = n;
    return system_create(&initial, KOSHU_PRECISION_DOUBLE, eps);
}

struct system
system_two_body(double eccentricity)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.model = KOSHU_MODEL_TWO_BODY;
    initial.n = 2;
    initial.eccentricity = eccentricity;
    return system_create(&initial, KOSHU_PRECISION_DOUBLE, 0);
}

void
system_destroy(struct system *s)
{
    koshu_integrator_destroy(s->leapfrog);
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_context_destroy(s->context);
}

void
system_integrate_by(struct system *s, enum koshu_step_rule rule, double dt,
                    double eta, double time)
{
    koshu_integrator_destroy(s->leapfrog);
    s->options = leapfrog_options(rule, dt, eta);
    assert_ok(s->context, koshu_integrator_create(s->solver, s->particles, time,
                                                  &s->options, &s->leapfrog));
}

double
system_time(const struct system *s)
{
    return koshu_integrator_time(s->leapfrog);
}

struct koshu_particle_view
system_view(struct system *s)
{
    struct koshu_particle_view v;
    assert_ok(s->context, koshu_particles_on_host(s->particles, KOSHU_FIELD_ALL,
                                                  KOSHU_ACCESS_READ_WRITE, &v));
    return v;
}

double *
system_copy(const double *array, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    return memcpy(copy, array, n * sizeof *copy);
}

struct koshu_diagnostics
system_diagnostics(struct system *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(s->context, koshu_diagnostics_compute(s->particles, &d));
    return d;
}

void
system_step(struct system *s, double until)
{
    assert_ok(s->context, koshu_integrator_advance(s->leapfrog, until, true));
}

double
system_run(struct system *s, double until)
{
    double start = system_diagnostics(s).total, worst = 0;
    while (system_time(s) != until) {
        system_step(s, until);
        double error = fabs((system_diagnostics(s).total - start) / start);
        worst = fmax(worst, error);
    }
    return worst;
}

double
fitted_order(size_t n, const double *dt, const double *error)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t k = 0; k < n; k++) {
        double log_dt = log(dt[k]), log_error = log(error[k]);
        x += log_dt / (double)n;
        y += log_error / (double)n;
        xx += log_dt * log_dt / (double)n;
        xy += log_dt * log_error / (double)n;
    }
    return (xy - x * y) / (xx - x * x);
}

void
measured(const char *format, ...)
{
    if (!getenv("KOSHU_PHYSICS_VERBOSE")) return;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}
