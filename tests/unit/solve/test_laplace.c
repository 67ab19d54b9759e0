/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r by the fast multipole method, compared with direct sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "uniform.h"

enum { MAX_N = 6000 };

/* Points and charges, and the expected results there. */
struct set {
    size_t n;
    double x[MAX_N], y[MAX_N], z[MAX_N], charge[MAX_N];
};

struct sums {
    double potential[MAX_N], x[MAX_N], y[MAX_N], z[MAX_N];
};

static struct set sources, targets;
static struct sums got, is;

/* Points in a cube, denser towards a corner by this power. */
static void
fill(struct set *s, size_t n, double power, double length, double charge)
{
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        s->x[i] = length * pow(uniform(), power);
        s->y[i] = length * pow(uniform(), power);
        s->z[i] = length * pow(uniform(), power);
        s->charge[i] = charge * (uniform() - 0.3);
    }
}

static void
sum_directly(const struct set *at)
{
    for (size_t i = 0; i < at->n; i++) {
        double sum[4] = {0};
        for (size_t j = 0; j < sources.n; j++) {
            const double x = at->x[i] - sources.x[j],
                         y = at->y[i] - sources.y[j],
                         z = at->z[i] - sources.z[j];
            const double r = sqrt(x * x + y * y + z * z);
            if (r == 0) continue;
            const double qr = sources.charge[j] / r;
            sum[0] -= qr / r * (x / r);
            sum[1] -= qr / r * (y / r);
            sum[2] -= qr / r * (z / r);
            sum[3] += qr;
        }
        is.x[i] = sum[0];
        is.y[i] = sum[1];
        is.z[i] = sum[2];
        is.potential[i] = sum[3];
    }
}

static struct koshu_laplace_points
points(const struct set *s)
{
    return (struct koshu_laplace_points){
            .size = sizeof(struct koshu_laplace_points),
            .n = s->n,
            .x = s->x,
            .y = s->y,
            .z = s->z,
            .n_rhs = 1,
            .charge = s->charge};
}

static struct koshu_laplace_result
to_got(void)
{
    return (struct koshu_laplace_result){
            .size = sizeof(struct koshu_laplace_result),
            .potential = got.potential,
            .gradient_x = got.x,
            .gradient_y = got.y,
            .gradient_z = got.z};
}

static void
sum_by_fmm(struct koshu_context *in, const struct koshu_laplace_options *o,
           bool apart)
{
    struct koshu_laplace *laplace;
    const struct koshu_laplace_points from = points(&sources),
                                      to = points(&targets);
    const struct koshu_laplace_result result = to_got();
    double *const poisoned = (double *)&got;
    for (size_t k = 0; k < sizeof got / sizeof(double); k++) poisoned[k] = NAN;
    assert_ok(in, koshu_laplace_create(in, o, &laplace));
    assert_ok(in,
              koshu_laplace_sums(laplace, &from, apart ? &to : NULL, &result));
    koshu_laplace_destroy(laplace);
}

/* Relative L2 error of the gradient; of the potential. */
static double
gradient_error(size_t n)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = is.x[i], y = is.y[i], z = is.z[i];
        off += pow(got.x[i] - x, 2) + pow(got.y[i] - y, 2) +
               pow(got.z[i] - z, 2);
        all += x * x + y * y + z * z;
    }
    return all > 0 ? sqrt(off / all) : sqrt(off);
}

static double
potential_error(size_t n)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        off += pow(got.potential[i] - is.potential[i], 2);
        all += pow(is.potential[i], 2);
    }
    return all > 0 ? sqrt(off / all) : sqrt(off);
}

static struct koshu_laplace_options
options(enum koshu_precision precision, double tolerance)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = tolerance;
    return o;
}

static struct koshu_laplace_options
of_order(unsigned order, double theta)
{
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 0);
    o.multipole_order = order;
    o.theta = theta;
    o.n_leaf = 20;
    return o;
}

static void
tolerances_are_kept(void **state)
{
    (void)state;
    for (int clustered = 0; clustered < 2; clustered++) {
        fill(&sources, MAX_N, clustered ? 3 : 1, 1, 1);
        sum_directly(&sources);
        for (double t = 1e-2; t > 1e-6; t *= 0.1) {
            const struct koshu_laplace_options o =
                    options(KOSHU_PRECISION_SINGLE, t);
            sum_by_fmm(context, &o, false);
            assert_true(gradient_error(MAX_N) < t);
            assert_true(potential_error(MAX_N) < t);
        }
        for (double t = 1e-3; t > 0.99e-12; t *= 1e-3) {
            const struct koshu_laplace_options o =
                    options(KOSHU_PRECISION_DOUBLE, t);
            sum_by_fmm(context, &o, false);
            assert_true(gradient_error(MAX_N) < t);
            assert_true(potential_error(MAX_N) < t);
        }
    }
}

