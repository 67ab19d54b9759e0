/* SPDX-License-Identifier: MIT */
/* Growth factors, compared with Heath's integral and closed solutions. */
#include <math.h>

#include "cosmology/cosmology.h"
#include "fixture.h"

static void
near(double found, double expected, double bound)
{
    if (!(fabs(found / expected - 1) <= bound))
        fail_msg("%.17g, not %.17g", found, expected);
}

/* D1 = 5/2 Omega_m E(a) int_0^a (b E(b))^-3 db (Heath 1977): Simpson's rule
 * in s with b = a s^2, whose integrand is smooth at 0. */
static double
heath(const struct koshu_cosmology *c, double a)
{
    enum { N = 20000 };
    double sum = 0;
    for (int i = 1; i <= N; i++) {
        const double s = (double)i / N, b = a * s * s;
        const double f = 2 * a * s * pow(b * b * koshu_expansion2(c, b), -1.5);
        sum += f * (i == N ? 1 : i % 2 ? 4 : 2);
    }
    return 2.5 * c->omega_m * sqrt(koshu_expansion2(c, a)) * sum / (3.0 * N);
}

static void
test_growth_in_flat_universes(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.32, 0.68, 0, -1, 0.7, 100};
    const struct koshu_growth g = koshu_growth_at(&c, 1);
    /* references: quadrature to 16 digits; D2 by another program to 10 */
    near(g.d1, 0.7906690232585558, 1e-9);
    near(g.d2, 0.2701133944, 1e-8);
    for (double a = 0.02; a < 1; a += 0.2)
        near(koshu_growth_at(&c, a).d1, heath(&c, a), 1e-9);
}

static void
test_growth_with_curvature(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.3, 0.5, 0, -1, 0.7, 100};
    near(koshu_growth_at(&c, 1).d1, heath(&c, 1), 1e-9);
}

static void
test_growth_in_a_universe_of_matter(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {1, 0, 0, -1, 0.7, 100};
    const struct koshu_growth g = koshu_growth_at(&c, 0.1);
    near(g.d1, 0.1, 1e-10);
    near(g.d2, 3.0 / 7 * 0.01, 1e-10);
    near(g.f1, 1, 1e-10);
    near(g.f2, 2, 1e-10);
}

/* Matter and radiation: D1 = a + 2/3 a_eq (Meszaros 1974). */
static void
test_growth_with_radiation(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.9997, 0, 0.0003, -1, 0.7, 100};
    near(koshu_growth_at(&c, 0.01).d1, 0.01 + 2.0 / 3 * 0.0003 / 0.9997, 1e-8);
}

static void
test_rates_are_derivatives(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.3, 0.7, 0, -0.8, 0.7, 100};
    const double h = 1e-3;
    const struct koshu_growth up = koshu_growth_at(&c, 0.5 * exp(h)),
                              down = koshu_growth_at(&c, 0.5 * exp(-h)),
                              g = koshu_growth_at(&c, 0.5);
    /* tolerance: h^2 of the difference quotient */
    near(g.f1, log(up.d1 / down.d1) / (2 * h), 1e-6);
    near(g.f2, log(up.d2 / down.d2) / (2 * h), 1e-6);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_growth_in_flat_universes),
            cmocka_unit_test(test_growth_with_curvature),
            cmocka_unit_test(test_growth_in_a_universe_of_matter),
            cmocka_unit_test(test_growth_with_radiation),
            cmocka_unit_test(test_rates_are_derivatives),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
