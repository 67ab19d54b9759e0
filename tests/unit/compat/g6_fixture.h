/* SPDX-License-Identifier: MIT */
/* Set-up shared by most tests of GRAPE-6 sums. */
#ifndef KOSHU_TESTS_G6_FIXTURE_H
#define KOSHU_TESTS_G6_FIXTURE_H

#include "grape.h"

enum { NJ = 37, NI = 11 };

/* j-particles in a cluster, i-particles, and their expected sums. */
struct fixture {
    struct grape_j *j;
    struct grape_i i;
    struct grape_result got, expected;
};

static inline struct fixture
make_fixture(void)
{
    struct fixture f = {grape_j_make(NJ), grape_i_make(NI),
                        grape_result_make(NI), grape_result_make(NI)};
    assert_int_equal(g6_open(0), 0);
    grape_send(0, f.j, NJ);
    return f;
}

static inline void
free_fixture(struct fixture *f)
{
    free(f->j);
    grape_i_free(&f->i);
    grape_result_free(&f->got);
    grape_result_free(&f->expected);
}

#define assert_as_expected(f)                                       \
    assert_near(grape_difference(&(f).got, &(f).expected, NI), 0.0, \
                GRAPE_ROUNDING)

static inline void
first_half(const struct fixture *f, int ni, double eps2)
{
    g6calc_firsthalf(0, NJ, ni, f->i.index, f->i.x, f->i.v, NULL, NULL, NULL,
                     eps2, f->i.h2);
}

static inline int
last_half(const struct fixture *f, int ni, double eps2)
{
    return g6calc_lasthalf(0, NJ, ni, f->i.index, f->i.x, f->i.v, eps2, f->i.h2,
                           f->got.acc, f->got.jerk, f->got.pot);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, grape_open, grape_close)

#endif
