/* SPDX-License-Identifier: MIT */
/* The Hermite scheme on systems with known outcomes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrator.h"
#include "system.h"

/* An integrator by these options in place of the system's leapfrog. */
static struct koshu_integrator *
hermite_on(struct system *s, const struct koshu_integrator_options *options)
{
    struct koshu_integrator *h;
    assert_ok(s->context,
              koshu_integrator_create(s->solver, s->particles, 0, options, &h));
    return h;
}

static struct koshu_integrator_options
fixed(double dt, unsigned iterations)
{
    struct koshu_integrator_options o = hermite_options();
    o.step_rule = KOSHU_STEP_RULE_FIXED;
    o.dt = dt;
    o.iterations = iterations;
    return o;
}

static void
run(struct system *s, struct koshu_integrator *h, double until)
{
    while (koshu_integrator_time(h) != until)
        assert_ok(s->context, koshu_integrator_advance(h, until, true));
}

/* ---- two bodies ---------------------------------------------------------- */

static const double period = 6.283185307179586;

/* How far the bodies are from where they were one period before. */
static double
error_of_orbit(double steps, unsigned iterations)
{
    struct system s = system_two_body(0.9);
    struct koshu_particle_view v = system_view(&s);
    double x = v.x[0], y = v.y[0];
    struct koshu_integrator_options o = fixed(period / steps, iterations);
    struct koshu_integrator *h = hermite_on(&s, &o);
    run(&s, h, period);
    v = system_view(&s);
    double error = hypot(v.x[0] - x, v.y[0] - y);
    measured("e = 0.9, n = %u, %g steps per period: off by %.3e\n", iterations,
             steps, error);
    koshu_integrator_destroy(h);
    system_destroy(&s);
    return error;
}

/* For n = 1 the error's next term, of order 5, shifts the fitted order by about
 * 0.1 at these steps; n = 3 has no such term. */
static void
an_eccentric_orbit_is_of_fourth_order(void **state)
{
    (void)state;
    enum { STEPS = 3 };
    for (unsigned n = 1; n <= 3; n += 2) {
        double dt[STEPS], error[STEPS];
        for (int k = 0; k < STEPS; k++) {
            double steps = 16000 << k;
            dt[k] = 1 / steps;
            error[k] = error_of_orbit(steps, n);
        }
        double order = fitted_order(STEPS, dt, error);
        measured("n = %u: order %.4f\n", n, order);
        assert_near(order, 4, 0.15);
    }
}

/* The energy error at apocentre after one orbit, and after 20. */
static void
errors_at_apocentre(double eccentricity, unsigned iterations, double error[2])
{
    enum { ORBITS = 20 };
    struct system s = system_two_body(eccentricity);
    struct koshu_integrator_options o = fixed(period / 2000, iterations);
    struct koshu_integrator *h = hermite_on(&s, &o);
    double start = system_diagnostics(&s).total;
    run(&s, h, period);
    error[0] = fabs(system_diagnostics(&s).total / start - 1);
    run(&s, h, ORBITS * period);
    error[1] = fabs(system_diagnostics(&s).total / start - 1);
    measured("e = %g, n = %u: |dE/E| at apocentre %.2e after 1 orbit, %.2e "
             "after %d\n",
             eccentricity, iterations, error[0], error[1], ORBITS);
    koshu_integrator_destroy(h);
    system_destroy(&s);
}

/*
 * P(EC)^3 is nearly symmetric in time: its energy error comes and goes within
 * an orbit, while that of the usual scheme accumulates. With e = 0.5 only the
 * rounding of 40,000 steps remains. With e = 0.9, where at pericentre a fourth
 * iteration would still change the result, a millionth of the usual scheme's
 * error remains.
 */
static void
three_iterations_do_not_drift(void **state)
{
    (void)state;
    double once[2], thrice[2];
    errors_at_apocentre(0.5, 1, once);
    errors_at_apocentre(0.5, 3, thrice);
    assert_true(once[1] > 15 * once[0]);
    assert_true(thrice[0] < 1e-13 && thrice[1] < 1e-13);
    errors_at_apocentre(0.9, 1, once);
    errors_at_apocentre(0.9, 3, thrice);
    assert_true(thrice[1] < 1e-5 * once[1]);
}

/* ---- forward and back ---------------------------------------------------- */