/* Leaves are small, so that expansions make all of the error. */
static void
the_error_falls_with_order_and_theta(void **state)
{
    (void)state;
    double before = INFINITY;
    fill(&sources, 3000, 1, 1, 1);
    sum_directly(&sources);
    for (unsigned p = 2; p <= 14; p += 3) {
        const struct koshu_laplace_options o = of_order(p, 0.5);
        sum_by_fmm(context, &o, false);
        const double error = gradient_error(3000);
        assert_true(error < 0.2 * before); /* 0.46^3, and scatter */
        before = error;
    }
    const struct koshu_laplace_options o = of_order(14, 0.35);
    sum_by_fmm(context, &o, false);
    assert_true(gradient_error(3000) < 0.1 * before);
}

static void
sources_and_targets_may_differ(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-8);
    fill(&sources, 2000, 2, 1, 1);
    fill(&targets, 1500, 1, 2, 1);
    for (size_t i = 0; i < 100; i++) { /* at places of sources */
        targets.x[i] = sources.x[3 * i];
        targets.y[i] = sources.y[3 * i];
        targets.z[i] = sources.z[3 * i];
    }
    sum_directly(&targets);
    sum_by_fmm(context, &o, true);
    assert_true(gradient_error(targets.n) < 1e-8);
    assert_true(potential_error(targets.n) < 1e-8);
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    static struct sums alone;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_SINGLE, 1e-4);
    struct koshu_context *three = test_context(FIXTURE_BACKEND, 3);
    fill(&sources, MAX_N, 2, 1, 1);
    sum_by_fmm(context, &o, false);
    alone = got;
    sum_by_fmm(three, &o, false);
    assert_memory_equal(&alone, &got, sizeof got);
    koshu_context_destroy(three);
}

static void
few_points_and_none(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-9);
    for (size_t n = 0; n < 5; n++) {
        fill(&sources, n, 1, 1, 1);
        sum_directly(&sources);
        sum_by_fmm(context, &o, false);
        assert_true(gradient_error(n) < 1e-14);
    }
    fill(&sources, 0, 1, 1, 1);
    fill(&targets, 7, 1, 1, 1);
    sum_directly(&targets);
    sum_by_fmm(context, &o, true);
    assert_true(gradient_error(7) == 0 && potential_error(7) == 0);
}

static void
points_at_one_place_add_nothing(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_DOUBLE, 1e-9);
    fill(&sources, MAX_N, 1, 0, 1);
    sum_directly(&sources);
    sum_by_fmm(context, &o, false);
    assert_true(gradient_error(MAX_N) == 0 && potential_error(MAX_N) == 0);
    for (size_t i = 0; i < 10; i++) sources.x[i] = (double)i;
    sum_directly(&sources);
    sum_by_fmm(context, &o, false);
    /* a distribution without scatter: all errors are of the largest angles that
     * theta allows */
    assert_true(gradient_error(MAX_N) < 1e-6);
    assert_true(potential_error(MAX_N) < 1e-7);
}

/* A distant point makes the box arbitrarily large. */
static void
an_escaper_takes_nothing_from_the_others(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_SINGLE, 1e-4);
    fill(&sources, 3000, 1, 1, 1);
    sources.x[17] = 1e13;
    sum_directly(&sources);
    sum_by_fmm(context, &o, false);
    assert_true(gradient_error(3000) < 1e-4);
    assert_true(fabs(got.x[17] / is.x[17] - 1) < 1e-4);
}

static void
units_do_not_matter(void **state)
{
    (void)state;
    const struct koshu_laplace_options o =
            options(KOSHU_PRECISION_SINGLE, 1e-4);
    const double unit[] = {1e-30, 1e30};
    for (int k = 0; k < 4; k++) {
        fill(&sources, 2000, 1, unit[k % 2], unit[k / 2]);
        sum_directly(&sources);
        sum_by_fmm(context, &o, false);
        assert_true(gradient_error(2000) < 1e-4);
        assert_true(potential_error(2000) < 1e-4);
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
    REFUSED(multipole_order, 0, "order 0");
    REFUSED(multipole_order, 21, "order 21");
    REFUSED(theta, 0, "theta = 0");
    REFUSED(theta, 1, "theta = 1");
    REFUSED(theta, NAN, "theta = nan");
    REFUSED(tolerance, 1e-7, "tolerance = 1e-07");
    REFUSED(tolerance, -1, "tolerance = -1");
    REFUSED(tolerance, NAN, "tolerance = nan");
    const struct koshu_laplace_points from = points(&sources);
    struct koshu_laplace_result result = to_got();
    o = options(KOSHU_PRECISION_SINGLE, 1e-3);
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    fill(&sources, 300, 1, 1, 1);
    sources.charge[5] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 5",
                 koshu_laplace_sums(laplace, &from, NULL, &result));
    sources.charge[5] = 1;
    sources.y[6] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 6",
                 koshu_laplace_sums(laplace, &from, NULL, &result));
    result.gradient_y = NULL;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "gradient",
                 koshu_laplace_sums(laplace, &from, NULL, &result));
    koshu_laplace_destroy(laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(tolerances_are_kept),
            cmocka_unit_test(the_error_falls_with_order_and_theta),
            cmocka_unit_test(sources_and_targets_may_differ),
            cmocka_unit_test(threads_do_not_matter),
            cmocka_unit_test(few_points_and_none),
            cmocka_unit_test(points_at_one_place_add_nothing),
            cmocka_unit_test(an_escaper_takes_nothing_from_the_others),
            cmocka_unit_test(units_do_not_matter),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
