/* SPDX-License-Identifier: MIT */
/* Velocities in a periodic box, compared with Ewald sums that include the
 * core. */
#include <koshu/ewald.h>

#include "support.h"

enum { N = 1500, SETS = 3 };

static const double box = 1, core = 0.05;

/* Results of Ewald sums: gradients of three potentials, and Hessians in the
 * order xx, xy, xz, yy, yz, zz. */
static double gradient[3][SETS * N], hessian[6][SETS * N];

static void
sum_by_ewald(const struct koshu_vortices *v)
{
    struct koshu_ewald_options o = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default();
    struct koshu_laplace_result to = koshu_laplace_result_default();
    double **const all[] = {&to.gradient_x, &to.gradient_y, &to.gradient_z,
                            &to.hessian_xx, &to.hessian_xy, &to.hessian_xz,
                            &to.hessian_yy, &to.hessian_yz, &to.hessian_zz};
    for (int k = 0; k < 9; k++) *all[k] = k < 3 ? gradient[k] : hessian[k - 3];
    o.box = box;
    from.n = v->n;
    from.x = koshu_vortices_position(v, 0);
    from.y = koshu_vortices_position(v, 1);
    from.z = koshu_vortices_position(v, 2);
    from.n_rhs = SETS;
    from.charge = koshu_vortices_strength(v, 0);
    assert_ok(context, koshu_ewald_sums(context, &from, NULL, &o, &to));
}

/* u_c = (d_p phi_q - d_q phi_p) / (4 pi), and its derivative along k. */
static double
velocity_by_ewald(size_t i, size_t c)
{
    const size_t p = (c + 1) % 3, q = (c + 2) % 3;
    return (gradient[p][q * N + i] - gradient[q][p * N + i]) / (4 * pi);
}

static double
slope_by_ewald(size_t i, size_t c, size_t k)
{
    static const size_t at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const size_t p = (c + 1) % 3, q = (c + 2) % 3;
    return (hessian[at[p][k]][q * N + i] - hessian[at[q][k]][p * N + i]) /
           (4 * pi);
}

/* The core's correction at x, from nearest images: it vanishes beyond 10 core
 * radii, half the box. Ewald sums leave out particle i itself. */
static void
add_cores(const struct koshu_vortices *v, size_t i, const double x[3],
          double u[3])
{
    for (size_t j = 0; j < v->n; j++) {
        double d[3], a[3], r2 = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = x[k] - koshu_vortices_position(v, k)[j];
            d[k] -= box * round(d[k] / box);
            a[k] = koshu_vortices_strength(v, k)[j];
            r2 += d[k] * d[k];
        }
        if (r2 == 0) continue;
        const double r = sqrt(r2) / core;
        const double g = erf(r / sqrt(2)) - sqrt(2 / pi) * r * exp(-r * r / 2);
        const double w = (g - (j == i ? 0 : 1)) / (4 * pi * r2 * sqrt(r2));
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            u[k] += w * (a[p] * d[q] - a[q] * d[p]);
        }
    }
}

/* Slopes of the core by differences, accurate to 1e-8. */
static void
find_exact(const struct koshu_vortices *v, size_t i, double u[3],
           double slope[3][3])
{
    const double h = 1e-6;
    double x[3], up[3] = {0}, down[3] = {0};
    for (int k = 0; k < 3; k++) x[k] = koshu_vortices_position(v, k)[i];
    for (size_t c = 0; c < 3; c++) u[c] = velocity_by_ewald(i, c);
    add_cores(v, i, x, u);
    for (size_t k = 0; k < 3; k++) {
        memset(up, 0, sizeof up);
        memset(down, 0, sizeof down);
        x[k] += h;
        add_cores(v, i, x, up);
        x[k] -= 2 * h;
        add_cores(v, i, x, down);
        x[k] += h;
        for (size_t c = 0; c < 3; c++)
            slope[c][k] = slope_by_ewald(i, c, k) + (up[c] - down[c]) / (2 * h);
    }
}

/* L2 errors of velocities and of stretching (alpha . grad) u. */
static void
compare(const struct koshu_vortices *v, const double *u, const double *g,
        double error[2])
{
    double off[2] = {0}, all[2] = {0};
    for (size_t i = 0; i < N; i += 5) {
        double is[3], slope[3][3];
        find_exact(v, i, is, slope);
        for (size_t c = 0; c < 3; c++) {
            double exact = 0, found = 0;
            for (size_t k = 0; k < 3; k++) {
                const double a = koshu_vortices_strength(v, (int)k)[i];
                exact += a * slope[c][k];
                found += a * g[(3 * c + k) * N + i];
            }
            off[0] += pow(u[c * N + i] - is[c], 2);
            all[0] += is[c] * is[c];
            off[1] += pow(found - exact, 2);
            all[1] += exact * exact;
        }
    }
    for (int k = 0; k < 2; k++) error[k] = sqrt(off[k] / all[k]);
}

static void
scatter(struct koshu_vortices *v)
{
    for (size_t i = 0; i < KOSHU_VORTEX_STATE * v->n; i++)
        v->state[i] = i < 3 * v->n ? box * uniform() : uniform() - 0.5;
}

static void
check(const struct koshu_vortices *v, const struct koshu_vortex_options *o,
      const double expected[2])
{
    static double u[3 * N], g[9 * N];
    struct koshu_vortex_solver *s;
    double error[2];
    for (size_t i = 0; i < 9 * N; i++) g[i] = u[i % (3 * N)] = NAN;
    assert_ok(context, koshu_vortex_solver_create(context, o, &s));
    assert_ok(context, koshu_vortex_velocities(s, v, N, NULL, u, g));
    compare(v, u, g, error);
    for (int k = 0; k < 2; k++) {
        if (!(error[k] < expected[k])) fail_msg("%d: %g", k, error[k]);
    }
    koshu_vortex_solver_destroy(s);
}

/* The tolerance applies to velocities; slopes, with one more derivative, have
 * up to twice the error. With half the tolerance both stay below 1e-4, in
 * single precision too. */
static void
velocities_are_those_of_ewald_sums(void **state)
{
    (void)state;
    struct koshu_vortices *v = vortices_of(N, core, box);
    struct koshu_vortex_options o = {.precision = KOSHU_PRECISION_DOUBLE,
                                     .tolerance = 1e-4,
                                     .reach = 6,
                                     .box = box};
    scatter(v);
    sum_by_ewald(v);
    check(v, &o, (const double[]){1e-4, 2e-4});
    o.precision = KOSHU_PRECISION_SINGLE;
    o.tolerance = 5e-5;
    check(v, &o, (const double[]){1e-4, 1e-4});
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.tolerance = 1e-9;
    o.reach = 7;
    check(v, &o, (const double[]){1e-8, 5e-6});
    koshu_vortices_destroy(v);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(velocities_are_those_of_ewald_sums),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
