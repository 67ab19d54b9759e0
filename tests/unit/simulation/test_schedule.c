/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "check.h"
#include "simulation/simulation.h"

/* Each multiple occurs once and in order, also for an interval that is inexact
 * in binary, and the same ones when starting in the middle. */
static void
multiples_come_once_each(void **state)
{
    (void)state;
    const struct koshu_schedule s = {
            .interval = 0.1, .begin = 0.3, .forward = 1};
    double time = s.begin;
    for (int k = 1; k <= 10000; k++) {
        time = koshu_schedule_next(&s, time);
        assert_true(time == 0.3 + 1.0 * k * 0.1);
    }
    double between = 0.5 * (time + koshu_schedule_next(&s, time));
    assert_true(koshu_schedule_next(&s, between) ==
                koshu_schedule_next(&s, time));
}

/* If there are more multiples than can be counted, the next one is as close as
 * times can be, and counting ends. */
static void
multiples_too_dense_to_count_are_always_due(void **state)
{
    (void)state;
    static const double dense[] = {1e-18, 1e-300, 5e-324};
    for (int k = 0; k < 3; k++) {
        struct koshu_schedule s = {.interval = dense[k], .forward = 1};
        assert_true(koshu_schedule_next(&s, 0.125) == nextafter(0.125, 1));
        s.forward = -1;
        assert_true(koshu_schedule_next(&s, -0.125) == nextafter(-0.125, -1));
        assert_true(koshu_schedule_next(&s, 0) == -dense[k]);
    }
}

static void
time_may_run_back(void **state)
{
    (void)state;
    const struct koshu_schedule s = {
            .interval = 0.25, .begin = 1, .forward = -1};
    assert_true(koshu_schedule_next(&s, 1) == 0.75);
    assert_true(koshu_schedule_next(&s, 0.75) == 0.5);
    assert_true(koshu_schedule_next(&s, 0.6) == 0.5);
    assert_true(koshu_schedule_next(&s, 0.25) == 0);
    assert_true(koshu_schedule_next(&s, 0) == -0.25);
}

static void
listed_times_need_no_order(void **state)
{
    (void)state;
    const double listed[] = {3, 1, 2, 2};
    struct koshu_schedule s = {.forward = 1, .times = {listed, 4}};
    assert_true(koshu_schedule_next(&s, 0) == 1);
    assert_true(koshu_schedule_next(&s, 1) == 2);
    assert_true(koshu_schedule_next(&s, 2) == 3);
    assert_true(koshu_schedule_next(&s, 3) == INFINITY);
    s.forward = -1;
    assert_true(koshu_schedule_next(&s, 3) == 2);
    assert_true(koshu_schedule_next(&s, 1) == -INFINITY);
}

static void
no_schedule_is_never_due(void **state)
{
    (void)state;
    const struct koshu_schedule s = {.forward = 1};
    assert_true(koshu_schedule_next(&s, 0) == INFINITY);
    assert_false(koshu_schedule_passed(&s, 0, 1e300));
}

static void
a_time_is_passed_when_it_is_reached(void **state)
{
    (void)state;
    const struct koshu_schedule s = {.interval = 1, .forward = 1};
    assert_false(koshu_schedule_passed(&s, 0, 0.5));
    assert_true(koshu_schedule_passed(&s, 0.5, 1));
    assert_false(koshu_schedule_passed(&s, 1, 1.5));
    assert_true(koshu_schedule_passed(&s, 1.5, 7));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(multiples_come_once_each),
            cmocka_unit_test(multiples_too_dense_to_count_are_always_due),
            cmocka_unit_test(time_may_run_back),
            cmocka_unit_test(listed_times_need_no_order),
            cmocka_unit_test(no_schedule_is_never_due),
            cmocka_unit_test(a_time_is_passed_when_it_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
