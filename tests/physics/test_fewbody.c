/* SPDX-License-Identifier: MIT */
/*
 * Few bodies by algorithmic regularisation: energies, reversal, known orbits.
 * KOSHU_LONG=1: 1e6 periods instead of 1e4, and wider triples.
 */
#include <stdlib.h>

#include "few_bodies.h"
#include "system.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static const double pi = 3.14159265358979323846;

static void
integrate(struct koshu_fewbody *f, double time)
{
    assert_ok(context, koshu_fewbody_integrate(f, time));
}

/* ---- Burrau's problem ---------------------------------------------------- */

/* The position of mass 3, computed in quadruple precision. A disturbance of
 * 1e-12 has grown 160-fold at t = 40 and 1.6e6-fold at t = 60. */
static const struct {
    double t, x, y, tolerance;
} known[] = {{10, 0.778480410138, 0.141392300290, 2e-12},
             {40, -0.622003691801, 1.858318157900, 1e-9},
             {60, 0.743807500118, 1.939947951095, 1e-6},
             {80, 12.447442892032, 36.642308725115, 5e-5}};
enum { KNOWN = sizeof known / sizeof known[0] };

static void
pythagorean_orbits_are_known(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody *f = few_create(context, &b, NULL);
    double worst = 0;
    for (int k = 1, next = 0; k <= 800; k++) {
        integrate(f, k / 10.0);
        const double error = fabs(few_report(f).energy_error);
        if (!(error <= worst)) worst = error;
        if (next == KNOWN || k / 10.0 != known[next].t) continue;
        const struct few_bodies now = few_now(context, f, 3);
        measured("pythagorean, t = %g: off by %.1e %.1e, largest dE/E %.1e\n",
                 known[next].t, now.x[0][0] - known[next].x,
                 now.x[1][0] - known[next].y, worst);
        assert_near(now.x[0][0], known[next].x, known[next].tolerance);
        assert_near(now.x[1][0], known[next].y, known[next].tolerance);
        next++;
    }
    assert_true(worst <= 5e-12);
    koshu_fewbody_destroy(f);
}

/* Disturbances grow on the way back as well. */
static void
pythagorean_orbits_return(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody *f = few_create(context, &b, NULL);
    integrate(f, 60);
    integrate(f, 0);
    const struct few_bodies now = few_now(context, f, 3);
    measured("pythagorean, to t = 60 and back: off by %.1e\n",
             few_apart(&now, &b));
    assert_true(few_apart(&now, &b) <= 1e-6);
    koshu_fewbody_destroy(f);
}

/* 700 stops on the way to t = 70 change nothing. */
static void
stops_do_not_move_the_orbit(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody *f = few_create(context, &b, NULL),
                         *g = few_create(context, &b, NULL);
    integrate(f, 70);
    for (int k = 1; k <= 700; k++) integrate(g, k == 700 ? 70 : k / 10.0);
    const struct few_bodies once = few_now(context, f, 3),
                            often = few_now(context, g, 3);
    assert_true(few_apart(&once, &often) == 0);
    koshu_fewbody_destroy(f);
    koshu_fewbody_destroy(g);
}

/* ---- binaries ------------------------------------------------------------ */

static double
separation(const struct few_bodies *b)
{
    double r2 = 0;
    for (int d = 0; d < 3; d++) r2 += pow(b->x[d][1] - b->x[d][0], 2);
    return sqrt(r2);
}

/* The largest energy error at a thousand times, relative to the binary's -1/8.
 * Times near its pericentre are skipped: there T and U are up to 1e4 times
 * their sum, which then holds mostly their rounding. */
static double
binary_error(const struct few_bodies *b,
             const struct koshu_fewbody_options *options, double periods,
             double *kappa)
{
    struct koshu_fewbody *f = few_create(context, b, options);
    const double energy = few_report(f).energy;
    double worst = 0;
    for (int k = 1; k <= 1000; k++) {
        integrate(f, k * periods * 2 * pi / 1000);
        const struct koshu_fewbody_report r = few_report(f);
        const struct few_bodies now = few_now(context, f, b->n);
        const double error = fabs(r.energy - energy) * 8;
        *kappa = r.slow_down;
        if (separation(&now) < 0.1) continue;
        if (!(error <= worst)) worst = error;
    }
    koshu_fewbody_destroy(f);
    return worst;
}

