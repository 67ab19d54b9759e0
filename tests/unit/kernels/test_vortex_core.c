/* SPDX-License-Identifier: MIT */
/* The functions of Gaussian cores, and sums made of them. */
#include "check.h"
#include "kernels/kernels.h"
#include "vortex/near.h"

#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/vortex_core.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED
#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/vortex_core.h"

/* Polynomials P of orders 2 to 12 for new particles, and of order 6 for
 * others. */
static const double orders[][VORTEX_CORE_TERMS] = {
        {0},
        {1},
        {2.25, -0.5},
        {89.0 / 24, -5.0 / 3, 1.0 / 6},
        {1027.0 / 192, -349.0 / 96, 35.0 / 48, -1.0 / 24},
        {2747.0 / 384, -3131.0 / 480, 59.0 / 30, -9.0 / 40, 1.0 / 120},
        {0.8 + 1.25 * 0.64, -0.32}};
enum { ORDERS = sizeof orders / sizeof orders[0] };

static double
first(const double *p, double s)
{
    double sum = 0;
    for (int k = 0; k < VORTEX_CORE_TERMS; k++) sum += p[k] * pow(s, k);
    return 2 * koshu_boys(1, s) + exp(-s) * sum;
}

static double
second(const double *p, double s)
{
    double sum = p[0];
    for (int k = 1; k < VORTEX_CORE_TERMS; k++)
        sum += p[k] * (pow(s, k) - k * pow(s, k - 1));
    return 2 * koshu_boys(2, s) + exp(-s) * sum;
}

/* As a device computes them, with roots and exponentials of float accuracy. */
static void
in_floats(float s, const double *order, double *f1, double *f2)
{
    const float c = fmaxf(s, VORTEX_CORE_LEAST), u = 1 / sqrtf(c);
    float a, b, p[VORTEX_CORE_TERMS];
    for (int k = 0; k < VORTEX_CORE_TERMS; k++) p[k] = (float)order[k];
    vortex_core_functions_f32(s, c, u, expf(-c),
                              1 / (1 + VORTEX_CORE_P * c * u), p, &a, &b);
    *f1 = a;
    *f2 = b;
}

static void
floats_are_boys_functions(void **state)
{
    (void)state;
    for (int k = 0; k < ORDERS; k++)
        for (float s = 0; s < 50; s = s * 1.003f + 1e-5f) {
            double f1, f2;
            const double a = first(orders[k], s), b = second(orders[k], s);
            in_floats(s, orders[k], &f1, &f2);
            assert_near(f1 / a, 1, 1e-5);
            assert_near(2 * s * (f2 - b) / a, 0, 3e-5);
        }
}

static void
doubles_are_boys_functions(void **state)
{
    (void)state;
    for (int k = 0; k < ORDERS; k++)
        for (double s = 0; s < 50; s = s * 1.01 + 1e-4) {
            double f1, f2;
            vortex_core_precise(s, orders[k], &f1, &f2);
            assert_near(f1 / first(orders[k], s), 1, 4e-14);
            assert_near(f2 / second(orders[k], s), 1, 1e-12);
        }
}

/* Far from a core the Biot-Savart law holds: 2 F_1 = pi^(1/2) / 2 / d^3. */
static void
far_away_there_is_no_core(void **state)
{
    (void)state;
    double f1, f2;
    in_floats(30, orders[2], &f1, &f2);
    assert_near(f1 / (sqrt(atan(1)) / pow(30, 1.5)), 1, 1e-6);
    assert_near(f2 / (1.5 * f1 / 30), 1, 1e-6);
}

static void
velocity_at(const double d[3], const double a[3], double *sum)
{
    double f1, f2;
    for (int k = 0; k < VORTEX_CORE_SUMS; k++) sum[k] = 0;
    vortex_core_precise(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], orders[3], &f1,
                        &f2);
    vortex_core_add_f64(sum, d[0], d[1], d[2], f1, f2, a[0], a[1], a[2],
                        VORTEX_CORE_SUMS);
}

/* du_i / dx_k = eps_ijk sum_j 2 F_1 alpha_j + 2 (sum of slopes), compared with
 * differences. */
static void
slopes_are_those_of_velocities(void **state)
{
    (void)state;
    const double d[3] = {0.3, -0.5, 0.7}, a[3] = {1.1, -0.4, 2.3}, h = 1e-5;
    double sum[VORTEX_CORE_SUMS], up[VORTEX_CORE_SUMS], down[VORTEX_CORE_SUMS];
    velocity_at(d, a, sum);
    for (int n = 0; n < 8; n++) {
        const int i = n / 3, k = n % 3, j = 3 - i - k;
        double moved[3] = {d[0], d[1], d[2]};
        double slope = 2 * sum[VORTEX_CORE_SLOPES + n];
        if (i != k)
            slope += ((i + 1) % 3 == j ? 1 : -1) * sum[VORTEX_CORE_ALPHA + j];
        moved[k] += h;
        velocity_at(moved, a, up);
        moved[k] -= 2 * h;
        velocity_at(moved, a, down);
        assert_near((up[i] - down[i]) / (2 * h), slope, 1e-9);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(floats_are_boys_functions),
            cmocka_unit_test(doubles_are_boys_functions),
            cmocka_unit_test(far_away_there_is_no_core),
            cmocka_unit_test(slopes_are_those_of_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
