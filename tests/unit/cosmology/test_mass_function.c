/* SPDX-License-Identifier: MIT */
/* Fits of the mass function, compared with their formulas evaluated by hand. */
#include <math.h>

#include "cosmology/cosmology.h"
#include "fixture.h"

/* At sigma = 1: 0.186 (2.57^1.47 + 1) exp(-1.19); at z = 1, with alpha =
 * 10^-(0.75 / 0.42597)^1.2 = 0.010676: 0.186 2^-0.14 (2.55105^1.41012 + 1)
 * exp(-1.19). 0.282 (1.406^2.163 + 1) exp(-1.21). */
static void
test_multiplicities_by_hand(void **state)
{
    (void)state;
    assert_near(koshu_halo_multiplicity(KOSHU_HALO_MASSES_200M, 1, 0), 0.28321,
                2e-5);
    assert_near(koshu_halo_multiplicity(KOSHU_HALO_MASSES_200M, 1, 1), 0.24370,
                2e-5);
    assert_near(koshu_halo_multiplicity(KOSHU_HALO_MASSES_FOF, 1, 3), 0.25982,
                2e-5);
}

/* The mass in halos is the integral of f over ln(1/sigma): compares int M / rho
 * dn/dlnM dlnM from 10^2 to 10^5, by the trapezoidal rule, with int f
 * dln(1/sigma). */
static void
test_abundances_hold_the_mass_of_multiplicities(void **state)
{
    (void)state;
    enum { N = 60 };
    struct koshu_power power = {.matter = {0.31, 0.049, 0.68, 0.965, 2.7255}};
    const double density = 8.6, growth = 0.6, step = log(1e3) / N;
    double by_mass = 0, by_sigma = 0, last_f = 0, last = 0;
    koshu_power_set_sigma_8(&power, 0.81);
    for (int i = 0; i <= N; i++) {
        const double mass = 1e2 * exp(i * step);
        const double sigma =
                growth * koshu_power_sigma(
                                 &power, cbrt(3 * mass / (4 * M_PI * density)));
        const double f =
                koshu_halo_multiplicity(KOSHU_HALO_MASSES_200M, sigma, 1);
        by_mass += (i == 0 || i == N ? 0.5 : 1) * step * mass / density *
                   koshu_halo_abundance(KOSHU_HALO_MASSES_200M, &power, growth,
                                        1, density, mass);
        if (i > 0) by_sigma += 0.5 * (f + last_f) * log(last / sigma);
        last_f = f;
        last = sigma;
    }
    /* steps of 0.1 in ln M: both rules are accurate to 1e-3 */
    assert_near(by_mass / by_sigma, 1, 1e-3);
}

/*
 * References from colossus 1.4.0 (Diemer 2018, ApJS 239, 35): massFunction(M,
 * z, mdef, model, q_out = "dndlnM") with models tinker08 (200m) and watson13
 * (fof), for H0 = 68, Om0 = 0.31, Ob0 = 0.049, ns = 0.965, sigma8 = 0.81,
 * without radiation; M in Msun/h. It integrates sigma with different limits and
 * slopes: 1 %, and 2 % where halos are rarest.
 */
static void
test_abundances_of_another_program(void **state)
{
    (void)state;
    static const struct {
        double z, growth, mass, tinker, watson;
    } rows[] = {
            {0, 1, 1e12, 0.00419782, 0.00383565},
            {0, 1, 1e13, 0.000530767, 0.000464769},
            {0, 1, 1e14, 4.72785e-05, 4.4252e-05},
            {0, 1, 1e15, 7.2469e-07, 8.44214e-07},
            {1, 0.6084174861739275, 1e12, 0.00374869, 0.00377794},
            {1, 0.6084174861739275, 1e13, 0.000303673, 0.000337973},
            {1, 0.6084174861739275, 1e14, 7.01671e-06, 9.61202e-06},
            {1, 0.6084174861739275, 1e15, 9.19024e-10, 1.63363e-09},
    };
    struct koshu_power power = {.matter = {0.31, 0.049, 0.68, 0.965, 2.7255}};
    const double density = 8.603635444616948;
    koshu_power_set_sigma_8(&power, 0.81);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double mass = rows[k].mass / 1e10,
                     error = mass < 1e5 ? 0.01 : 0.02;
        assert_near(koshu_halo_abundance(KOSHU_HALO_MASSES_200M, &power,
                                         rows[k].growth, rows[k].z, density,
                                         mass) /
                            rows[k].tinker,
                    1, error);
        assert_near(koshu_halo_abundance(KOSHU_HALO_MASSES_FOF, &power,
                                         rows[k].growth, rows[k].z, density,
                                         mass) /
                            rows[k].watson,
                    1, error);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_multiplicities_by_hand),
            cmocka_unit_test(test_abundances_hold_the_mass_of_multiplicities),
            cmocka_unit_test(test_abundances_of_another_program),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
