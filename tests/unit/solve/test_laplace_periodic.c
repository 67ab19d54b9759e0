/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r in a periodic box by the fast multipole method, compared with
 * Ewald sums and known values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ewald.h>
#include <koshu/laplace.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "uniform.h"

enum { MAX_N = 2000 };

/* Points and charges; results of the FMM and of Ewald sums. */
static struct {
    double x[MAX_N], y[MAX_N], z[MAX_N], charge[MAX_N];
} at;
struct sums {
    double potential[MAX_N], x[MAX_N], y[MAX_N], z[MAX_N];
};
static struct sums got, is;

static struct koshu_laplace_points
points(size_t first, size_t n)
{
    return (struct koshu_laplace_points){
            .size = sizeof(struct koshu_laplace_points),
            .n = n,
            .x = at.x + first,
            .y = at.y + first,
            .z = at.z + first,
            .n_rhs = 1,
            .charge = at.charge + first};
}

static struct koshu_laplace_result
result_of(struct sums *s)
{
    return (struct koshu_laplace_result){
            .size = sizeof(struct koshu_laplace_result),
            .potential = s->potential,
            .gradient_x = s->x,
            .gradient_y = s->y,
            .gradient_z = s->z};
}

static void
put(size_t i, double x, double y, double z, double charge)
{
    at.x[i] = x;
    at.y[i] = y;
    at.z[i] = z;
    at.charge[i] = charge;
}

/* Points in a box that starts at 0, denser towards its corner by this power;
 * charges with a non-zero sum. */
static void
fill(size_t n, double power, double length, double charge)
{
    for (size_t i = 0; i < n; i++)
        put(i, length * pow(uniform(), power), length * pow(uniform(), power),
            length * pow(uniform(), power), charge * (uniform() - 0.3));
}

static struct koshu_laplace_options
options(enum koshu_precision precision, double tolerance)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = tolerance;
    o.box = 1;
    return o;
}

/* Sums of the first n_sources at the other points, or at themselves. */
static void
sum_by_fmm(struct koshu_context *in, const struct koshu_laplace_options *o,
           size_t n_sources, size_t n_targets)
{
    struct koshu_laplace *laplace;
    const struct koshu_laplace_points from = points(0, n_sources),
                                      to = points(n_sources, n_targets);
    const struct koshu_laplace_result result = result_of(&got);
    double *const poisoned = (double *)&got;
    for (size_t k = 0; k < sizeof got / sizeof(double); k++) poisoned[k] = NAN;
    assert_ok(in, koshu_laplace_create(in, o, &laplace));
    assert_ok(in, koshu_laplace_sums(laplace, &from, n_targets ? &to : NULL,
                                     &result));
    koshu_laplace_destroy(laplace);
}

static void
sum_by_ewald(double box, size_t n_sources, size_t n_targets)
{
    struct koshu_ewald_options o = koshu_ewald_options_default();
    const struct koshu_laplace_points from = points(0, n_sources),
                                      to = points(n_sources, n_targets);
    const struct koshu_laplace_result result = result_of(&is);
    o.box = box;
    assert_ok(context, koshu_ewald_sums(context, &from, n_targets ? &to : NULL,
                                        &o, &result));
}

/* Relative L2 errors of gradients and potentials. */
static void
errors(size_t n, double error[2])
{
    double off[2] = {0}, all[2] = {0};
    for (size_t i = 0; i < n; i++) {
        off[0] += pow(got.x[i] - is.x[i], 2) + pow(got.y[i] - is.y[i], 2) +
                  pow(got.z[i] - is.z[i], 2);
        all[0] += pow(is.x[i], 2) + pow(is.y[i], 2) + pow(is.z[i], 2);
        off[1] += pow(got.potential[i] - is.potential[i], 2);
        all[1] += pow(is.potential[i], 2);
    }
    for (int k = 0; k < 2; k++)
        error[k] = all[k] > 0 ? sqrt(off[k] / all[k]) : sqrt(off[k]);
}

static void
assert_errors(size_t n, double gradient, double potential)
{
    double error[2];
    errors(n, error);
    assert_near(error[0], 0, gradient);
    assert_near(error[1], 0, potential);
}

static void
tolerances_are_kept(void **state)
{
    (void)state;
    for (int clustered = 0; clustered < 2; clustered++) {
        fill(MAX_N, clustered ? 3 : 1, 1, 1);
        sum_by_ewald(1, MAX_N, 0);
        for (double t = 1e-2; t > 1e-6; t *= 0.1) {
            const struct koshu_laplace_options o =
                    options(KOSHU_PRECISION_SINGLE, t);
            sum_by_fmm(context, &o, MAX_N, 0);
            assert_errors(MAX_N, t, 10 * t + 2e-5); /* these nearly cancel */
        }
        for (double t = 1e-4; t > 0.99e-12; t *= 1e-4) {
            const struct koshu_laplace_options o =
                    options(KOSHU_PRECISION_DOUBLE, t);
            sum_by_fmm(context, &o, MAX_N, 0);
            assert_errors(MAX_N, t, 10 * t + 1e-10);
        }
    }
}

/* Cells of so few ions that the lattice uses all operators. */
static void
rock_salt_has_its_madelung_constant(void **state)
{
    (void)state;
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 1e-12);
    o.box = SIDE;
    o.n_leaf = 8;
    for (int i = 0; i < N; i++) {
        const int a = i % SIDE, b = i / SIDE % SIDE, c = i / SIDE / SIDE;
        put((size_t)i, a, b, c, (a + b + c) % 2 ? -1 : 1);
    }
    sum_by_fmm(context, &o, N, 0);
    for (int i = 0; i < N; i++) {
        assert_near(at.charge[i] * got.potential[i], -1.747564594633182, 1e-11);
        assert_near(hypot(hypot(got.x[i], got.y[i]), got.z[i]), 0, 1e-11);
    }
}

