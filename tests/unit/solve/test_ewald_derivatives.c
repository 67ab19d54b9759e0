/* SPDX-License-Identifier: MIT */
/* Ewald sums of dipoles, and Hessians, compared with difference quotients and
 * known values. */
#include <math.h>
#include <string.h>

#include <koshu/ewald.h>

#define FIXTURE_BACKEND "ref"
#include "fixture.h"
#include "uniform.h"

enum { N = 24, SUMS = 10, XX = 4 };

static const double pi = 3.14159265358979323846;

static double x[3][N], charge[N], dipole[3][N];
static double at[3][N];
static const struct koshu_laplace_points sources = {.size = sizeof sources,
                                                    .n = N,
                                                    .x = x[0],
                                                    .y = x[1],
                                                    .z = x[2],
                                                    .n_rhs = 1,
                                                    .charge = charge,
                                                    .dipole_x = dipole[0],
                                                    .dipole_y = dipole[1],
                                                    .dipole_z = dipole[2]};

static void
fill(void)
{
    for (int i = 0; i < N; i++) {
        charge[i] = uniform() - 0.3;
        for (int k = 0; k < 3; k++) {
            x[k][i] = 3 * uniform() - 1;
            dipole[k][i] = 0.2 * (uniform() - 0.5);
        }
    }
}

/* Potential, gradient and Hessian at the first n places of `at`, or at the
 * sources: to[k][i]. */
static void
sum(const struct koshu_laplace_points *from, size_t n,
    const struct koshu_ewald_options *o, double (*to)[N])
{
    struct koshu_laplace_points places = koshu_laplace_points_default();
    const struct koshu_laplace_result r = {.size = sizeof r,
                                           .potential = to[0],
                                           .gradient_x = to[1],
                                           .gradient_y = to[2],
                                           .gradient_z = to[3],
                                           .hessian_xx = to[4],
                                           .hessian_xy = to[5],
                                           .hessian_xz = to[6],
                                           .hessian_yy = to[7],
                                           .hessian_yz = to[8],
                                           .hessian_zz = to[9]};
    for (int k = 0; k < SUMS; k++)
        for (int i = 0; i < N; i++) to[k][i] = NAN;
    places.n = n;
    places.x = at[0];
    places.y = at[1];
    places.z = at[2];
    assert_ok(context,
              koshu_ewald_sums(context, from, n > 0 ? &places : NULL, o, &r));
}

/* ---- difference quotients ------------------------------------------------ */

/* Five places along each axis, so that the quotients have errors of h^4. */
static const double h = 1e-3;

static void
put_places(const double middle[3])
{
    for (int i = 0; i < 15; i++)
        for (int k = 0; k < 3; k++)
            at[k][i] = middle[k] + (k == i / 5 ? h * (i % 5 - 2) : 0);
}

/* The derivative of values along an axis. */
static double
quotient(const double *value, int axis)
{
    const double *v = value + 5 * axis;
    return (8 * (v[3] - v[1]) - (v[4] - v[0])) / (12 * h);
}

