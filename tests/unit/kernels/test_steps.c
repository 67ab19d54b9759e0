/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "check.h"
#include "kernels/steps.h"

static const uint64_t longest = 1024;

static void
a_step_is_halved_as_often_as_needed(void **state)
{
    (void)state;
    assert_int_equal(koshu_next_step(256, 256, longest, 256.0 * 256.0), 256);
    assert_int_equal(koshu_next_step(256, 256, longest, 255.9 * 255.9), 128);
    assert_int_equal(koshu_next_step(256, 256, longest, 9 * 9), 8);
    assert_int_equal(koshu_next_step(256, 256, longest, 1), 1);
}

static void
a_step_shorter_than_a_tick_is_zero(void **state)
{
    (void)state;
    assert_int_equal(koshu_next_step(256, 256, longest, 0.9), 0);
    assert_int_equal(koshu_next_step(1, 1, longest, 0), 0);
    assert_int_equal(koshu_first_step(longest, 0.9), 0);
}

static void
a_step_is_doubled_once_where_the_time_allows(void **state)
{
    (void)state;
    assert_int_equal(koshu_next_step(64, 128, longest, INFINITY), 128);
    assert_int_equal(koshu_next_step(64, 192, longest, INFINITY), 64);
    assert_int_equal(koshu_next_step(64, 128, longest, 128.0 * 128.0), 128);
    assert_int_equal(koshu_next_step(64, 128, longest, 127.9 * 127.9), 64);
    assert_int_equal(koshu_next_step(1024, 2048, longest, INFINITY), 1024);
}

static void
where_the_criterion_says_nothing_any_step_will_do(void **state)
{
    (void)state;
    assert_int_equal(koshu_next_step(64, 128, longest, NAN), 128);
    assert_int_equal(koshu_next_step(64, 64, longest, NAN), 64);
    assert_int_equal(koshu_first_step(longest, NAN), longest);
}

static void
the_first_step_is_the_longest_allowed(void **state)
{
    (void)state;
    assert_int_equal(koshu_first_step(longest, 1e300), longest);
    assert_int_equal(koshu_first_step(longest, 100.0 * 100.0), 64);
    /* as in a run: 2^40 ticks */
    assert_int_equal(koshu_first_step(UINT64_C(1) << 40, 0x1p60),
                     UINT64_C(1) << 30);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_step_is_halved_as_often_as_needed),
            cmocka_unit_test(a_step_shorter_than_a_tick_is_zero),
            cmocka_unit_test(a_step_is_doubled_once_where_the_time_allows),
            cmocka_unit_test(where_the_criterion_says_nothing_any_step_will_do),
            cmocka_unit_test(the_first_step_is_the_longest_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
