/* SPDX-License-Identifier: MIT */
/* The fast multipole method on a device: every order, against direct sums; the
 * same bits again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

enum { N = 4000, ROWS = 4 };

static double place[3][N], charge[N];
static double truth[ROWS][N], first[ROWS][N], second[ROWS][N];

static double
uniform(void)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static void
make_points(void)
{
    for (size_t i = 0; i < N; i++) {
        for (int c = 0; c < 3; c++) place[c][i] = pow(uniform(), 2);
        charge[i] = uniform() - 0.3;
    }
}

static void
sum(struct koshu_context *context, const struct koshu_laplace_options *o,
    double (*to)[N])
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    points.n = N;
    points.x = place[0];
    points.y = place[1];
    points.z = place[2];
    points.charge = charge;
    result.gradient_x = to[0];
    result.gradient_y = to[1];
    result.gradient_z = to[2];
    result.potential = to[3];
    assert_ok(context, koshu_laplace_create(context, o, &laplace));
    assert_ok(context, koshu_laplace_sums(laplace, &points, NULL, &result));
    koshu_laplace_destroy(laplace);
}

static struct koshu_laplace_options
of_order(unsigned p, enum koshu_precision precision)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.tolerance = 0;
    o.precision = precision;
    o.multipole_order = p;
    o.n_leaf = 24; /* levels, and most of the error that of expansions */
    return o;
}

/* Relative L2 errors, of the gradient and of the potential. */
static double
error_of(double (*sums)[N], int begin, int end)
{
    double off = 0, all = 0;
    for (int c = begin; c < end; c++)
        for (size_t i = 0; i < N; i++) {
            off += pow(sums[c][i] - truth[c][i], 2);
            all += pow(truth[c][i], 2);
        }
    return sqrt(off / all);
}

/* Of ref, with an order and theta beyond which nothing changes. */
static void
find_truth(void)
{
    struct koshu_context *context = test_context("cpu", 0);
    struct koshu_laplace_options o = of_order(20, KOSHU_PRECISION_DOUBLE);
    o.theta = 0.3;
    sum(context, &o, truth);
    koshu_context_destroy(context);
}

static void
expect_order(struct koshu_context *context, unsigned p,
             enum koshu_precision precision, double floor)
{
    const struct koshu_laplace_options o = of_order(p, precision);
    /* docs/fmm.md, for charges of both signs */
    const double bound = fmax(0.6 * pow(0.5, p), floor);
    sum(context, &o, first);
    sum(context, &o, second);
    assert_memory_equal(first, second, sizeof first);
    const double gradient = error_of(first, 0, 3),
                 potential = error_of(first, 3, 4);
    if (gradient > bound || potential > bound)
        fail_msg("%s, p = %u: errors %.2g and %.2g, bound %.2g",
                 koshu_precision_name(precision), p, gradient, potential,
                 bound);
}

static void
every_order_has_its_error_and_its_bits(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    make_points();
    find_truth();
    for (unsigned p = 1; p <= 12; p++)
        expect_order(context, p, KOSHU_PRECISION_SINGLE, 2e-6);
    for (unsigned p = 3; p <= 11; p += 4)
        expect_order(context, p, KOSHU_PRECISION_MIXED, 1e-6);
    for (unsigned p = 1; p <= 20; p += 3)
        expect_order(context, p, KOSHU_PRECISION_DOUBLE, 1e-12);
    koshu_context_destroy(context);
}

/* Refused by name; nothing is left half done. */
static void
what_is_not_there_is_refused(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_laplace_options o = of_order(4, KOSHU_PRECISION_SINGLE);
    struct koshu_laplace *laplace;
    o.box = 10;
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "periodic",
                 koshu_laplace_create(context, &o, &laplace));
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_has_its_error_and_its_bits),
        cmocka_unit_test(what_is_not_there_is_refused),
};

CUDA_MAIN(tests)
