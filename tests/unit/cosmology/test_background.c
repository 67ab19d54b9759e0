/* SPDX-License-Identifier: MIT */
/* Expansion and time integrals, compared with closed solutions. */
#include <math.h>

#include "cosmology/cosmology.h"
#include "fixture.h"

static const struct koshu_cosmology einstein_de_sitter = {
        .omega_m = 1, .w = -1, .h = 0.7, .hubble0 = 100};
static const struct koshu_cosmology flat = {
        .omega_m = 0.3, .omega_lambda = 0.7, .w = -1, .h = 0.7, .hubble0 = 100};

/* Rounding of a sum over about ten panels. */
static const double rounding = 1e-14;

static void
near(double found, double expected, double bound)
{
    if (!(fabs(found / expected - 1) <= bound))
        fail_msg("%.17g, not %.17g", found, expected);
}

/* H = H0 a^(-3/2): int a^p dt = (a1^(p + 3/2) - a0^(p + 3/2)) / (p + 3/2) / H0.
 */
static void
test_integrals_of_a_universe_of_matter(void **state)
{
    (void)state;
    for (double p = -2; p <= 0; p++)
        for (double a = 0.02; a < 1; a *= 3) {
            const double s = p + 1.5;
            near(koshu_time_integral(&einstein_de_sitter, a, 1, p),
                 (1 - pow(a, s)) / s / 100, rounding);
        }
}

/* t = 2 / (3 H0 sqrt(OL)) asinh(sqrt(OL / Om) a^(3/2)). */
static double
age(double a)
{
    return 2 / (300 * sqrt(0.7)) * asinh(sqrt(0.7 / 0.3) * pow(a, 1.5));
}

static void
test_time_with_a_cosmological_constant(void **state)
{
    (void)state;
    near(koshu_time_integral(&flat, 0.02, 1, 0), age(1) - age(0.02), rounding);
    near(koshu_time_integral(&flat, 0.5, 0.501, 0), age(0.501) - age(0.5),
         1e-12); /* the reference is a difference */
}

static void
test_slope_is_the_derivative_of_the_rate(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.3, 0.6, 1e-4, -0.9, 0.7, 100};
    for (double a = 1e-3; a <= 1; a *= 2) {
        const double h = 1e-4;
        const double slope = log(koshu_hubble(&c, a * exp(h)) /
                                 koshu_hubble(&c, a * exp(-h))) /
                             (2 * h);
        /* tolerance: h^2 of the difference quotient */
        near(koshu_hubble_slope(&c, a), slope, 1e-7);
    }
}

/* 299792.458 km/s over 100 km/s/Mpc is 2997.9 Mpc; the same in kpc and Gyr. */
static void
test_hubble_in_units(void **state)
{
    (void)state;
    struct koshu_units units;
    assert_ok(context,
              koshu_units_find(context, "Mpc, 1e10 Msun, km/s", &units));
    near(koshu_hubble0_in(&units), 100, 1e-9);
    assert_ok(context, koshu_units_find(context, "kpc, Msun, Gyr", &units));
    near(koshu_hubble0_in(&units), 0.102271, 1e-5);
}

static void
test_impossible_universes_are_refused(void **state)
{
    (void)state;
    struct koshu_cosmology none = flat, bounce = flat, phantom = flat;
    none.omega_m = 0;
    bounce.omega_lambda = 3;
    phantom.w = 0.5;
    assert_ok(context, koshu_cosmology_check(context, &flat));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "Omega_m",
                 koshu_cosmology_check(context, &none));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no big bang",
                 koshu_cosmology_check(context, &bounce));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "w = 0.5",
                 koshu_cosmology_check(context, &phantom));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_integrals_of_a_universe_of_matter),
            cmocka_unit_test(test_time_with_a_cosmological_constant),
            cmocka_unit_test(test_slope_is_the_derivative_of_the_rate),
            cmocka_unit_test(test_hubble_in_units),
            cmocka_unit_test(test_impossible_universes_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
