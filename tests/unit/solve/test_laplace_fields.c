/* SPDX-License-Identifier: MIT */
/* What sums of 1 / r may be of, and what they may give, against direct sums:
 * several right-hand sides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"

enum { N = 1500, RHS = 4 };

/* What is given, and what is expected. */
enum { POTENTIAL, GRADIENT, FIELDS = GRADIENT + 3 };
static double x[N], y[N], z[N], charge[RHS * N];
static double to_x[N], to_y[N], to_z[N];
static double got[FIELDS][RHS * N], is[FIELDS][RHS * N], alone[FIELDS][N];

static double
uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* Sources towards a corner, targets evenly; of right-hand side k the charges
 * are 10^(9 k). */
static void
fill(void)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = pow(uniform(), 2);
        y[i] = pow(uniform(), 2);
        z[i] = pow(uniform(), 2);
        to_x[i] = uniform();
        to_y[i] = uniform();
        to_z[i] = uniform();
        for (size_t rhs = 0; rhs < RHS; rhs++)
            charge[rhs * N + i] = pow(1e9, (double)rhs) * (uniform() - 0.4);
    }
}

static struct koshu_laplace_points
sources(size_t n, size_t n_rhs)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = x;
    p.y = y;
    p.z = z;
    p.n_rhs = n_rhs;
    p.charge = charge;
    return p;
}

static struct koshu_laplace_points
targets(size_t n)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = to_x;
    p.y = to_y;
    p.z = to_z;
    return p;
}

/* Of n right-hand side elements each. */
static struct koshu_laplace_result
all_of(double *to, size_t n)
{
    struct koshu_laplace_result r = koshu_laplace_result_default();
    for (size_t k = 0; k < FIELDS * n; k++) to[k] = NAN;
    r.potential = to;
    r.gradient_x = to + GRADIENT * n;
    r.gradient_y = to + (GRADIENT + 1) * n;
    r.gradient_z = to + (GRADIENT + 2) * n;
    return r;
}

static struct koshu_laplace *
laplace_of(enum koshu_precision precision, double tolerance)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = tolerance;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

static void
sum(struct koshu_laplace *laplace, const struct koshu_laplace_points *from,
    const struct koshu_laplace_points *at,
    const struct koshu_laplace_result *result)
{
    assert_ok(context, koshu_laplace_sums(laplace, from, at, result));
    koshu_laplace_destroy(laplace);
}

/* ---- directly ------------------------------------------------------------ */

static void
add_pair(const double d[3], double q, double *sum)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (r2 == 0) return;
    const double u = 1 / sqrt(r2);
    sum[POTENTIAL] += q * u;
    for (int a = 0; a < 3; a++) sum[GRADIENT + a] -= q * u * u * u * d[a];
}

static void
sum_directly(const struct koshu_laplace_points *from,
             const struct koshu_laplace_points *at)
{
    for (size_t rhs = 0; rhs < from->n_rhs; rhs++)
        for (size_t i = 0; i < at->n; i++) {
            double sum[FIELDS] = {0};
            for (size_t j = 0; j < from->n; j++) {
                const double d[3] = {at->x[i] - from->x[j],
                                     at->y[i] - from->y[j],
                                     at->z[i] - from->z[j]};
                add_pair(d, from->charge[rhs * from->n + j], sum);
            }
            for (int k = 0; k < FIELDS; k++) is[k][rhs * at->n + i] = sum[k];
        }
}

/* Relative L2 error of n fields from `first` on, of elements begin ... end - 1.
 */
static double
error_of(int first, int n, size_t begin, size_t end)
{
    double off = 0, all = 0;
    for (int k = first; k < first + n; k++)
        for (size_t i = begin; i < end; i++) {
            off += pow(got[k][i] - is[k][i], 2);
            all += pow(is[k][i], 2);
        }
    return sqrt(off / all);
}

/* ---- right-hand sides ---------------------------------------------------- */

