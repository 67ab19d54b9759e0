/* SPDX-License-Identifier: MIT */
/* Dipoles, Hessians and vortex particles in a periodic box by the fast
 * multipole method, compared with Ewald sums. */
#include <koshu/ewald.h>

#include "fields.h"

enum { TARGETS = 100 };

/* Small leaves, so that expansions compute nearly everything; on a device
 * targets are in the same leaves. */
static struct koshu_laplace *
laplace_in_box(enum koshu_precision precision, double tolerance)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = tolerance;
    o.box = 1;
    o.n_leaf = 20;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

/* In a box the contributions of charges of both signs nearly cancel, and each
 * derivative is less accurate relative to what remains. The bound of 30 times
 * the tolerance allows for both, with few sources in small leaves. */
static void
assert_fields(const struct koshu_laplace_points *from,
              const struct koshu_laplace_points *at, double tolerance)
{
    const struct koshu_laplace_result by_fmm = all_of(got[0], RHS * N),
                                      exact = all_of(is[0], RHS * N);
    assert_ok(context, koshu_ewald_sums(context, from, at, NULL, &exact));
    sum(laplace_in_box(KOSHU_PRECISION_DOUBLE, tolerance), from, at, &by_fmm);
    for (size_t rhs = 0; rhs < from->n_rhs; rhs++) {
        const size_t n = at ? at->n : from->n, first = rhs * n;
        assert_true(error_of(POTENTIAL, 1, first, first + n) < 30 * tolerance);
        assert_true(error_of(GRADIENT, 3, first, first + n) < 30 * tolerance);
        assert_true(error_of(HESSIAN, 6, first, first + n) < 30 * tolerance);
    }
}

/* Charges, charges with dipoles, and dipoles alone; at separate targets, then
 * at the sources. */
static void
fields_are_those_of_the_lattice(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points at = targets(TARGETS);
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 1e-3) {
        struct koshu_laplace_points from = sources(N, RHS);
        assert_fields(&from, &at, tolerance);
        from = with_dipoles(from);
        assert_fields(&from, &at, tolerance);
        from.charge = NULL;
        assert_fields(&from, &at, tolerance);
        from = with_dipoles(sources(TARGETS, 1));
        assert_fields(&from, NULL, tolerance);
    }
}

/* At the box's corner and at an image of it: only images act there, whose field
 * is Lorentz's. */
static void
a_dipole_has_the_field_of_its_images(void **state)
{
    (void)state;
    const double factor = 4 * 3.14159265358979324 / 3;
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    const struct koshu_laplace_points from = with_dipoles(sources(1, 1)),
                                      at = targets(1);
    fill();
    x[0] = y[0] = z[0] = to_y[0] = to_z[0] = 0;
    to_x[0] = 3;
    sum(laplace_in_box(KOSHU_PRECISION_DOUBLE, 1e-12), &from, &at, &to);
    for (int a = 0; a < 3; a++)
        assert_near(got[GRADIENT + a][0], -factor * dipole[a][0], 1e-10);
    assert_near(got[HESSIAN][0], factor * charge[0], 1e-10);
    assert_near(got[HESSIAN + 1][0], 0, 1e-10);
}

/* ---- vortices ------------------------------------------------------------ */

enum { SLOPES = 9 };
static double u[3][N], slope[SLOPES][N];

static struct koshu_laplace_velocity
velocities(void)
{
    struct koshu_laplace_velocity v = koshu_laplace_velocity_default();
    double **const to[] = {&v.gradient_xx, &v.gradient_xy, &v.gradient_xz,
                           &v.gradient_yx, &v.gradient_yy, &v.gradient_yz,
                           &v.gradient_zx, &v.gradient_zy, &v.gradient_zz};
    memset(u, 0, sizeof u);
    memset(slope, 0, sizeof slope);
    v.x = u[0];
    v.y = u[1];
    v.z = u[2];
    for (int k = 0; k < SLOPES; k++) *to[k] = slope[k];
    return v;
}

/* D_ab of the rhs-th potential of the lattice, in the order of `is`. */
static double
second(int a, int b, size_t at)
{
    static const int of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return is[HESSIAN + of[a][b]][at];
}

/* Relative L2 errors of the curl of n points' potentials over 4 pi, and of its
 * gradient. */
static void
velocity_errors(size_t n, double error[2])
{
    const double per_4_pi = 1 / (4 * 3.14159265358979324);
    double off[2] = {0}, all[2] = {0};
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            const size_t of_a = (size_t)a * n + i, of_b = (size_t)b * n + i;
            const double exact =
                    (is[GRADIENT + a][of_b] - is[GRADIENT + b][of_a]) *
                    per_4_pi;
            off[0] += pow(u[c][i] - exact, 2);
            all[0] += pow(exact, 2);
            for (int k = 0; k < 3; k++) {
                const double by_k =
                        (second(a, k, of_b) - second(b, k, of_a)) * per_4_pi;
                off[1] += pow(slope[3 * c + k][i] - by_k, 2);
                all[1] += pow(by_k, 2);
            }
        }
    for (int k = 0; k < 2; k++) error[k] = sqrt(off[k] / all[k]);
}

/* At separate targets and at the vortices; strengths with a non-zero sum have a
 * background. Velocities cancel as charges' fields do. */
static void
velocities_are_those_of_the_lattice(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = sources(N, 3), at = targets(N);
    for (size_t i = 0; i < 3 * N; i++) charge[i] = uniform() - 0.4;
    for (int k = 0; k < 4; k++) {
        const struct koshu_laplace_points *const to = k / 2 ? &at : NULL;
        const double tolerance = k % 2 ? 1e-9 : 1e-4;
        const struct koshu_laplace_result exact = all_of(is[0], RHS * N);
        const struct koshu_laplace_velocity v = velocities();
        struct koshu_laplace *laplace = laplace_in_box(
                k % 2 ? KOSHU_PRECISION_DOUBLE : KOSHU_PRECISION_SINGLE,
                tolerance);
        double error[2];
        assert_ok(context, koshu_ewald_sums(context, &from, to, NULL, &exact));
        assert_ok(context, koshu_laplace_biot_savart(laplace, &from, to, &v));
        koshu_laplace_destroy(laplace);
        velocity_errors(N, error);
        assert_true(error[0] < 30 * tolerance);
        assert_true(error[1] < 30 * tolerance);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(fields_are_those_of_the_lattice),
            cmocka_unit_test(a_dipole_has_the_field_of_its_images),
            cmocka_unit_test(velocities_are_those_of_the_lattice),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
