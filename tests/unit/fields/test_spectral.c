/* SPDX-License-Identifier: MIT */
/* The spectral method: exact solutions, orders in time and space, and
 * conservation. */
#include "spectral_rig.h"

/* ---- exact solutions ----------------------------------------------------- */

static void
check_decay(flow *f, size_t n, enum koshu_dealiasing rule,
            enum koshu_precision precision, double rate, double tolerance)
{
    struct koshu_spectral_options o = options_of(n);
    o.dealiasing = rule;
    o.precision = precision;
    struct koshu_spectral *s = make(&o, f);
    run(s, 2, 8);
    double *exact = values_of(n, f, exp(-rate * o.viscosity * 2));
    const double worst = difference(s, n, exact);
    koshu_spectral_destroy(s);
    if (worst > tolerance) fail_msg("%g > %g", worst, tolerance);
}

/* Viscous decay is exact, and products vanish except for rounding, which is
 * single precision with KISS FFT. */
static void
test_exact_decay(void **state)
{
    (void)state;
    const bool fftw = strcmp(koshu_transform_library(), "fftw") == 0;
    const double fine = fftw ? 1e-13 : 1e-5;
    for (int rule = 0; rule < 2; rule++) {
        check_decay(taylor_green_flat, 12, rule, KOSHU_PRECISION_DOUBLE, 2,
                    fine);
        check_decay(abc, 12, rule, KOSHU_PRECISION_DOUBLE, 4, fine);
        check_decay(abc, 11, rule, KOSHU_PRECISION_DOUBLE, 4, fine);
        check_decay(abc, 16, rule, KOSHU_PRECISION_SINGLE, 4, 1e-5);
    }
}

/* Waves four times as long in a box four times as large. */
static void
test_box(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(12);
    o.box = 4 * two_pi;
    struct koshu_spectral *s = make(&o, taylor_green_flat);
    const struct koshu_spectral_report r = report_of(s);
    assert_float_equal(r.energy, 0.25, 1e-6);
    assert_float_equal(r.enstrophy, 2 * 0.25 / 16, 1e-6);
    run(s, 2, 4);
    assert_true(difference(s, 12,
                           values_of(12, taylor_green_flat,
                                     exp(-2.0 / 16 * o.viscosity * 2))) < 1e-5);
    koshu_spectral_destroy(s);
}

/* ---- orders -------------------------------------------------------------- */

/* The error of a run against one with a quarter of its steps' length. */
static double
time_error(unsigned steps)
{
    const struct koshu_spectral_options o = options_of(12);
    struct koshu_spectral *s = make(&o, tangle), *fine = make(&o, tangle);
    run(s, 0.4, steps);
    run(fine, 0.4, 4 * steps);
    const double error = difference(s, o.n, velocity_of(fine, o.n));
    koshu_spectral_destroy(s);
    koshu_spectral_destroy(fine);
    return error;
}

/* Fourth order gives 16; the bound of 12 excludes third order's 8. */
static void
test_fourth_order_in_time(void **state)
{
    (void)state;
    if (strcmp(koshu_transform_library(), "fftw") != 0) skip();
    const double a = time_error(8), b = time_error(16);
    if (!(a / b > 12 && a / b < 22)) fail_msg("%g / %g = %g", a, b, a / b);
}

static double
energy_of(size_t n)
{
    const struct koshu_spectral_options o = options_of(n);
    struct koshu_spectral *s = make(&o, taylor_green);
    run(s, 2, 40);
    const struct koshu_spectral_report r = report_of(s);
    koshu_spectral_destroy(s);
    return r.enstrophy;
}

/* Convergence faster than any power: equal increments of points gain ever more.
 * From 8 to 16 to 24 points, order p would gain 2^p and then 1.5^p. */
static void
test_spectral_in_space(void **state)
{
    (void)state;
    const double exact = energy_of(40), a = fabs(energy_of(8) - exact),
                 b = fabs(energy_of(16) - exact),
                 c = fabs(energy_of(24) - exact);
    if (!(a > 30 * b && b > 30 * c)) fail_msg("%g %g %g", a, b, c);
}

/* ---- conservation -------------------------------------------------------- */

/* Without viscosity only the scheme's error changes energy and helicity: fifth
 * order per step, so half the step leaves a sixteenth or less. Aliasing would
 * change them with any step. */
static double
change(enum koshu_dealiasing rule, unsigned steps)
{
    struct koshu_spectral_options o = options_of(15);
    o.viscosity = 0;
    o.dealiasing = rule;
    struct koshu_spectral *s = make(&o, tangle);
    const struct koshu_spectral_report a = report_of(s);
    run(s, 0.5, steps);
    const struct koshu_spectral_report b = report_of(s);
    assert_float_equal(b.helicity, a.helicity, 1e-4);
    koshu_spectral_destroy(s);
    return fabs(b.energy - a.energy);
}

static void
test_no_aliases(void **state)
{
    (void)state;
    if (strcmp(koshu_transform_library(), "fftw") != 0) skip();
    for (int rule = 0; rule < 2; rule++) {
        const double a = change(rule, 8), b = change(rule, 16);
        if (!(a < 1e-4 && b < a / 14)) fail_msg("%d: %g, %g", rule, a, b);
    }
}

/* dE / dt = power - dissipation, by the trapezoidal rule. */
static void
test_forcing(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(12);
    o.forcing_power = 0.3;
    o.forcing_wave_number = 2.3;
    struct koshu_spectral *s = make(&o, tangle);
    double lost = 0, last = report_of(s).dissipation;
    const double before = report_of(s).energy;
    for (int k = 0; k < 100; k++) {
        run(s, 0.01, 1);
        const double now = report_of(s).dissipation;
        lost += 0.01 * (last + now) / 2;
        last = now;
    }
    const double gained = report_of(s).energy - before + lost;
    koshu_spectral_destroy(s);
    if (fabs(gained - 0.3) > 1e-3) fail_msg("%g", gained);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_exact_decay),
            cmocka_unit_test(test_box),
            cmocka_unit_test(test_fourth_order_in_time),
            cmocka_unit_test(test_spectral_in_space),
            cmocka_unit_test(test_no_aliases),
            cmocka_unit_test(test_forcing),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