static bool
is_long(void)
{
    return getenv("KOSHU_LONG") != NULL;
}

static double
periods(void)
{
    return is_long() ? 1e6 : 1e4;
}

/* Only rounding remains: 1e-16 to 1e-15 a step, with five steps a period. */
static void
binaries_keep_their_energy(void **state)
{
    (void)state;
    const struct elements orbit = {1, 1, 0.9999, 0, 0, pi};
    const struct few_bodies b = few_triple(0.5, 0.5, 0, &orbit, NULL);
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    double kappa;
    o.kepler = false;
    const double error = binary_error(&b, &o, periods(), &kappa);
    measured("binary, e = 0.9999, %g periods: dE/E %.1e\n", periods(), error);
    assert_true(error <= 1e-10);
}

/* A third body at 3e4 semi-major axes, whose tide is 6e-13 of the binary's
 * force at apocentre. kappa is then 128, and within a revolution the energy
 * varies by 128 times the tide. */
static void
slowed_binaries_keep_their_energy(void **state)
{
    (void)state;
    const struct elements inner = {1, 1, 0.9999, 0.5, 0.3, pi},
                          outer = {2, 3e4, 0, 0, 0, 0.3};
    const struct few_bodies b = few_triple(0.5, 0.5, 1, &inner, &outer);
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    double kappa;
    o.slow_down = 1e-10;
    const double error = binary_error(&b, &o, periods(), &kappa);
    measured("slowed by %g, e = 0.9999, %g periods: dE/E %.1e\n", kappa,
             periods(), error);
    assert_true(kappa == 128);
    assert_true(error <= 1e-10);
}

/* A companion that moves between 120 and 480 semi-major axes: kappa rises and
 * falls with each revolution. The pair's energy swings by up to kappa times the
 * tide; if a change of kappa lost that, errors would accumulate. */
static void
other_kappas_keep_the_energy(void **state)
{
    (void)state;
    const double a_out = 300, turns = 100;
    const struct elements inner = {1.2, 1, 0.7, 0.7, 0.5, 1},
                          outer = {2.2, a_out, 0.6, 0, 0, 2};
    const struct few_bodies b = few_triple(1, 0.2, 1, &inner, &outer);
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    o.tolerance = 1e-12;
    o.slow_down = 1e-4;
    struct koshu_fewbody *f = few_create(context, &b, &o);
    double low = INFINITY, high = 0, worst = 0;
    for (int k = 1; k <= 500; k++) {
        integrate(f, k * turns / 500 * 2 * pi * sqrt(pow(a_out, 3) / 2.2));
        const struct koshu_fewbody_report r = few_report(f);
        low = fmin(low, r.slow_down);
        high = fmax(high, r.slow_down);
        worst = fmax(worst, fabs(r.energy_error));
    }
    koshu_fewbody_destroy(f);
    measured("kappa %g to %g in %g turns: dE/E %.1e\n", low, high, turns,
             worst);
    assert_true(high >= 4 * low);
    assert_true(worst < 1e-5);
}

/* ---- Kozai's cycles ------------------------------------------------------ */

/* The first maximum of the inner eccentricity, and its time in units of t_k =
 * m_b / m_3 (a_out / a)^3 / n. */
struct maximum {
    double e, time;
};

/* dy/dt for y = (j, e) by the quadrupole of a circular outer orbit about z,
 * acting on an inner test particle (Liu, Munoz & Lai 2015, MNRAS 447, 747, eq.
 * 17). */
static void
quadrupole_rates(const double *y, double *rate)
{
    const double *j = y, *e = y + 3;
    const double j_n[3] = {j[1], -j[0], 0}, e_n[3] = {e[1], -e[0], 0};
    const double j_e[3] = {j[1] * e[2] - j[2] * e[1], j[2] * e[0] - j[0] * e[2],
                           j[0] * e[1] - j[1] * e[0]};
    for (int d = 0; d < 3; d++) {
        rate[d] = 0.75 * (j[2] * j_n[d] - 5 * e[2] * e_n[d]);
        rate[3 + d] = 0.75 * (j[2] * e_n[d] + 2 * j_e[d] - 5 * e[2] * j_n[d]);
    }
}

