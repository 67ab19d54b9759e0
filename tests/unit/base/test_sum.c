/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "check.h"

static void
what_an_addition_rounds_off_is_kept(void **state)
{
    (void)state;
    const double terms[] = {1, 1e100, 1, -1e100};
    struct koshu_sum sum = {0};
    double plain = 0;
    for (int k = 0; k < 4; k++) {
        koshu_sum_add(&sum, terms[k]);
        plain += terms[k];
    }
    assert_true(plain == 0); /* a plain sum does lose the 2 */
    assert_true(koshu_sum_value(sum) == 2);
}

static void
parts_join_to_the_whole(void **state)
{
    (void)state;
    struct koshu_sum part[2] = {0}, whole = {0};
    for (int k = 1; k <= 1000; k++) koshu_sum_add(&part[k % 2], 0.1);
    koshu_sum_merge(&whole, part[0]);
    koshu_sum_merge(&whole, part[1]);
    /* 1000 times the double next to 0.1, to one rounding */
    assert_true(koshu_sum_value(whole) == 1000 * 0.1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_an_addition_rounds_off_is_kept),
            cmocka_unit_test(parts_join_to_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
