/* SPDX-License-Identifier: MIT */
/* Velocities of vortex particles, compared with direct sums, and of a ring,
 * compared with its formula. */
#include "fields.h"

enum { VELOCITY = 3, SLOPES = 9 };
static const double pi = 3.14159265358979323846;
static double u[VELOCITY][N], slope[SLOPES][N];
static double is_u[VELOCITY][N], is_slope[SLOPES][N];

static struct koshu_laplace_velocity
velocities(bool gradients)
{
    struct koshu_laplace_velocity v = koshu_laplace_velocity_default();
    double **const to[] = {&v.gradient_xx, &v.gradient_xy, &v.gradient_xz,
                           &v.gradient_yx, &v.gradient_yy, &v.gradient_yz,
                           &v.gradient_zx, &v.gradient_zy, &v.gradient_zz};
    for (size_t i = 0; i < N; i++)
        for (int k = 0; k < SLOPES; k++) u[k / 3][i] = slope[k][i] = NAN;
    v.x = u[0];
    v.y = u[1];
    v.z = u[2];
    for (int k = 0; gradients && k < SLOPES; k++) *to[k] = slope[k];
    return v;
}

/* Vortex particles with strengths of one magnitude. */
static struct koshu_laplace_points
vortices(size_t n)
{
    fill();
    for (size_t i = 0; i < 3 * N; i++) charge[i] = uniform() - 0.5;
    return sources(n, 3);
}

static void
sum_velocities(struct koshu_laplace *laplace,
               const struct koshu_laplace_points *from,
               const struct koshu_laplace_points *at, bool gradients)
{
    const struct koshu_laplace_velocity v = velocities(gradients);
    assert_ok(context, koshu_laplace_biot_savart(laplace, from, at, &v));
    koshu_laplace_destroy(laplace);
}

/* alpha x d / r^3, and its derivative by x_k, (alpha x e_k) / r^3 - 3 (alpha x
 * d) d_k / r^5. */
static void
add_vortex(const double a[3], const double d[3], size_t i)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (r2 == 0) return;
    const double r3 = 4 * pi * r2 * sqrt(r2);
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        const double cross = a[p] * d[q] - a[q] * d[p];
        is_u[c][i] += cross / r3;
        is_slope[3 * c + q][i] += a[p] / r3;
        is_slope[3 * c + p][i] -= a[q] / r3;
        for (int k = 0; k < 3; k++)
            is_slope[3 * c + k][i] -= 3 * cross * d[k] / r2 / r3;
    }
}

static void
sum_vortices(const struct koshu_laplace_points *from,
             const struct koshu_laplace_points *at)
{
    memset(is_u, 0, sizeof is_u);
    memset(is_slope, 0, sizeof is_slope);
    for (size_t i = 0; i < at->n; i++)
        for (size_t j = 0; j < from->n; j++)
            add_vortex((double[]){charge[j], charge[from->n + j],
                                  charge[2 * from->n + j]},
                       (double[]){at->x[i] - from->x[j], at->y[i] - from->y[j],
                                  at->z[i] - from->z[j]},
                       i);
}

static double
velocity_error(int n, double (*found)[N], double (*expected)[N])
{
    double off = 0, all = 0;
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < N; i++) {
            off += pow(found[k][i] - expected[k][i], 2);
            all += pow(expected[k][i], 2);
        }
    return sqrt(off / all);
}

static void
velocities_and_gradients_are_those_of_direct_sums(void **state)
{
    (void)state;
    const struct koshu_laplace_points from = vortices(N), at = targets(N);
    const struct koshu_laplace_points *const places[] = {&from, &at};
    for (int k = 0; k < 4; k++) {
        const bool precise = k % 2;
        sum_vortices(&from, places[k / 2]);
        sum_velocities(laplace_of(precise ? KOSHU_PRECISION_DOUBLE
                                          : KOSHU_PRECISION_SINGLE,
                                  precise ? 1e-9 : 1e-4),
                       &from, k / 2 ? &at : NULL, true);
        assert_true(velocity_error(3, u, is_u) < (precise ? 1e-9 : 1e-4));
        assert_true(velocity_error(9, slope, is_slope) <
                    (precise ? 1e-8 : 1e-3));
    }
}