static double
error_of_return(unsigned iterations)
{
    struct system s = system_plummer(64, 0.125);
    struct koshu_particle_view v = system_view(&s);
    double *x = system_copy(v.x, v.n), worst = 0;
    struct koshu_integrator_options o = fixed(1.0 / 256, iterations);
    struct koshu_integrator *h = hermite_on(&s, &o);
    run(&s, h, 1);
    koshu_integrator_destroy(h);
    v = system_view(&s);
    for (size_t i = 0; i < v.n; i++) {
        v.vx[i] = -v.vx[i];
        v.vy[i] = -v.vy[i];
        v.vz[i] = -v.vz[i];
    }
    h = hermite_on(&s, &o);
    run(&s, h, 1);
    for (size_t i = 0; i < v.n; i++) worst = fmax(worst, fabs(v.x[i] - x[i]));
    measured("n = %u: comes back to %.2e\n", iterations, worst);
    free(x);
    koshu_integrator_destroy(h);
    system_destroy(&s);
    return worst;
}

/* Each iteration reduces the asymmetry by a factor of about dt^2: what three
 * leave is a hundred million times less than what one leaves, or smaller
 * still. */
static void
iterations_bring_a_sphere_back(void **state)
{
    (void)state;
    double once = error_of_return(1), thrice = error_of_return(3);
    assert_true(thrice < 1e-11);
    assert_true(once > 1e3 * thrice);
}

/* ---- three bodies -------------------------------------------------------- */

/* Burrau's problem: masses 3, 4, 5 at rest at the corners opposite to the sides
 * of length 3, 4, 5. */
static struct system
pythagoras(void)
{
    struct system s = system_plummer(3, 0);
    struct koshu_particle_view v = system_view(&s);
    const double place[3][3] = {{3, 1, 3}, {4, -2, -1}, {5, 1, -1}};
    for (size_t i = 0; i < 3; i++) {
        v.mass[i] = place[i][0];
        v.x[i] = place[i][1];
        v.y[i] = place[i][2];
        v.z[i] = v.vx[i] = v.vy[i] = v.vz[i] = 0;
    }
    return s;
}

/* Three equal masses that follow each other on one curve (Chenciner &
 * Montgomery 2000; initial values by C. Simo). The third starts midway between
 * the others, whose forces on it cancel. */
static struct system
figure_eight(void)
{
    struct system s = system_plummer(3, 0);
    struct koshu_particle_view v = system_view(&s);
    const double x = 0.97000436, y = -0.24308753;
    const double vx = -0.93240737, vy = -0.86473146;
    for (int i = 0; i < 3; i++) {
        const int side = i < 2 ? 1 - 2 * i : 0;
        v.mass[i] = 1;
        v.x[i] = side * x;
        v.y[i] = side * y;
        v.vx[i] = side == 0 ? vx : -vx / 2;
        v.vy[i] = side == 0 ? vy : -vy / 2;
        v.z[i] = v.vz[i] = 0;
    }
    return s;
}

/* After one period they are back where they started; the period and the initial
 * values are known to eight digits. */
static void
the_figure_eight_closes(void **state)
{
    (void)state;
    struct system s = figure_eight();
    struct koshu_integrator_options o = hermite_options();
    o.eta = 1e-4;
    o.dt = 1.0 / 64;
    struct koshu_integrator *h = hermite_on(&s, &o);
    run(&s, h, 6.32591398);
    struct koshu_particle_view v = system_view(&s);
    const double off[] = {hypot(v.x[0] - 0.97000436, v.y[0] + 0.24308753),
                          hypot(v.x[1] + 0.97000436, v.y[1] - 0.24308753),
                          hypot(v.x[2], v.y[2])};
    measured("figure-eight: off by %.1e, %.1e, %.1e after a period\n", off[0],
             off[1], off[2]);
    for (int i = 0; i < 3; i++) assert_true(off[i] < 1e-6);
    koshu_integrator_destroy(h);
    system_destroy(&s);
}

/* Energy of the relative motion of two bodies, per reduced mass. */
static double
binding(const struct koshu_particle_view *v, size_t i, size_t k)
{
    double x = v->x[i] - v->x[k], y = v->y[i] - v->y[k];
    double vx = v->vx[i] - v->vx[k], vy = v->vy[i] - v->vy[k];
    return (vx * vx + vy * vy) / 2 - (v->mass[i] + v->mass[k]) / hypot(x, y);
}

/*
 * Szebehely & Peters 1967: after t = 60 bodies 4 and 5 are a binary, and body 3
 * leaves for good. At the closest approach (4e-4, t = 15.83) the potential is
 * 4000 times the total energy, and the distance loses 3 of its digits: rounding
 * leaves about 1e-8 of the energy, with finer steps too, and moves body 3 at t
 * = 70 by up to a third of its distance.
 */
