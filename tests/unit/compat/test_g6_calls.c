/* SPDX-License-Identifier: MIT */
/* The order of calls in g6.h, and surprising things that clients do. */
#include <math.h>

#include "grape.h"
#include "g6_fixture.h"

static int
last_half_2(const struct fixture *f, int ni, double eps2)
{
    return g6calc_lasthalf2(0, NJ, ni, f->i.index, f->i.x, f->i.v, eps2,
                            f->i.h2, f->got.acc, f->got.jerk, f->got.pot,
                            f->got.nearest);
}

static void
a_missing_last_half_is_forgotten(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    for (int k = 0; k < 3; k++) first_half(&f, NI - k, 0.5);
    grape_sum(0, NJ, &f.i, 0.01, &f.got);
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    assert_as_expected(f);
    first_half(&f, NI, 0.5);
    free_fixture(&f); /* and closed like this */
}

static void
a_last_half_alone_does_both(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    assert_int_equal(last_half(&f, NI, 0.01), 0);
    assert_as_expected(f);
    first_half(&f, NI - 1, 0.01); /* with another number of i-particles */
    assert_int_equal(last_half(&f, NI, 0.01), 0);
    assert_as_expected(f);
    first_half(&f, NI, 0.02);
    assert_int_equal(last_half(&f, NI, 0.01), 0);
    assert_as_expected(f);
    assert_int_equal(last_half_2(&f, NI, 0.01), 0); /* called twice */
    assert_as_expected(f);
    free_fixture(&f);
}

/* Also if sums must be computed again to find nearest neighbours. */
static void
particles_set_between_the_halves_wait(void **state)
{
    (void)state;
    for (int before = 0; before < 3; before++) {
        struct fixture f = make_fixture();
        if (before == 1) assert_int_equal(last_half(&f, NI, 0.01), 0);
        if (before == 2) assert_int_equal(last_half_2(&f, NI, 0.01), 0);
        grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
        first_half(&f, NI, 0.01);
        for (int k = 0; k < NJ; k++) f.j[k].mass = 3;
        grape_send(0, f.j, NJ);
        g6_set_ti(0, 1);
        assert_int_equal(last_half_2(&f, NI, 0.01), 0);
        assert_as_expected(f);
        grape_sum(0, NJ, &f.i, 0.01, &f.got);
        grape_expect(f.j, NJ, 1, &f.i, 0.01, &f.expected);
        assert_as_expected(f);
        free_fixture(&f);
        grape_close(NULL);
    }
}

/* Sums use the i-particles of the first half, whose arrays may be reused after
 * it. */
static void
i_particles_are_copied(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    /* lasthalf alone, without neighbours */
    assert_int_equal(last_half(&f, NI, 0.01), 0);
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    first_half(&f, NI, 0.01);
    for (int k = 0; k < NI; k++) {
        f.i.index[k] = 0;
        f.i.x[k][0] = f.i.v[k][1] = f.i.h2[k] = NAN;
    }
    assert_int_equal(last_half_2(&f, NI, 0.01), 0);
    assert_as_expected(f);
    free_fixture(&f);
}

static void
one_array_for_acc_and_jerk(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    first_half(&f, NI, 0.01);
    assert_int_equal(g6calc_lasthalf2(0, NJ, NI, f.i.index, f.i.x, f.i.v, 0.01,
                                      f.i.h2, f.got.acc, f.got.acc, f.got.pot,
                                      f.got.nearest),
                     0);
    for (int k = 0; k < NI; k++)
        assert_near(f.got.pot[k], f.expected.pot[k],
                    GRAPE_ROUNDING * -f.expected.pot[k]);
    free_fixture(&f);
}

/* Arrays of ni elements: nothing beyond their end is written (or, as the
 * address sanitizer sees, read). */
static void
nothing_is_written_beyond_ni(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    enum { FEWER = 3 };
    struct grape_i few = grape_i_make(FEWER);
    grape_sum(0, NJ, &few, 0.01, &f.got);
    for (int k = FEWER; k < NI; k++) {
        for (int d = 0; d < 3; d++)
            assert_true(isnan(f.got.acc[k][d]) && isnan(f.got.jerk[k][d]));
        assert_true(isnan(f.got.pot[k]));
        assert_int_equal(f.got.nearest[k], 123456789);
    }
    grape_i_free(&few);
    free_fixture(&f);
}

static void
a_reset_forgets_sums_only(void **state)
{
    (void)state;
    struct fixture f = make_fixture();
    grape_expect(f.j, NJ, 0, &f.i, 0.01, &f.expected);
    int (*const resets[])(int) = {g6_reset, g6_reset_fofpga, g6_reinitialize};
    for (int k = 0; k < 3; k++) {
        first_half(&f, NI, 0.01);
        assert_int_equal(resets[k](0), 0);
        assert_int_equal(last_half(&f, NI, 0.01), 0);
        assert_as_expected(f);
    }
    free_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(a_missing_last_half_is_forgotten),
            TEST(a_last_half_alone_does_both),
            TEST(particles_set_between_the_halves_wait),
            TEST(i_particles_are_copied),
            TEST(one_array_for_acc_and_jerk),
            TEST(nothing_is_written_beyond_ni),
            TEST(a_reset_forgets_sums_only),
    };
    if (!grape_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