/* Computed by another kernel. */
static void
velocities_may_come_alone(void **state)
{
    (void)state;
    const struct koshu_laplace_points from = vortices(N);
    sum_vortices(&from, &from);
    sum_velocities(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, NULL,
                   false);
    assert_true(velocity_error(3, u, is_u) < 1e-9);
    assert_true(isnan(slope[0][0]));
}

static void
errors_fall_with_the_order(void **state)
{
    (void)state;
    const struct koshu_laplace_points from = vortices(N), at = targets(N);
    double before[2] = {INFINITY, INFINITY};
    sum_vortices(&from, &at);
    for (unsigned p = 3; p <= 18; p += 3) {
        sum_velocities(laplace_of_order(p), &from, &at, true);
        const double error[] = {velocity_error(3, u, is_u),
                                velocity_error(9, slope, is_slope)};
        for (int k = 0; k < 2; k++) {
            assert_true(error[k] < 0.3 * before[k]); /* 0.46^3, and scatter */
            before[k] = error[k];
        }
    }
}

/* Each Hessian is symmetric, whatever the errors of the sums. */
static void
the_divergence_is_0(void **state)
{
    (void)state;
    const struct koshu_laplace_points from = vortices(N), at = targets(N);
    sum_velocities(laplace_of(KOSHU_PRECISION_SINGLE, 1e-2), &from, &at, true);
    for (size_t i = 0; i < N; i++) {
        const double size =
                fabs(slope[0][i]) + fabs(slope[4][i]) + fabs(slope[8][i]);
        assert_true(fabs(slope[0][i] + slope[4][i] + slope[8][i]) <=
                    1e-12 * size);
    }
}

/* On the axis of a ring of radius R: u_z = Gamma R^2 / (2 (R^2 + z^2)^(3/2)),
 * and u_x = -x / 2 du_z / dz near it. */
static void
a_ring_moves_as_its_formula_says(void **state)
{
    (void)state;
    const double radius = 0.5, gamma = 3;
    struct koshu_laplace_points from = vortices(N), at = targets(N);
    for (size_t j = 0; j < N; j++) {
        const double phi = 2 * pi * (double)j / N, l = 2 * pi * radius / N;
        x[j] = radius * cos(phi);
        y[j] = radius * sin(phi);
        z[j] = 0;
        charge[j] = -gamma * l * sin(phi);
        charge[N + j] = gamma * l * cos(phi);
        charge[2 * N + j] = 0;
        to_x[j] = to_y[j] = 0;
        to_z[j] = 2 * uniform() - 1;
    }
    sum_velocities(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-10), &from, &at, true);
    for (size_t i = 0; i < N; i++) {
        const double s = radius * radius + to_z[i] * to_z[i];
        const double along = gamma * radius * radius / (2 * s * sqrt(s));
        assert_near(u[2][i], along, 1e-8);
        assert_near(slope[8][i], -3 * along * to_z[i] / s, 1e-6);
        assert_near(slope[0][i], -slope[8][i] / 2, 1e-6);
        assert_near(hypot(u[0][i], u[1][i]), 0, 1e-8);
    }
}

static void
none_and_what_is_refused(void **state)
{
    (void)state;
    struct koshu_laplace *laplace = laplace_of(KOSHU_PRECISION_SINGLE, 1e-3);
    struct koshu_laplace_points from = vortices(0);
    const struct koshu_laplace_points at = targets(3);
    struct koshu_laplace_velocity v = velocities(true);
    assert_ok(context, koshu_laplace_biot_savart(laplace, &from, &at, &v));
    assert_true(u[2][2] == 0 && slope[8][2] == 0 && isnan(u[2][3]));
    from = vortices(N);
    charge[2 * N + 4] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 4",
                 koshu_laplace_biot_savart(laplace, &from, &at, &v));
    from.n_rhs = 2;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "2 right-hand sides",
                 koshu_laplace_biot_savart(laplace, &from, &at, &v));
    from.n_rhs = 3;
    v.gradient_zx = NULL;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "1 of the 9",
                 koshu_laplace_biot_savart(laplace, &from, &at, &v));
    koshu_laplace_destroy(laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(velocities_and_gradients_are_those_of_direct_sums),
            cmocka_unit_test(velocities_may_come_alone),
            cmocka_unit_test(errors_fall_with_the_order),
            cmocka_unit_test(the_divergence_is_0),
            cmocka_unit_test(a_ring_moves_as_its_formula_says),
            cmocka_unit_test(none_and_what_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
