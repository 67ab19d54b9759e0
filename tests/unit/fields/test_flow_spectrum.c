/* SPDX-License-Identifier: MIT */
/* Spectra, skewness and invariants of flows with known formulas. */
#include "spectral_rig.h"

enum { N = 16 };

static double
sum_of(const struct koshu_flow_spectrum *s)
{
    double sum = 0;
    for (size_t k = 0; k < s->shells; k++) sum += s->energy[k] * s->unit;
    return sum;
}

/* omega = 2 u: all energy is at wave number 2, in a larger box as well. */
static void
test_one_shell(void **state)
{
    (void)state;
    struct koshu_flow_spectrum s;
    double *u = values_of(N, abc, 1), mean = 0;
    for (size_t p = 0; p < 3 * N * N * N; p++)
        mean += u[p] * u[p] / (2.0 * N * N * N);
    for (double box = two_pi; box < 20; box *= 2) {
        assert_ok(context, koshu_flow_spectrum_find(context, N, box, u, &s));
        assert_float_equal(s.energy[2] * s.unit, mean, 1e-5 * mean);
        assert_float_equal(sum_of(&s), mean, 1e-5 * mean);
        assert_float_equal(s.unit, two_pi / box, 1e-12);
        koshu_free(s.energy);
    }
    koshu_free(u);
}

/* Waves with k_z < 0 and those in the plane k_z = 0 count once each. */
static void
test_all_energy_is_there(void **state)
{
    (void)state;
    struct koshu_flow_spectrum s;
    double *u = values_of(N, tangle, 1), mean = 0;
    for (size_t p = 0; p < 3 * N * N * N; p++)
        mean += u[p] * u[p] / (2.0 * N * N * N);
    assert_ok(context, koshu_flow_spectrum_find(context, N, two_pi, u, &s));
    assert_float_equal(sum_of(&s), mean, 1e-5 * mean);
    /* |k|^2 = 1: 0.3^2 / 4; |k|^2 = 2: twice 1 / 4, in shell 1; the rest in
     * shell 2 */
    assert_float_equal(s.energy[1], 0.0225 + 0.5, 1e-5);
    assert_float_equal(s.energy[2], 0.25 + 0.04 + 0.25, 1e-5);
    koshu_free(s.energy);
    koshu_free(u);
}

static void
steep(double x, double y, double z, double u[3])
{
    u[0] = sin(x) + sin(2 * x) / 2;
    u[1] = sin(y) + sin(2 * y) / 2;
    u[2] = sin(z) + sin(2 * z) / 2;
}

/* steep() is a gradient: alone it has no vorticity, and what it is added to
 * keeps its own. The curl of abc() is 2 abc(). */
static void
test_enstrophy_is_of_the_curl(void **state)
{
    (void)state;
    struct koshu_flow_spectrum s;
    double *u = values_of(N, steep, 1), *v = values_of(N, abc, 1), mean = 0;
    assert_ok(context, koshu_flow_spectrum_find(context, N, two_pi, u, &s));
    assert_float_equal(s.enstrophy, 0, 1e-5);
    koshu_free(s.energy);
    for (size_t p = 0; p < 3 * N * N * N; p++) {
        mean += 4 * v[p] * v[p] / (2.0 * N * N * N);
        u[p] += v[p];
    }
    assert_ok(context, koshu_flow_spectrum_find(context, N, 2 * two_pi, u, &s));
    assert_float_equal(s.enstrophy, mean / 4, 1e-5 * mean);
    koshu_free(s.energy);
    koshu_free(u);
    koshu_free(v);
}

/* The slope of steep(), cos x + cos 2x, has mean square 1 and mean cube 3/4. */
static void
test_skewness(void **state)
{
    (void)state;
    double s, *u = values_of(N, steep, 1), *v = values_of(N, steep, -1);
    assert_ok(context, koshu_flow_skewness(context, N, two_pi, u, &s));
    assert_float_equal(s, 0.75, 1e-5); /* <(cos x + cos 2x)^2> = 1 */
    assert_ok(context, koshu_flow_skewness(context, N, two_pi, v, &s));
    assert_float_equal(s, -0.75, 1e-5);
    memset(u, 0, 3 * N * N * N * sizeof *u);
    assert_ok(context, koshu_flow_skewness(context, N, two_pi, u, &s));
    assert_true(s == 0);
    koshu_free(u);
    koshu_free(v);
}

/* For (sin x cos y, -cos x sin y, 0): 2 (cos x cos y)^2 - 2 (sin x sin y)^2. */
static void
test_invariant(void **state)
{
    (void)state;
    double *u = values_of(N, taylor_green_flat, 1),
           *q = koshu_alloc(N * N * N, sizeof *q);
    assert_non_null(q);
    assert_ok(context, koshu_flow_invariant(context, N, two_pi, u, q));
    for (size_t p = 0; p < N * N * N; p++) {
        const double h = two_pi / N, x = h * (double)(p / N / N),
                     y = h * (double)(p / N % N);
        assert_float_equal(
                q[p], 2 * pow(cos(x) * cos(y), 2) - 2 * pow(sin(x) * sin(y), 2),
                2e-5);
    }
    koshu_free(u);
    koshu_free(q);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_one_shell),
            cmocka_unit_test(test_all_energy_is_there),
            cmocka_unit_test(test_enstrophy_is_of_the_curl),
            cmocka_unit_test(test_skewness),
            cmocka_unit_test(test_invariant),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
