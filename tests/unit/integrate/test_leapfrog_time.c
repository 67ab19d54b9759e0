/* SPDX-License-Identifier: MIT */
/* The times at which steps of a leapfrog end. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "leapfrog_rig.h"

static void
time_is_a_product_not_a_sum(void **state)
{
    (void)state;
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, 0.1, 0);
    struct rig r = rig_make(1, 0, &options, 3);
    double sum = 3;
    for (int k = 0; k < 1000; k++) {
        rig_step(&r, INFINITY);
        sum += 0.1;
    }
    assert_true(rig_time(&r) == 3 + 1000 * 0.1);
    assert_true(rig_time(&r) != sum);
    assert_int_equal(steps_of(r.leapfrog), 1000);
    rig_free(&r);
}

static void
the_last_step_ends_at_until(void **state)
{
    (void)state;
    struct rig r = rig_fixed(1, 0.125);
    r.v.vx[0] = 1;
    const double expected[] = {0.125, 0.25, 0.3125, 0.4375};
    for (size_t k = 0; k < 4; k++) {
        rig_step(&r, k < 3 ? 0.3125 : 10.0);
        assert_true(rig_time(&r) == expected[k]);
        /* no force acts on a lone particle, so x tells the time */
        assert_true(r.v.x[0] == 1 + expected[k]);
    }
    /* a stop 1/2000 of a step before `until` is avoided ... */
    double until = 0.5625 + 0.125 / 2000;
    rig_step(&r, until);
    assert_true(rig_time(&r) == until);
    /* ... one of 1/500 is not */
    rig_step(&r, until + 0.125 + 0.125 / 500);
    assert_true(rig_time(&r) == until + 0.125);
    assert_int_equal(steps_of(r.leapfrog), 6);
    rig_free(&r);
}

/* 3 * 0.1 is 0.30000000000000004: a caller who stops at 0.3, 0.6, ... must not
 * change the orbit by steps that differ in the last bit. */
static void
stops_on_the_grid_do_not_change_the_orbit(void **state)
{
    (void)state;
    struct rig stops = rig_fixed(3, 0.1), straight = rig_fixed(3, 0.1);
    const double until[] = {0.3, 0.6, 0.9};
    for (size_t k = 0; k < 3; k++) {
        while (rig_time(&stops) < until[k]) rig_step(&stops, until[k]);
        assert_true(rig_time(&stops) == until[k]);
    }
    rig_step(&stops, INFINITY);
    for (int k = 0; k < 10; k++) rig_step(&straight, INFINITY);
    assert_true(rig_time(&straight) == 10 * 0.1);
    assert_same_state(&stops, &straight);
    rig_free(&stops);
    rig_free(&straight);
}

static void
a_negative_step_goes_back(void **state)
{
    (void)state;
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, -0.25, 0);
    struct rig r = rig_make(1, 0, &options, 1);
    r.v.vx[0] = 1;
    for (int k = 0; k < 3; k++) rig_step(&r, 0.375);
    assert_true(rig_time(&r) == 0.375 && r.v.x[0] == 1 - 0.625);
    rig_step(&r, -INFINITY);
    assert_true(rig_time(&r) == 0.125);
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_integrator_advance(r.leapfrog, 1, false));
    rig_free(&r);
}

static void
until_must_lie_ahead(void **state)
{
    (void)state;
    struct rig r = rig_fixed(1, 0.25);
    const double wrong[] = {0, -1, -INFINITY, NAN};
    for (size_t k = 0; k < 4; k++)
        assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT,
                     "does not lie ahead",
                     koshu_integrator_advance(r.leapfrog, wrong[k], false));
    assert_fails(r.context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "until = -1 does not lie ahead of time = 0, dt = 0.25",
                 koshu_integrator_advance(r.leapfrog, -1, false));
    assert_true(rig_time(&r) == 0);
    rig_free(&r);
}

static void
a_step_below_the_rounding_of_time_is_refused(void **state)
{
    (void)state;
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, 1e-20, 0);
    struct rig r = rig_make(1, 0, &options, 1);
    assert_fails(r.context, KOSHU_ERROR_BAD_INPUT,
                 "too small to advance the time",
                 koshu_integrator_advance(r.leapfrog, 2, false));
    rig_free(&r);
}

/* The heaviest particle, in the middle, accelerates its neighbours the most. */
static void
the_acceleration_rule_takes_the_largest_acceleration(void **state)
{
    (void)state;
    double eps = 0.75, eta = 0.125, a = 0;
    struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_ACCELERATION, 1, eta);
    struct rig r = rig_make(101, eps, &options, 0);
    r.v.mass[50] = 1000;
    assert_ok(r.context, koshu_integrator_evaluate(r.leapfrog));
    for (size_t i = 0; i < r.v.n; i++) a = fmax(a, fabs(r.v.ax[i]));
    assert_true(a > 2 * fabs(r.v.ax[0]) && a > 2 * fabs(r.v.ax[100]));
    rig_step(&r, INFINITY);
    /* two square roots, a division, two products: a few roundings */
    assert_near(rig_time(&r), eta * sqrt(eps / a), 8 * DBL_EPSILON);
    double before = rig_time(&r);
    rig_step(&r, before + 1e-3); /* until is nearer than a step */
    assert_true(rig_time(&r) == before + 1e-3);
    rig_free(&r);

    options.dt = 1.0 / 64; /* the largest step allowed */
    r = rig_make(2, eps, &options, 0);
    rig_step(&r, INFINITY);
    assert_true(rig_time(&r) == 1.0 / 64);
    rig_free(&r);

    r = rig_make(1, eps, &options, 0); /* a lone particle is not accelerated */
    rig_step(&r, INFINITY);
    assert_true(rig_time(&r) == 1.0 / 64);
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(time_is_a_product_not_a_sum),
            cmocka_unit_test(the_last_step_ends_at_until),
            cmocka_unit_test(stops_on_the_grid_do_not_change_the_orbit),
            cmocka_unit_test(a_negative_step_goes_back),
            cmocka_unit_test(until_must_lie_ahead),
            cmocka_unit_test(a_step_below_the_rounding_of_time_is_refused),
            cmocka_unit_test(
                    the_acceleration_rule_takes_the_largest_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