static void
right_hand_sides_are_summed_each(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = sources(N, RHS), at = targets(N);
    sum_directly(&from, &at);
    for (int precise = 0; precise < 2; precise++) {
        const double tolerance = precise ? 1e-9 : 1e-4;
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        sum(laplace_of(precise ? KOSHU_PRECISION_DOUBLE
                               : KOSHU_PRECISION_SINGLE,
                       tolerance),
            &from, &at, &to);
        for (size_t rhs = 0; rhs < RHS; rhs++) {
            const size_t first = rhs * N, end = first + N;
            assert_true(error_of(POTENTIAL, 1, first, end) < tolerance);
            assert_true(error_of(GRADIENT, 3, first, end) < tolerance);
        }
    }
}

/* Targets apart, or the sources themselves. */
static void
assert_same_alone(const struct koshu_laplace_points *at)
{
    struct koshu_laplace_points from = sources(N, RHS);
    struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, at, &to);
    for (size_t rhs = 0; rhs < RHS; rhs++) {
        from = sources(N, 1);
        from.charge = charge + rhs * N;
        to = all_of(alone[0], N);
        sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, at, &to);
        for (int k = 0; k < FIELDS; k++)
            assert_memory_equal(got[k] + rhs * N, alone[k], sizeof alone[k]);
    }
}

static void
a_right_hand_side_has_the_same_bits_alone(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points at = targets(N);
    assert_same_alone(NULL);
    assert_same_alone(&at);
}

static void
what_is_not_requested_is_not_written(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = sources(N, 2);
    struct koshu_laplace_result to = all_of(got[0], RHS * N);
    to.potential = NULL;
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
    for (size_t i = 0; i < RHS * N; i++) {
        assert_true(isnan(got[POTENTIAL][i]));
        assert_int_equal(isnan(got[GRADIENT][i]) != 0, i >= 2 * N);
    }
    to = koshu_laplace_result_default();
    to.potential = got[POTENTIAL];
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, NULL, &to);
    sum_directly(&from, &from);
    assert_true(error_of(POTENTIAL, 1, 0, 2 * N) < 1e-9);
    to = koshu_laplace_result_default();
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
}

/* ---- odd input ----------------------------------------------------------- */

static void
none_and_few(void **state)
{
    (void)state;
    fill();
    for (size_t n = 0; n < 3; n++)
        for (size_t m = 0; m < 3; m++) {
            const struct koshu_laplace_points from = sources(n, RHS),
                                              at = targets(m);
            const struct koshu_laplace_result to = all_of(got[0], RHS * N);
            sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, &at, &to);
            sum_directly(&from, &at);
            for (int k = 0; k < FIELDS; k++)
                for (size_t i = 0; i < RHS * m; i++)
                    assert_true(fabs(got[k][i] - is[k][i]) <=
                                1e-13 * fabs(is[k][i]));
            for (size_t i = RHS * m; i < RHS * N; i++)
                assert_true(isnan(got[POTENTIAL][i]));
        }
}

static void
what_is_wrong_is_refused(void **state)
{
    (void)state;
    fill();
    struct koshu_laplace *laplace = laplace_of(KOSHU_PRECISION_SINGLE, 1e-3);
    struct koshu_laplace_points from = sources(N, 0);
    struct koshu_laplace_result to = all_of(got[0], RHS * N);
#define REFUSED(status, words)           \
    assert_fails(context, status, words, \
                 koshu_laplace_sums(laplace, &from, NULL, &to))
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "0 right-hand sides");
    from.n_rhs = 1025;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "1025 right-hand sides");
    from.n_rhs = 2;
    charge[N + 7] = NAN;
    REFUSED(KOSHU_ERROR_NOT_FINITE, "particle 7");
    charge[N + 7] = 1;
    from.charge = NULL;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "1500 sources is NULL");
    from = sources(N, 1);
    to.gradient_z = NULL;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "1 of the 3 components");
    to.size = 0;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "koshu_laplace_result");
    from.size = 0;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "koshu_laplace_points");
    koshu_laplace_destroy(laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(right_hand_sides_are_summed_each),
            cmocka_unit_test(a_right_hand_side_has_the_same_bits_alone),
            cmocka_unit_test(what_is_not_requested_is_not_written),
            cmocka_unit_test(none_and_few),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