static void
masses_at_a_quarter_and_three_quarters_do_not_move(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-12);
    put(0, 0.25, 0.1, 0.7, 3);
    put(1, 0.75, 0.1, 0.7, 3);
    sum_by_fmm(context, &o, 2, 0);
    for (int i = 0; i < 2; i++)
        assert_near(hypot(hypot(got.x[i], got.y[i]), got.z[i]), 0, 1e-11);
}

static void
few_points_and_none(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-12);
    fill(1, 1, 1, 1);
    sum_by_fmm(context, &o, 1, 0);
    assert_near(got.potential[0] / at.charge[0], -2.837297479480620, 1e-11);
    assert_near(got.x[0], 0, 1e-11);
    for (size_t n = 2; n < 6; n++) {
        fill(n, 1, 1, 1);
        sum_by_ewald(1, n, 0);
        sum_by_fmm(context, &o, n, 0);
        assert_errors(n, 1e-11, 1e-11);
    }
    fill(7, 1, 1, 1);
    sum_by_fmm(context, &o, 0, 7);
    for (int i = 0; i < 7; i++)
        assert_true(got.x[i] == 0 && got.potential[i] == 0);
}

/* The result does not depend on where the box starts. */
static void
sources_and_targets_may_differ(void **state)
{
    (void)state;
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 1e-9);
    fill(MAX_N, 1, 1, 1);
    for (size_t i = 0; i < 100; i++) /* at places of sources */
        put(1500 + i, at.x[3 * i], at.y[3 * i], at.z[3 * i], 0);
    for (size_t i = 0; i < MAX_N; i++) /* whose images are in other boxes */
        put(i, rint(at.x[i] * 0x1p30) * 0x1p-30,
            rint(at.y[i] * 0x1p30) * 0x1p-30, rint(at.z[i] * 0x1p30) * 0x1p-30,
            at.charge[i]);
    sum_by_ewald(1, 1500, 500);
    for (size_t i = 0; i < MAX_N; i += 2) {
        at.x[i] += 3;
        at.y[i] -= 1;
        at.z[i] += (double)(i % 3);
    }
    for (int k = 0; k < 2; k++) {
        sum_by_fmm(context, &o, 1500, 500);
        assert_errors(500, 1e-9, 1e-9);
        o.corner[0] = -0.5;
        o.corner[1] = 0.2;
        o.corner[2] = 1e3;
    }
}

/* At the corner, where eight boxes meet. */
static void
points_at_one_place_add_their_images(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-9);
    for (size_t i = 0; i < 500; i++)
        put(i, i % 2, i % 3 - 1.0, -1.0 * (double)(i % 5), 1);
    sum_by_fmm(context, &o, 500, 0);
    for (size_t i = 0; i < 500; i++) {
        /* a distribution without scatter: all errors are of the largest angles
         * that theta allows */
        assert_near(got.potential[i] / 500, -2.837297479480620, 1e-7);
        assert_near(hypot(hypot(got.x[i], got.y[i]), got.z[i]), 0, 1e-6 * 500);
    }
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    static struct sums alone;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_SINGLE, 1e-3);
    struct koshu_context *three = test_context(FIXTURE_BACKEND, 3);
    fill(MAX_N, 2, 1, 1);
    sum_by_fmm(context, &o, MAX_N, 0);
    alone = got;
    sum_by_fmm(three, &o, MAX_N, 0);
    assert_memory_equal(&alone, &got, sizeof got);
    koshu_context_destroy(three);
}

static void
units_do_not_matter(void **state)
{
    (void)state;
    struct koshu_laplace_options o = options(KOSHU_PRECISION_SINGLE, 1e-3);
    const double unit[] = {1e-30, 1e30};
    for (int k = 0; k < 4; k++) {
        o.box = unit[k % 2];
        fill(500, 1, o.box, unit[k / 2]);
        sum_by_ewald(o.box, 500, 0);
        sum_by_fmm(context, &o, 500, 0);
        assert_errors(500, 1e-3, 1e-3);
    }
}

static void
what_is_wrong_is_refused(void **state)
{
    (void)state;
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o;
#define REFUSED(member, value, words)                          \
    o = options(KOSHU_PRECISION_SINGLE, 0);                    \
    o.member = (value);                                        \
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words, \
                 koshu_laplace_create(context, &o, &laplace)); \
    assert_null(laplace)
    REFUSED(box, -1, "box = -1");
    REFUSED(box, NAN, "box = nan");
    REFUSED(corner[1], INFINITY, "corner");
    REFUSED(theta, 0.1, "0.217 or more");
    REFUSED(image_depth, 2, "image_depth = 2");
    REFUSED(image_depth, 30, "image_depth = 30");
    o = options(KOSHU_PRECISION_SINGLE, 1e-3);
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    fill(300, 1, 1, 1);
    at.z[6] = INFINITY;
    const struct koshu_laplace_points from = points(0, 300);
    const struct koshu_laplace_result result = result_of(&got);
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 6",
                 koshu_laplace_sums(laplace, &from, NULL, &result));
    koshu_laplace_destroy(laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(tolerances_are_kept),
            cmocka_unit_test(rock_salt_has_its_madelung_constant),
            cmocka_unit_test(
                    masses_at_a_quarter_and_three_quarters_do_not_move),
            cmocka_unit_test(few_points_and_none),
            cmocka_unit_test(sources_and_targets_may_differ),
            cmocka_unit_test(points_at_one_place_add_their_images),
            cmocka_unit_test(threads_do_not_matter),
            cmocka_unit_test(units_do_not_matter),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
