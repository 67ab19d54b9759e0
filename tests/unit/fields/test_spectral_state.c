/* SPDX-License-Identifier: MIT */
/* States of the spectral method, and refusals. */
#include "spectral_rig.h"

/* ---- states -------------------------------------------------------------- */

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
    assert_ok(context, koshu_spectral_get(s, numbers));
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
    assert_ok(context, koshu_spectral_get(a, numbers));
    assert_ok(context, koshu_spectral_create(context, &o, &b));
    assert_ok(context, koshu_spectral_set(b, numbers));
    run(a, 0.1, 4);
    run(b, 0.1, 4);
    assert_ok(context, koshu_spectral_get(a, numbers));
    assert_ok(context, koshu_spectral_get(b, numbers + n));
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

/* omega of the flow, and maxima over the points at which products are
 * formed. */
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

/* The divergent part of a given velocity is removed. */
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

/* ---- refusals ------------------------------------------------------------ */

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
            cmocka_unit_test(test_bits_do_not_depend_on_threads),
            cmocka_unit_test(test_a_state_goes_on_bit_for_bit),
            cmocka_unit_test(test_vorticity),
            cmocka_unit_test(test_divergence_is_left_out),
            cmocka_unit_test(test_refusals),
            cmocka_unit_test(test_steps_that_are_too_long),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
