/* SPDX-License-Identifier: MIT */
/* The order of the leapfrog: its error as a function of the time step. */
#include <math.h>
#include <stdlib.h>

#include "system.h"

enum { N_STEPS = 4 }; /* step lengths per fit: dt, dt/2, dt/4, dt/8 */

static struct system
eccentric_orbit(void)
{
    return system_two_body(0.5);
}

/* The softening is about the distance between particles, so that these steps
 * resolve the encounters and the leading term of the error dominates. */
static struct system
small_plummer(void)
{
    return system_plummer(128, 0.25);
}

/* Symplectic Euler, a first-order scheme: v += a dt, x += v dt. Returns the
 * largest relative energy error, as system_run() does. */
static double
run_by_euler(struct system *s, double until)
{
    double dt = s->options.dt, start = system_diagnostics(s).total, worst = 0;
    for (double k = 0; k * dt < until; k++) {
        struct koshu_particle_view v = system_view(s);
        for (size_t i = 0; i < v.n; i++) {
            v.x[i] += dt * (v.vx[i] += dt * v.ax[i]);
            v.y[i] += dt * (v.vy[i] += dt * v.ay[i]);
            v.z[i] += dt * (v.vz[i] += dt * v.az[i]);
        }
        assert_ok(s->context, koshu_integrator_evaluate(s->leapfrog));
        double error = fabs((system_diagnostics(s).total - start) / start);
        worst = fmax(worst, error);
    }
    return worst;
}

/* The order in dt of the energy error up to some time, from runs of the same
 * system with steps dt, dt/2, ... */
static double
energy_order(const char *name, struct system (*create)(void),
             double (*run)(struct system *, double), double dt, double until)
{
    double step[N_STEPS], error[N_STEPS];
    for (int k = 0; k < N_STEPS; k++) {
        struct system s = create();
        step[k] = dt / (1 << k);
        system_integrate_by(&s, KOSHU_STEP_RULE_FIXED, step[k], 0, 0);
        assert_ok(s.context, koshu_integrator_evaluate(s.leapfrog));
        error[k] = run(&s, until);
        measured("%s: dt = 1/%-6.5g max |dE/E| = %.3e\n", name, 1 / step[k],
                 error[k]);
        system_destroy(&s);
    }
    double order = fitted_order(N_STEPS, step, error);
    measured("%s: order %.4f\n", name, order);
    return order;
}

/* The energy error is c2 dt^2 + c4 dt^4 + ..., even in dt because the scheme is
 * symmetric. At these steps the second term shifts the fitted order by about
 * 0.01; the tolerance is 0.1. */
static void
energy_error_falls_as_dt_squared(void **state)
{
    (void)state;
    assert_near(energy_order("two-body, e = 0.5", eccentric_orbit, system_run,
                             1.0 / 64, 8),
                2, 0.1);
    assert_near(energy_order("Plummer, N = 128", small_plummer, system_run,
                             1.0 / 16, 2),
                2, 0.1);
}

/* The check must notice that a first-order scheme has order 1, not 2. */
static void
a_first_order_scheme_is_found_out(void **state)
{
    (void)state;
    assert_near(energy_order("Euler, two-body", eccentric_orbit, run_by_euler,
                             1.0 / 256, 8),
                1, 0.1);
    assert_near(energy_order("Euler, Plummer", small_plummer, run_by_euler,
                             1.0 / 64, 2),
                1, 0.1);
}

static double
angle(struct system *s)
{
    struct koshu_particle_view v = system_view(s);
    return atan2(v.y[0], v.x[0]);
}

/* The phase error of a circular orbit of period 2 pi at this time. */
static double
phase_error(double dt, double until)
{
    struct system s = system_two_body(0);
    double start = angle(&s);
    system_integrate_by(&s, KOSHU_STEP_RULE_FIXED, dt, 0, 0);
    while (system_time(&s) != until) system_step(&s, until);
    double error = fabs(remainder(angle(&s) - start - until, 2 * M_PI));
    measured("circular orbit: dt = 1/%-6.5g phase error at t = %g: %.3e\n",
             1 / dt, until, error);
    system_destroy(&s);
    return error;
}

static void
phase_error_falls_as_dt_squared(void **state)
{
    (void)state;
    double step[N_STEPS], error[N_STEPS];
    for (int k = 0; k < N_STEPS; k++) {
        step[k] = 1.0 / (32 << k);
        error[k] = phase_error(step[k], 20);
    }
    double order = fitted_order(N_STEPS, step, error);
    measured("circular orbit: order of the phase error %.4f\n", order);
    assert_near(order, 2, 0.1); /* as above */
}

/*
 * The leapfrog's own circular orbit is known: with angular speed w and radius
 * r, x(t+h) - 2 x(t) + x(t-h) = h^2 a(x) has a solution that turns by phi each
 * step, where sin(phi / 2) = w h / 2, at the speed r sin(phi) / h. The step is
 * large, so that phi and w h differ in the fourth digit.
 */
static void
the_discrete_circular_orbit_is_exact(void **state)
{
    (void)state;
    const double h = 0.125; /* w = 1; the two bodies are at distance 1 */
    const int steps = 1000;
    double phi = 2 * asin(h / 2);
    struct system s = system_two_body(0);
    struct koshu_particle_view v = system_view(&s);
    for (int i = 0; i < 2; i++) v.vy[i] = v.x[i] * sin(phi) / h;
    double x0 = v.x[0];
    system_integrate_by(&s, KOSHU_STEP_RULE_FIXED, h, 0, 0);
    for (int k = 0; k < steps; k++) system_step(&s, INFINITY);
    v = system_view(&s);
    /* A rounding error (1e-16) of the speed makes the phase error grow by 1 per
     * unit of time, and so does each later rounding: at most about 3/2 t steps
     * 1e-16 = 2e-11, as a random walk 1e-12. */
    double bound = 1.5 * steps * h * steps * 0x1p-53;
    measured("discrete circular orbit: off by %.2e after %d steps\n",
             hypot(v.x[0] - x0 * cos(steps * phi),
                   v.y[0] - x0 * sin(steps * phi)),
             steps);
    assert_near(v.x[0], x0 * cos(steps * phi), bound);
    assert_near(v.y[0], x0 * sin(steps * phi), bound);
    /* the exact orbit of the differential equation is a different one */
    assert_true(fabs(remainder(steps * phi - steps * h, 2 * M_PI)) > 0.01);
    system_destroy(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(energy_error_falls_as_dt_squared),
            cmocka_unit_test(a_first_order_scheme_is_found_out),
            cmocka_unit_test(phase_error_falls_as_dt_squared),
            cmocka_unit_test(the_discrete_circular_orbit_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
