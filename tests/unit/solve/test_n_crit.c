/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "solve/n_crit.h"

/* The n_crit that is found if the time is a curve with its minimum at `best`
 * and every size is slow except in its last try; counts evaluations. */
static uint64_t
find(uint64_t best, int *evaluations)
{
    struct koshu_n_crit n = koshu_n_crit_begin(0, UINT64_MAX);
    for (*evaluations = 0; n.learning && *evaluations < 100; ++*evaluations) {
        double x = (double)n.now / (double)best;
        bool last = n.tries == KOSHU_N_CRIT_TRIES - 1;
        koshu_n_crit_learn(&n, x + 1 / x + (last ? 0 : 1000.0 / (double)n.now));
    }
    return n.now;
}

static void
the_fastest_is_found(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {16, 32, 48, 64, 96, 256, 1024};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int evaluations;
        assert_int_equal(find(sizes[k], &evaluations), sizes[k]);
        assert_true(evaluations <= KOSHU_N_CRITS * KOSHU_N_CRIT_TRIES);
    }
}

static void
beyond_the_ends_it_stops(void **state)
{
    (void)state;
    int evaluations;
    assert_int_equal(find(1, &evaluations), 16);
    assert_int_equal(find(100000, &evaluations), 1024);
}

static void
a_number_stays(void **state)
{
    (void)state;
    struct koshu_n_crit n = koshu_n_crit_begin(77, 100);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(n.now, 77);
        koshu_n_crit_learn(&n, 5 - k);
    }
}

static void
there_may_be_a_most(void **state)
{
    (void)state;
    assert_int_equal(koshu_n_crit_begin(77, 64).now, 64);
    struct koshu_n_crit n = koshu_n_crit_begin(0, 50);
    while (n.learning) {
        assert_true(n.now <= 50);
        koshu_n_crit_learn(&n, 1 / (double)n.now);
    }
    assert_int_equal(n.now, 48);
}

/* A clock that does not advance must not keep it trying. */
static void
no_time_at_all_ends_too(void **state)
{
    (void)state;
    struct koshu_n_crit n = koshu_n_crit_begin(0, UINT64_MAX);
    for (int k = 0; k <= KOSHU_N_CRITS * KOSHU_N_CRIT_TRIES; k++)
        koshu_n_crit_learn(&n, 0);
    assert_false(n.learning);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_fastest_is_found),
            cmocka_unit_test(beyond_the_ends_it_stops),
            cmocka_unit_test(a_number_stays),
            cmocka_unit_test(there_may_be_a_most),
            cmocka_unit_test(no_time_at_all_ends_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
