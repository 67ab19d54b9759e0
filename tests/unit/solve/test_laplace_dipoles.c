/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r of dipoles, compared with direct sums and with pairs of
 * charges. */
#include "fields.h"

static void
dipoles_and_charges_are_summed(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points at = targets(N);
    struct koshu_laplace_points from = with_dipoles(sources(N, RHS));
    for (int k = 0; k < 4; k++) {
        const bool precise = k % 2;
        const double tolerance = precise ? 1e-9 : 1e-4;
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        from.charge = k / 2 ? charge : NULL;
        sum_directly(&from, &at);
        sum(laplace_of(precise ? KOSHU_PRECISION_DOUBLE
                               : KOSHU_PRECISION_SINGLE,
                       tolerance),
            &from, &at, &to);
        for (size_t rhs = 0; rhs < RHS; rhs++) {
            const size_t first = rhs * N, end = first + N;
            assert_true(error_of(POTENTIAL, 1, first, end) < tolerance);
            assert_true(error_of(GRADIENT, 3, first, end) < 10 * tolerance);
            assert_true(error_of(HESSIAN, 6, first, end) < 10 * tolerance);
        }
    }
}

/* Without Hessians another kernel is used. */
static void
gradients_alone_are_the_same(void **state)
{
    (void)state;
    fill();
    const struct koshu_laplace_points from = with_dipoles(sources(N, 2));
    const struct koshu_laplace_result to = gradients_of(got[0], RHS * N);
    sum_directly(&from, &from);
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-9), &from, NULL, &to);
    assert_true(error_of(POTENTIAL, 1, 0, 2 * N) < 1e-9);
    assert_true(error_of(GRADIENT, 3, 0, 2 * N) < 1e-9);
    assert_true(isnan(got[HESSIAN][0]));
}

static void
errors_fall_with_the_order(void **state)
{
    (void)state;
    fill();
    struct koshu_laplace_points from = with_dipoles(sources(N, 1));
    const struct koshu_laplace_points at = targets(N);
    double before[3] = {INFINITY, INFINITY, INFINITY};
    from.charge = NULL;
    sum_directly(&from, &at);
    for (unsigned p = 2; p <= 20; p += 3) {
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        sum(laplace_of_order(p), &from, &at, &to);
        const double error[] = {error_of(POTENTIAL, 1, 0, N),
                                error_of(GRADIENT, 3, 0, N),
                                error_of(HESSIAN, 6, 0, N)};
        for (int k = 0; k < 3; k++) {
            /* 0.46^3, times (5 / 2)^2 or less */
            assert_true(error[k] < 0.5 * before[k]);
            before[k] = error[k];
        }
    }
    assert_true(before[2] < 1e-6);
}

/* Charges +-1 / h at a distance of h: an error of h^2 over the squared
 * distance. */
static void
a_dipole_is_the_limit_of_two_charges(void **state)
{
    (void)state;
    enum { PAIRS = N / 2 };
    static double alone[FIELDS][N];
    const double h = 1e-4;
    fill();
    for (size_t i = 0; i < N; i++) to_x[i] += 1.2; /* away from the sources */
    for (size_t i = 0; i < PAIRS; i++)
        for (int a = 0; a < 3; a++) {
            double *const at = a == 0 ? x : a == 1 ? y : z;
            const double middle = at[i];
            at[i] += dipole[a][i] * h / 2;
            at[PAIRS + i] = middle - dipole[a][i] * h / 2;
            charge[i] = 1 / h;
            charge[PAIRS + i] = -1 / h;
        }
    struct koshu_laplace_points from = sources(2 * PAIRS, 1);
    const struct koshu_laplace_points at = targets(N);
    struct koshu_laplace_result to = all_of(alone[0], N);
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-12), &from, &at, &to);
    for (size_t i = 0; i < PAIRS; i++) {
        x[i] = (x[i] + x[PAIRS + i]) / 2;
        y[i] = (y[i] + y[PAIRS + i]) / 2;
        z[i] = (z[i] + z[PAIRS + i]) / 2;
    }
    from = with_dipoles(sources(PAIRS, 1));
    from.charge = NULL;
    to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_DOUBLE, 1e-12), &from, &at, &to);
    for (int k = 0; k < FIELDS; k++) memcpy(is[k], alone[k], sizeof alone[k]);
    assert_true(error_of(POTENTIAL, 1, 0, N) < 1e-7);
    assert_true(error_of(GRADIENT, 3, 0, N) < 1e-7);
    assert_true(error_of(HESSIAN, 6, 0, N) < 1e-6);
}

static void
a_right_hand_side_has_the_same_bits_alone(void **state)
{
    (void)state;
    static double alone[FIELDS][N];
    fill();
    struct koshu_laplace_points from = with_dipoles(sources(N, RHS));
    struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
    for (size_t rhs = 0; rhs < RHS; rhs++) {
        from = sources(N, 1);
        from.charge = charge + rhs * N;
        from.dipole_x = dipole[0] + rhs * N;
        from.dipole_y = dipole[1] + rhs * N;
        from.dipole_z = dipole[2] + rhs * N;
        to = all_of(alone[0], N);
        sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
        for (int k = 0; k < FIELDS; k++)
            assert_memory_equal(got[k] + rhs * N, alone[k], sizeof alone[k]);
    }
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
            for (int a = 0; a < 3; a++)
                dipole[a][i] *= unit[k / 2] * unit[k % 2];
        }
        const struct koshu_laplace_points from = with_dipoles(sources(N, 1));
        const struct koshu_laplace_result to = all_of(got[0], RHS * N);
        sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
        sum_directly(&from, &from);
        assert_true(error_of(GRADIENT, 3, 0, N) < 1e-4);
        assert_true(error_of(HESSIAN, 6, 0, N) < 1e-4);
    }
}

/* So close that r^-4 overflows a float. */
static void
close_pairs_are_summed_in_double(void **state)
{
    (void)state;
    fill();
    const double place[4] = {-1, 0, 1e-13, 1};
    for (size_t i = 0; i < 4; i++) {
        x[i] = place[i];
        y[i] = z[i] = 0;
    }
    const struct koshu_laplace_points from = with_dipoles(sources(4, 1));
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    sum(laplace_of(KOSHU_PRECISION_SINGLE, 1e-4), &from, NULL, &to);
    sum_directly(&from, &from);
    assert_true(error_of(HESSIAN, 6, 0, 4) < 1e-5);
}

static void
what_is_wrong_is_refused(void **state)
{
    (void)state;
    fill();
    struct koshu_laplace *laplace = laplace_of(KOSHU_PRECISION_SINGLE, 1e-3);
    struct koshu_laplace_points from = with_dipoles(sources(N, 2));
    struct koshu_laplace_result to = all_of(got[0], RHS * N);
    dipole[2][N + 9] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 9",
                 koshu_laplace_sums(laplace, &from, NULL, &to));
    from.dipole_y = NULL;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "1 of the 3 components of the dipoles",
                 koshu_laplace_sums(laplace, &from, NULL, &to));
    koshu_laplace_destroy(laplace);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(dipoles_and_charges_are_summed),
            cmocka_unit_test(gradients_alone_are_the_same),
            cmocka_unit_test(errors_fall_with_the_order),
            cmocka_unit_test(a_dipole_is_the_limit_of_two_charges),
            cmocka_unit_test(a_right_hand_side_has_the_same_bits_alone),
            cmocka_unit_test(units_do_not_matter),
            cmocka_unit_test(close_pairs_are_summed_in_double),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
