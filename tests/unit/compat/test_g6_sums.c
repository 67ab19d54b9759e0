/* SPDX-License-Identifier: MIT */
/* Sums by the formulas of g6.h. */
#include <limits.h>
#include <math.h>

#include "grape.h"
#include "g6_fixture.h"

/* ---- formulas ------------------------------------------------------------ */

static void
predicts_and_sums(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    g6_set_ti(0, 0.25);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    grape_expect(f.j, NJ, 0.25, &f.i, 0.01, &f.expected);
    assert_as_expected(f);
    /* another time, without softening, fewer j-particles */
    g6_set_ti(0, -0.5);
    grape_sum(0, NJ - 5, &f.i, 0, &f.got);
    grape_expect(f.j, NJ - 5, -0.5, &f.i, 0, &f.expected);
    assert_as_expected(f);
    free_fixture(&f);
}

/* The check must notice an error of 1e-6 in one term of the predictor. */
static void
a_slip_is_seen(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    g6_set_ti(0, 0.25);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    for (int term = 0; term < 3; term++) {
        struct grape_j right = f.j[3];
        double *derivative[] = {f.j[3].a, f.j[3].jerk, f.j[3].snap};
        for (int d = 0; d < 3; d++) derivative[term][d] *= 1 + 1e-6;
        grape_expect(f.j, NJ, 0.25, &f.i, 0.01, &f.expected);
        assert_true(grape_difference(&f.got, &f.expected, NI) > GRAPE_ROUNDING);
        f.j[3] = right;
    }
    free_fixture(&f);
}

static void
indices_are_any_integers(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    const int index[] = {0, -1, INT_MAX, INT_MIN, 7, 16777217, -16777217};
    enum { N = sizeof index / sizeof index[0] };
    for (int k = 0; k < N; k++) {
        f.j[k].index = index[N - 1 - k];
        f.i.index[k] = index[k];
    }
    /* equals the next integer when stored as a float */
    f.j[N].index = 16777216;
    grape_send(0, f.j, NJ);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    assert_as_expected(f);
    free_fixture(&f);
}

static void
addresses_come_in_any_order(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    /* in reverse, every address twice; the last one sent counts */
    struct grape_j *wrong = grape_j_make(NJ);
    for (int k = 0; k < NJ; k++) {
        wrong[k].mass = 1000;
        wrong[k].address = f.j[k].address = NJ - 1 - k;
    }
    grape_send(0, wrong, NJ);
    grape_send(0, f.j, NJ);
    g6_set_ti(0, 0.125);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    grape_expect(f.j, NJ, 0.125, &f.i, 0.01, &f.expected);
    assert_as_expected(f);
    free(wrong);
    free_fixture(&f);
}

/* Addresses to which nothing was sent have no effect; the store grows. */
static void
empty_indices_have_no_mass(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    enum { FAR = 5000 };
    struct grape_j *last = &f.j[NJ - 1], gone = *last;
    gone.mass = 0; /* clears its address */
    grape_send(0, &gone, 1);
    last->address = FAR;
    grape_send(0, last, 1);
    grape_sum(0, FAR + 1, &f.i, 0.01, &f.got);
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    assert_as_expected(f);
    free_fixture(&f);
}

/* A hundred thousand particles before the first sum: buffers are flushed. */
static void
many_particles(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct grape_j *j = grape_j_make(N);
    struct grape_i i = grape_i_make(1);
    struct grape_result got = grape_result_make(1),
                        expected = grape_result_make(1);
    grape_send(0, j, N);
    g6_setup_njdata(0, N);
    grape_sum(0, N, &i, 0.01, &got);
    grape_expect(j, N, 0, &i, 0.01, &expected);
    /* sums of N terms of both signs, in double: 1e-16 sqrt(N) of the terms */
    assert_near(grape_difference(&got, &expected, 1), 0.0, 1e-11);
    /* and then all of them again */
    for (int k = 0; k < N; k++) j[k].mass *= 2;
    grape_send(0, j, N);
    grape_sum(0, N, &i, 0.01, &got);
    grape_expect(j, N, 0, &i, 0.01, &expected);
    assert_near(grape_difference(&got, &expected, 1), 0.0, 1e-11);
    free(j);
    grape_i_free(&i);
    grape_result_free(&got);
    grape_result_free(&expected);
}

static void
coincident_particles_without_softening(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    /* other ids at the same place */
    memcpy(f.i.x[0], f.j[4].x, sizeof f.i.x[0]);
    g6_set_ti(0, f.j[4].t);
    grape_sum(0, NJ, &f.i, 0, &f.got);
    grape_expect(f.j, NJ, f.j[4].t, &f.i, 0, &f.expected);
    assert_as_expected(f);
    assert_int_equal(f.got.nearest[0], 4);
    free_fixture(&f);
}

static void
nothing_on_nothing(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    first_half(&f, 0, 0.01);
    assert_int_equal(last_half(&f, 0, 0.01), 0);
    assert_true(isnan(f.got.pot[0]));
    grape_sum(0, 0, &f.i, 0.01, &f.got);
    for (int k = 0; k < NI; k++) {
        assert_true(f.got.acc[k][0] == 0 && f.got.jerk[k][2] == 0);
        assert_true(f.got.pot[k] == 0);
        assert_int_equal(f.got.nearest[k], -1);
    }
    free_fixture(&f);
}

/* ---- nearest neighbours -------------------------------------------------- */

static void
nearest_neighbours_are_indices(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    for (int k = 0; k < NJ; k++) f.j[k].index = 1000 - 3 * k;
    f.i.index[2] = 1000 - 3 * 9; /* is j-particle 9, at the same place */
    memcpy(f.i.x[2], f.j[9].x, sizeof f.i.x[2]);
    grape_send(0, f.j, NJ);
    for (int k = 0; k < NJ; k++) f.j[k].t = 0; /* where it is sent from */
    for (int k = 0; k < NJ; k++) f.j[k].v[0] = 0.5;
    grape_send(0, f.j, NJ);
    g6_set_ti(0, 0);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    for (int k = 0; k < NI; k++) {
        double least = HUGE_VAL;
        int nearest = -1;
        for (int m = 0; m < NJ; m++) {
            double r2 = 0;
            for (int d = 0; d < 3; d++)
                r2 += (f.j[m].x[d] - f.i.x[k][d]) * (f.j[m].x[d] - f.i.x[k][d]);
            if (f.j[m].index == f.i.index[k] || r2 >= least) continue;
            least = r2;
            nearest = f.j[m].index;
        }
        assert_int_equal(f.got.nearest[k], nearest);
    }
    free_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(predicts_and_sums),
            TEST(a_slip_is_seen),
            TEST(indices_are_any_integers),
            TEST(addresses_come_in_any_order),
            TEST(empty_indices_have_no_mass),
            TEST(many_particles),
            TEST(coincident_particles_without_softening),
            TEST(nothing_on_nothing),
            TEST(nearest_neighbours_are_indices),
    };
    if (!grape_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