/* The index of these places in the sums. */
static int
hessian_at(int i, int k)
{
    static const int to[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
    return to[i][k];
}

/* With and without softening, for both parts of the sum. */
static void
derivatives_are_difference_quotients(void **state)
{
    (void)state;
    double is[SUMS][N];
    struct koshu_ewald_options o = koshu_ewald_options_default();
    fill();
    for (int softened = 0; softened < 2; softened++)
        for (o.splitting = 2; o.splitting < 17; o.splitting *= 2) {
            o.softening = 0.1 * softened;
            put_places((double[]){0.97, 0.55, -0.02});
            sum(&sources, 15, &o, is);
            for (int a = 0; a < 3; a++) {
                assert_near(quotient(is[0], a), is[1 + a][2], 1e-5);
                for (int b = 0; b < 3; b++)
                    assert_near(quotient(is[1 + b], a), is[hessian_at(a, b)][2],
                                1e-3);
            }
        }
}

/* Two charges of 1 / h each that are h p apart. */
static void
dipoles_are_pairs_of_charges(void **state)
{
    (void)state;
    double is[SUMS][N], pair[SUMS][N], places[3][2];
    const double charges[2] = {1 / h, -1 / h};
    const struct koshu_laplace_points one = {.size = sizeof one,
                                             .n = 1,
                                             .x = x[0],
                                             .y = x[1],
                                             .z = x[2],
                                             .n_rhs = 1,
                                             .dipole_x = dipole[0],
                                             .dipole_y = dipole[1],
                                             .dipole_z = dipole[2]};
    struct koshu_laplace_points two = koshu_laplace_points_default();
    fill();
    put_places((double[]){0.2, 0.4, 0.7});
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            places[k][i] = x[k][0] + (0.5 - i) * h * dipole[k][0];
    two.n = 2;
    two.x = places[0];
    two.y = places[1];
    two.z = places[2];
    two.charge = charges;
    sum(&one, 3, NULL, is);
    sum(&two, 3, NULL, pair);
    for (int k = 0; k < SUMS; k++)
        for (int i = 0; i < 3; i++) assert_near(is[k][i], pair[k][i], 1e-6);
}

/* ---- known values -------------------------------------------------------- */

static void
the_splitting_parameter_does_not_matter(void **state)
{
    (void)state;
    double is[SUMS][N], first[SUMS][N];
    struct koshu_ewald_options o = koshu_ewald_options_default();
    fill();
    put_places((double[]){0.2, 0.4, 0.7});
    for (o.softening = 0; o.softening < 0.2; o.softening += 0.09) {
        o.splitting = 3;
        sum(&sources, 15, &o, first);
        for (o.splitting = 1.5; o.splitting < 30; o.splitting *= 2) {
            sum(&sources, 15, &o, is);
            for (int k = 0; k < SUMS; k++)
                for (int i = 0; i < 15; i++)
                    assert_near(is[k][i], first[k][i],
                                1e-11 * (1 + fabs(first[k][i])));
        }
    }
}

/* 4 pi times the background's charge, which dipoles do not have. */
static void
traces_are_those_of_the_background(void **state)
{
    (void)state;
    const double box = 2;
    double is[SUMS][N], all = 0;
    struct koshu_ewald_options o = koshu_ewald_options_default();
    o.box = box;
    fill();
    put_places((double[]){0.2, 0.4, 0.7});
    sum(&sources, 15, &o, is);
    for (int i = 0; i < N; i++) all += charge[i];
    for (int i = 0; i < 15; i++)
        assert_near(is[4][i] + is[7][i] + is[9][i],
                    4 * pi * all / (box * box * box), 1e-11);
}

/* At the dipole's own place, by symmetry, and at an image of it. */
static void
a_lattice_of_dipoles_has_lorentz_field(void **state)
{
    (void)state;
    double is[SUMS][N];
    const double factor = 4 * pi / 3 / 8; /* for a box of edge 2 */
    struct koshu_ewald_options o = koshu_ewald_options_default();
    struct koshu_laplace_points one = sources;
    fill();
    one.n = 1;
    o.box = 2;
    for (int k = 0; k < 3; k++) at[k][0] = x[k][0] = 0.25 * k;
    at[1][0] += 4;
    for (o.splitting = 2; o.splitting < 30; o.splitting *= 3) {
        sum(&one, 1, &o, is);
        for (int a = 0; a < 3; a++) {
            assert_near(is[1 + a][0], -factor * dipole[a][0], 1e-13);
            for (int b = 0; b < 3; b++)
                assert_near(is[hessian_at(a, b)][0],
                            a == b ? factor * charge[0] : 0, 1e-12);
        }
    }
}

/* As the softening vanishes, sums approach those without it; and the two
 * formulas for a source at a target's place must meet. */
static void
softening_goes_to_none(void **state)
{
    (void)state;
    double is[SUMS][N], none[SUMS][N];
    struct koshu_ewald_options o = koshu_ewald_options_default();
    fill();
    o.splitting = 4;
    sum(&sources, 0, &o, none);
    for (o.softening = 1e-9; o.softening < 1e-5; o.softening *= 10) {
        sum(&sources, 0, &o, is);
        for (int k = 0; k < SUMS; k++)
            for (int i = 0; i < N; i++)
                assert_near(is[k][i], none[k][i],
                            1e-6 * (1 + fabs(none[k][i])));
    }
    o.softening = 0.25 - 1e-12; /* a eps is about 1 */
    sum(&sources, 0, &o, none);
    o.softening = 0.25 + 1e-12;
    sum(&sources, 0, &o, is);
    for (int k = 0; k < SUMS; k++)
        for (int i = 0; i < N; i++)
            assert_near(is[k][i], none[k][i], 1e-9 * (1 + fabs(none[k][i])));
}

static void
dipoles_must_be_finite(void **state)
{
    (void)state;
    double potential[N];
    struct koshu_laplace_result r = koshu_laplace_result_default();
    r.potential = potential;
    fill();
    dipole[1][7] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "point 7 has the dipole",
                 koshu_ewald_sums(context, &sources, NULL, NULL, &r));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(derivatives_are_difference_quotients),
            cmocka_unit_test(dipoles_are_pairs_of_charges),
            cmocka_unit_test(the_splitting_parameter_does_not_matter),
            cmocka_unit_test(traces_are_those_of_the_background),
            cmocka_unit_test(a_lattice_of_dipoles_has_lorentz_field),
            cmocka_unit_test(softening_goes_to_none),
            cmocka_unit_test(dipoles_must_be_finite),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
