/* SPDX-License-Identifier: MIT */
/* The spectral method against exact solutions, its orders in time and space,
 * and what it keeps. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/fields.h"
#include "fixture.h"

static const double two_pi = 6.28318530717958647692;

/* ---- flows -----------------------------------------------------------------
 */

typedef void flow(double x, double y, double z, double u[3]);

static void
taylor_green(double x, double y, double z, double u[3])
{
    u[0] = sin(x) * cos(y) * cos(z);
    u[1] = -cos(x) * sin(y) * cos(z);
    u[2] = 0;
}

/* Its product with the vorticity is a gradient: it decays as exp(-2 nu t). */
static void
taylor_green_flat(double x, double y, double z, double u[3])
{
    (void)z;
    u[0] = sin(x) * cos(y);
    u[1] = -cos(x) * sin(y);
    u[2] = 0;
}

/* Arnold, Beltrami & Childress: omega = 2 u, and so exp(-4 nu t). */
static void
abc(double x, double y, double z, double u[3])
{
    u[0] = sin(2 * z) + 0.7 * cos(2 * y);
    u[1] = 0.9 * sin(2 * x) + cos(2 * z);
    u[2] = 0.7 * sin(2 * y) + 0.9 * cos(2 * x);
}

/* What no symmetry protects. */
static void
tangle(double x, double y, double z, double u[3])
{
    u[0] = sin(y + 2 * z) + cos(z - y);
    u[1] = cos(x + z) + 0.4 * sin(2 * x);
    u[2] = sin(x - 2 * y) + 0.3 * cos(y);
}

/* ---- a solver --------------------------------------------------------------
 */

static struct koshu_spectral_options
options_of(size_t n)
{
    return (struct koshu_spectral_options){.n = n,
                                           .box = two_pi,
                                           .precision = KOSHU_PRECISION_DOUBLE,
                                           .viscosity = 0.02};
}

static double *
values_of(size_t n, flow *f, double factor)
{
    double *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    for (size_t p = 0; p < n * n * n; p++) {
        double u[3];
        const double h = two_pi / (double)n;
        f(h * (double)(p / n / n), h * (double)(p / n % n), h * (double)(p % n),
          u);
        for (size_t c = 0; c < 3; c++) v[c * n * n * n + p] = factor * u[c];
    }
    return v;
}

static struct koshu_spectral *
make(const struct koshu_spectral_options *o, flow *f)
{
    struct koshu_spectral *s;
    double *v = values_of(o->n, f, 1);
    assert_ok(context, koshu_spectral_create(context, o, &s));
    assert_ok(context, koshu_spectral_set_values(s, v));
    koshu_free(v);
    return s;
}

static void
run(struct koshu_spectral *s, double time, unsigned steps)
{
    for (unsigned k = 0; k < steps; k++)
        assert_ok(context, koshu_spectral_step(s, time / steps));
}

static struct koshu_spectral_report
report_of(struct koshu_spectral *s)
{
    struct koshu_spectral_report r;
    memset(&r, 0xff, sizeof r);
    assert_ok(context, koshu_spectral_report(s, &r));
    return r;
}

/* Largest difference of the velocity from values, which are freed. */
static double
difference(const struct koshu_spectral *s, size_t n, double *expected)
{
    double worst = 0, *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    assert_ok(context, koshu_spectral_values(s, v, NULL));
    for (size_t k = 0; k < 3 * n * n * n; k++)
        worst = fmax(worst, fabs(v[k] - expected[k]));
    koshu_free(v);
    koshu_free(expected);
    return worst;
}

static double *
velocity_of(const struct koshu_spectral *s, size_t n)
{
    double *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    assert_ok(context, koshu_spectral_values(s, v, NULL));
    return v;
}

/* ---- exact solutions -------------------------------------------------------
 */

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

/* Viscosity is exact, and products vanish but for rounding; KISS FFT has that
 * of single precision. */
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

/* With waves four times as long, in a box four times as large. */
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

/* ---- orders ----------------------------------------------------------------
 */

/* The error of steps against a quarter of them. */
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

/* 16 for fourth order; 12 is far from the third's 8. */
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

/* Faster than any power: more points of the same number gain ever more. From 8
 * to 16 to 24 an order p would gain 2^p and then 1.5^p. */
static void
test_spectral_in_space(void **state)
{
    (void)state;
    const double exact = energy_of(40), a = fabs(energy_of(8) - exact),
                 b = fabs(energy_of(16) - exact),
                 c = fabs(energy_of(24) - exact);
    if (!(a > 30 * b && b > 30 * c)) fail_msg("%g %g %g", a, b, c);
}

/* ---- what is kept ----------------------------------------------------------
 */

/* Without viscosity energy and helicity change by the scheme's error alone:
 * fifth order in a step, so that half of it leaves a sixteenth or less. Aliases
 * would change them at any step. */
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

/* d E / dt = power - dissipation, by the trapezoidal rule. */
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

/* ---- states ----------------------------------------------------------------
 */