/* One Runge-Kutta step. */
static void
quadrupole_step(double *y, double dt)
{
    const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[6] = {0}, sum[6] = {0}, at[6];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 6; i++) at[i] = y[i] + part[s] * dt * k[i];
        quadrupole_rates(at, k);
        for (int i = 0; i < 6; i++) sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < 6; i++) y[i] += dt / 6 * sum[i];
}

static struct maximum
quadrupole_maximum(double e0, double inclination, double until)
{
    const double dt = 1e-3, h = sqrt(1 - e0 * e0), c = cos(inclination),
                 s = sin(inclination);
    double y[6] = {0, -h * s, h * c, 0, e0 * c, e0 * s};
    struct maximum max = {0, 0};
    for (int k = 1; k * dt < until; k++) {
        quadrupole_step(y, dt);
        const double e = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]);
        if (e > max.e) max = (struct maximum){e, k * dt};
    }
    return max;
}

static double
inner_eccentricity(const struct few_bodies *b)
{
    double x[3], v[3], r2 = 0, v2 = 0, xv = 0, e2 = 0;
    const double m = b->mass[0] + b->mass[1];
    for (int d = 0; d < 3; d++) {
        x[d] = b->x[d][1] - b->x[d][0];
        v[d] = b->v[d][1] - b->v[d][0];
        r2 += x[d] * x[d];
        v2 += v[d] * v[d];
        xv += x[d] * v[d];
    }
    for (int d = 0; d < 3; d++) {
        const double e = (v2 / m - 1 / sqrt(r2)) * x[d] - xv / m * v[d];
        e2 += e * e;
    }
    return sqrt(e2);
}

static struct maximum
kozai_maximum(double distance, double slow_down, double *kappa)
{
    const double tilt = 65 * pi / 180, unit = 1.001 * pow(distance, 3);
    const struct elements inner = {1.001, 1, 0.1, tilt, pi / 2, 1},
                          outer = {2.001, distance, 0, 0, 0, 0.3};
    const struct few_bodies b = few_triple(1, 0.001, 1, &inner, &outer);
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    o.slow_down = slow_down;
    struct koshu_fewbody *f = few_create(context, &b, &o);
    struct maximum max = {0, 0};
    for (int k = 1; k <= 500; k++) {
        const double time = 2.5 * k / 500;
        integrate(f, time * unit / sqrt(1.001));
        const struct few_bodies now = few_now(context, f, 3);
        const double e = inner_eccentricity(&now);
        if (e > max.e) max = (struct maximum){e, time};
    }
    *kappa = few_report(f).slow_down;
    koshu_fewbody_destroy(f);
    return max;
}

/* The quadrupole approximation omits terms of (a / a_out)^(3/2), which
 * contribute about 1 % at a_out / a = 20 and 0.1 % at 100; the tolerance is 1
 * %. */
static void
kozai_cycles_follow_theory(void **state)
{
    (void)state;
    const struct maximum theory = quadrupole_maximum(0.1, 65 * pi / 180, 2.5);
    const struct {
        double distance, slow_down;
    } cases[] = {{20, 0}, {30, 0}, {100, 1e-4}};
    for (size_t k = 0; k < (is_long() ? 3 : 1); k++) {
        double kappa;
        const struct maximum found =
                kozai_maximum(cases[k].distance, cases[k].slow_down, &kappa);
        measured("Kozai, a_out = %g, kappa %g: e up to %.4f at %.3f, theory "
                 "%.4f at %.3f\n",
                 cases[k].distance, kappa, found.e, found.time, theory.e,
                 theory.time);
        assert_near(found.e, theory.e, 0.01 * theory.e);
        assert_near(found.time, theory.time, 0.01 * theory.time);
        assert_true((kappa > 1) == (cases[k].slow_down > 0));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(pythagorean_orbits_are_known),
            cmocka_unit_test(pythagorean_orbits_return),
            cmocka_unit_test(stops_do_not_move_the_orbit),
            cmocka_unit_test(binaries_keep_their_energy),
            cmocka_unit_test(slowed_binaries_keep_their_energy),
            cmocka_unit_test(other_kappas_keep_the_energy),
            cmocka_unit_test(kozai_cycles_follow_theory),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