static void
the_pythagorean_problem_ends_as_it_must(void **state)
{
    (void)state;
    struct system s = pythagoras();
    struct koshu_integrator_options o = hermite_options();
    o.eta = 1e-4;
    o.eta_start = 1e-3;
    o.iterations = 3;
    o.dt = 1.0 / 64;
    struct koshu_integrator *h = hermite_on(&s, &o);
    assert_ok(s.context, koshu_integrator_evaluate(h));
    double start = system_diagnostics(&s).total;
    /* -12/5 - 15/4 - 20/3 */
    assert_near(start, -769.0 / 60, 1e-13);
    run(&s, h, 70);
    struct koshu_particle_view v = system_view(&s);
    double error = system_diagnostics(&s).total / start - 1;
    double distance = hypot(v.x[0] - v.x[2], v.y[0] - v.y[2]);
    measured("Pythagoras, t = 70: dE/E = %.2e, binary %.4g, 3 at %.4g, %llu "
             "steps\n",
             error, binding(&v, 1, 2), distance,
             (unsigned long long)clock_of(h).particle_steps);
    assert_true(fabs(error) < 1e-7);
    assert_true(binding(&v, 1, 2) < 0);
    assert_true(binding(&v, 0, 1) > 0 && binding(&v, 0, 2) > 0);
    assert_true(distance > 15);
    koshu_integrator_destroy(h);
    system_destroy(&s);
}

/* ---- a cluster ----------------------------------------------------------- */

/* |dE/E| over half a time unit, as in Belleman08 Table 2. */
static double
error_of_sphere(size_t n, enum koshu_precision precision)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_integrator_options o = hermite_options();
    initial.n = n;
    struct system s = system_create(&initial, precision, 1.0 / 256);
    double start = system_diagnostics(&s).total;
    struct koshu_integrator *h = hermite_on(&s, &o);
    run(&s, h, 0.5);
    double error = system_diagnostics(&s).total / start - 1;
    measured("Plummer, N = %zu, %s: dE/E = %+.2e, %.1f steps per particle\n", n,
             koshu_precision_name(precision), error,
             (double)clock_of(h).particle_steps / (double)n);
    koshu_integrator_destroy(h);
    system_destroy(&s);
    return fabs(error);
}

static void
a_cluster_keeps_its_energy(void **state)
{
    (void)state;
    for (size_t n = 256; n <= 1024; n *= 2) {
        assert_true(error_of_sphere(n, KOSHU_PRECISION_DOUBLE) <= 1e-9);
        assert_true(error_of_sphere(n, KOSHU_PRECISION_MIXED) <= 1e-9);
    }
}

/* ---- block steps against one common step --------------------------------- */

static struct system
cluster_at(const struct koshu_integrator_options *o, double time)
{
    struct system s = system_plummer(64, 1.0 / 16);
    struct koshu_integrator *h = hermite_on(&s, o);
    run(&s, h, time);
    koshu_integrator_destroy(h);
    return s;
}

/* As eta falls by 4, steps fall by 2, and the distance from orbits a hundred
 * times more accurate by about 2^4; a factor of 8 excludes third order. */
static void
block_steps_meet_small_steps_for_all(void **state)
{
    (void)state;
    struct koshu_integrator_options exact = fixed(1.0 / 4096, 2);
    struct koshu_integrator_options o = hermite_options();
    struct system truth = cluster_at(&exact, 0.5);
    struct koshu_particle_view t = system_view(&truth);
    double off[3];
    for (int k = 0; k < 3; k++) {
        o.eta = 0.04 / (1 << 2 * k);
        o.eta_start = o.eta / 16;
        struct system s = cluster_at(&o, 0.5);
        struct koshu_particle_view v = system_view(&s);
        double sum = 0;
        for (size_t i = 0; i < v.n; i++)
            sum += pow(v.x[i] - t.x[i], 2) + pow(v.y[i] - t.y[i], 2) +
                   pow(v.z[i] - t.z[i], 2);
        off[k] = sqrt(sum / (double)v.n);
        measured("eta = %g: off by %.2e (rms)\n", o.eta, off[k]);
        system_destroy(&s);
    }
    assert_true(off[0] < 1e-4);
    assert_true(off[1] < off[0] / 8 && off[2] < off[1] / 8);
    system_destroy(&truth);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_eccentric_orbit_is_of_fourth_order),
            cmocka_unit_test(three_iterations_do_not_drift),
            cmocka_unit_test(iterations_bring_a_sphere_back),
            cmocka_unit_test(the_pythagorean_problem_ends_as_it_must),
            cmocka_unit_test(the_figure_eight_closes),
            cmocka_unit_test(a_cluster_keeps_its_energy),
            cmocka_unit_test(block_steps_meet_small_steps_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
