/* SPDX-License-Identifier: MIT */
/* Further sources and results of sums of 1 / r, compared with direct sums:
 * several right-hand sides, Hessians. */
#include "fields.h"

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
            assert_true(error_of(HESSIAN, 6, first, end) < 10 * tolerance);
        }
    }
}

/* Separate targets, or the sources themselves. */
static void
assert_same_alone(const struct koshu_laplace_points *at,
                  struct koshu_laplace_result (*fields)(double *, size_t))
{
    static double alone[FIELDS][N];
    struct koshu_laplace_points from = sources(N, RHS);
    struct koshu_laplace_result to = fields(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, at, &to);
    for (size_t rhs = 0; rhs < RHS; rhs++) {
        from = sources(N, 1);
        from.charge = charge + rhs * N;
        to = fields(alone[0], N);
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
    assert_same_alone(NULL, gradients_of);
    assert_same_alone(&at, gradients_of);
    assert_same_alone(NULL, all_of);
    assert_same_alone(&at, all_of);
}

static void
what_is_not_requested_is_not_written(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = sources(N, 2);
    struct koshu_laplace_result to = gradients_of(got[0], RHS * N);
    to.potential = NULL;
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
    for (size_t i = 0; i < RHS * N; i++) {
        assert_true(isnan(got[POTENTIAL][i]));
        assert_int_equal(isnan(got[GRADIENT][i]) != 0, i >= 2 * N);
        assert_true(isnan(got[HESSIAN][i]));
    }
    to = koshu_laplace_result_default();
    to.potential = got[POTENTIAL];
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, NULL, &to);
    sum_directly(&from, &from);
    assert_true(error_of(POTENTIAL, 1, 0, 2 * N) < 1e-9);
    to = koshu_laplace_result_default();
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
}

/* ---- Hessians ------------------------------------------------------------ */

/* A factor of 0.46 from one order to the next, with some scatter; order 1 has
 * no Hessians. */
static void
errors_fall_with_the_order(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = sources(N, 1), at = targets(N);
    double before[3] = {INFINITY, INFINITY, INFINITY};
    sum_directly(&from, &at);
    for (unsigned p = 1; p <= 20; p += p < 2 ? 1 : 3) {
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        sum(laplace_of_order(p), &from, &at, &to);
        const double error[] = {error_of(POTENTIAL, 1, 0, N),
                                error_of(GRADIENT, 3, 0, N),
                                error_of(HESSIAN, 6, 0, N)};
        for (int k = 0; k < 3; k++) {
            assert_true(error[k] < (p > 2 ? 0.25 : 1) * before[k]);
            before[k] = error[k];
        }
    }
    assert_true(before[2] < 1e-7);
}

/* Difference quotients of gradients with steps of h along an axis: their errors
 * are those of the sums over h, and h^4 over some spacings of the sources. */
static void
the_hessian_is_that_of_the_gradient(void **state)
{
    (void)state;
    const double h = 1e-3;
    fill();
    for (size_t i = 0; i < N; i++) { /* away from the sources */
        to_x[i] = i % 5 ? to_x[i - 1] : 1.2 + to_x[i];
        to_y[i] = to_y[i / 5 * 5] + h * (double)(i % 5);
        to_z[i] = to_z[i / 5 * 5];
    }
    const struct koshu_laplace_points from = sources(N, 1), at = targets(N);
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-12), &from, &at, &to);
    static const int column[3] = {HESSIAN + 1, HESSIAN + 3, HESSIAN + 4};
    for (size_t i = 0; i < N; i += 5)
        for (int a = 0; a < 3; a++) {
            const double *g = &got[GRADIENT + a][i];
            const double slope = (8 * (g[3] - g[1]) - (g[4] - g[0])) / (12 * h);
            assert_near(slope, got[column[a]][i + 2], 1e-5);
        }
}

/* Pairs much closer than the others, whose distances would be lost in
 * floats. */
static void
near_pairs_keep_their_digits(void **state)
{
    (void)state;
    fill();
    for (size_t i = 0; i < N; i += 2) {
        x[i + 1] = x[i] + 1e-7;
        y[i + 1] = y[i] - 2e-7;
        z[i + 1] = z[i] + 3e-8;
    }
    const struct koshu_laplace_points from = sources(N, 1);
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
    sum_directly(&from, &from);
    assert_true(error_of(HESSIAN, 6, 0, N) < 1e-5);
}

/* ---- unusual input ------------------------------------------------------- */

/* Components of a Hessian are differences. */
static double
size_of(int field, size_t i)
{
    double size = 0;
    if (field < HESSIAN) return fabs(is[field][i]);
    for (int k = HESSIAN; k < FIELDS; k++) size += fabs(is[k][i]);
    return size;
}

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
                                1e-13 * size_of(k, i));
            for (size_t i = RHS * m; i < RHS * N; i++)
                assert_true(isnan(got[POTENTIAL][i]));
        }
}

static void
points_at_one_place_add_nothing(void **state)
{
    (void)state;
    fill();
    for (size_t i = 0; i < N; i++) { /* three places with many points each */
        x[i] = (double)(i % 3);
        y[i] = z[i] = 0.25;
    }
    const struct koshu_laplace_points from = sources(N, RHS);
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, NULL, &to);
    sum_directly(&from, &from);
    /* a distribution without scatter: all errors are of the largest angles that
     * theta allows */
    assert_true(error_of(POTENTIAL, 1, 0, RHS * N) < 1e-7);
    assert_true(error_of(HESSIAN, 6, 0, RHS * N) < 1e-4);
}

static void
units_do_not_matter(void **state)
{
    (void)state;
    const double unit[] = {1e-30, 1e30};
    for (int k = 0; k < 4; k++) {
        fill();
        for (size_t i = 0; i < N; i++) {
            x[i] *= unit[k % 2];
            y[i] *= unit[k % 2];
            z[i] *= unit[k % 2];
            charge[i] *= unit[k / 2];
        }
        const struct koshu_laplace_points from = sources(N, 1);
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
        sum_directly(&from, &from);
        assert_true(error_of(GRADIENT, 3, 0, N) < 1e-4);
        assert_true(error_of(HESSIAN, 6, 0, N) < 1e-4);
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
    to.gradient_z = to.hessian_xy = to.hessian_zz = NULL;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "1 of the 3 components");
    to.gradient_x = to.gradient_y = NULL;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "2 of the 6 components");
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
            cmocka_unit_test(errors_fall_with_the_order),
            cmocka_unit_test(the_hessian_is_that_of_the_gradient),
            cmocka_unit_test(near_pairs_keep_their_digits),
            cmocka_unit_test(none_and_few),
            cmocka_unit_test(points_at_one_place_add_nothing),
            cmocka_unit_test(units_do_not_matter),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