static double *
state_after(struct koshu_context *in, enum koshu_precision precision, size_t *n)
{
    struct koshu_spectral_options o = options_of(20);
    struct koshu_spectral *s;
    o.precision = precision;
    double *v = values_of(o.n, tangle, 1);
    assert_ok(in, koshu_spectral_create(in, &o, &s));
    assert_ok(in, koshu_spectral_set_values(s, v));
    for (int k = 0; k < 3; k++) assert_ok(in, koshu_spectral_step(s, 0.01));
    koshu_free(v);
    *n = koshu_spectral_size(s);
    double *numbers = koshu_alloc(*n, sizeof *numbers);
    assert_non_null(numbers);
    koshu_spectral_get(s, numbers);
    koshu_spectral_destroy(s);
    return numbers;
}

static void
test_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    struct koshu_context *one = test_context(NULL, 1),
                         *three = test_context(NULL, 3);
    for (int p = 0; p < 2; p++) {
        const enum koshu_precision precision =
                p ? KOSHU_PRECISION_SINGLE : KOSHU_PRECISION_DOUBLE;
        size_t n, m;
        double *a = state_after(one, precision, &n),
               *b = state_after(three, precision, &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n * sizeof *a);
        koshu_free(a);
        koshu_free(b);
    }
    koshu_context_destroy(one);
    koshu_context_destroy(three);
}

static void
check_going_on(enum koshu_precision precision)
{
    struct koshu_spectral_options o = options_of(10);
    o.precision = precision;
    o.forcing_power = 0.1;
    o.forcing_wave_number = 2;
    struct koshu_spectral *a = make(&o, tangle), *b;
    run(a, 0.1, 4);
    const size_t n = koshu_spectral_size(a);
    double *numbers = koshu_alloc(2 * n, sizeof *numbers);
    assert_non_null(numbers);
    koshu_spectral_get(a, numbers);
    assert_ok(context, koshu_spectral_create(context, &o, &b));
    assert_ok(context, koshu_spectral_set(b, numbers));
    run(a, 0.1, 4);
    run(b, 0.1, 4);
    koshu_spectral_get(a, numbers);
    koshu_spectral_get(b, numbers + n);
    assert_memory_equal(numbers, numbers + n, n * sizeof *numbers);
    koshu_free(numbers);
    koshu_spectral_destroy(a);
    koshu_spectral_destroy(b);
}

static void
test_a_state_goes_on_bit_for_bit(void **state)
{
    (void)state;
    check_going_on(KOSHU_PRECISION_DOUBLE);
    check_going_on(KOSHU_PRECISION_SINGLE);
}

/* omega of the flow, and maxima at the points of products. */
static void
test_vorticity(void **state)
{
    (void)state;
    const struct koshu_spectral_options o = options_of(16);
    struct koshu_spectral *s = make(&o, abc);
    double *v = koshu_alloc(6 * 4096, sizeof *v);
    assert_non_null(v);
    assert_ok(context, koshu_spectral_values(s, v, v + 3 * 4096));
    for (size_t k = 0; k < 3 * 4096; k++)
        assert_float_equal(v[3 * 4096 + k], 2 * v[k], 2e-5);
    const struct koshu_spectral_report r = report_of(s);
    assert_float_equal(r.max_vorticity, 2 * r.max_velocity, 1e-4);
    assert_float_equal(r.enstrophy, 4 * r.energy, 1e-4);
    assert_float_equal(r.helicity, 4 * r.energy, 1e-4);
    assert_true(r.max_sum >= r.max_velocity &&
                r.max_sum <= sqrt(3) * r.max_velocity * (1 + 1e-9));
    koshu_free(v);
    koshu_spectral_destroy(s);
}

/* What has a divergence is left out. */
static void
source(double x, double y, double z, double u[3])
{
    u[0] = cos(x) + sin(y);
    u[1] = cos(y);
    u[2] = 0 * z;
}

static void
shear(double x, double y, double z, double u[3])
{
    (void)x;
    (void)z;
    u[0] = sin(y);
    u[1] = u[2] = 0;
}

static void
test_divergence_is_left_out(void **state)
{
    (void)state;
    const struct koshu_spectral_options o = options_of(8);
    struct koshu_spectral *s = make(&o, source);
    assert_true(difference(s, 8, values_of(8, shear, 1)) < 1e-5);
    koshu_spectral_destroy(s);
}

/* ---- refusals ---------------------------------------------------------------
 */

static void
test_refusals(void **state)
{
    (void)state;
    struct koshu_spectral *s;
    struct koshu_spectral_options o = options_of(3);
    assert_int_equal(koshu_spectral_create(context, &o, &s),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    o = options_of(8);
    o.viscosity = -1;
    assert_int_equal(koshu_spectral_create(context, &o, &s),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    o = options_of(8);
    o.precision = KOSHU_PRECISION_MIXED;
    assert_int_equal(koshu_spectral_create(context, &o, &s),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    koshu_spectral_destroy(NULL);
}

static void
test_steps_that_are_too_long(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(8);
    koshu_status status = KOSHU_OK;
    o.viscosity = 0;
    struct koshu_spectral *s = make(&o, tangle);
    for (int k = 0; k < 100 && status == KOSHU_OK; k++)
        status = koshu_spectral_step(s, 100);
    assert_int_equal(status, KOSHU_ERROR_NOT_FINITE);
    koshu_spectral_destroy(s);
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
            cmocka_unit_test(test_bits_do_not_depend_on_threads),
            cmocka_unit_test(test_a_state_goes_on_bit_for_bit),
            cmocka_unit_test(test_vorticity),
            cmocka_unit_test(test_divergence_is_left_out),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_steps_that_are_too_long),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
