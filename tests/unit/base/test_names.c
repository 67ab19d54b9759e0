/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/base.h"
#include "check.h"

static const char *const names[] = {"softening", "solver", "snapshots"};

static void
a_slip_finds_its_name(void **state)
{
    (void)state;
    assert_string_equal(koshu_nearest_name("softning", names, 3), "softening");
    assert_string_equal(koshu_nearest_name("slover", names, 3), "solver");
    assert_null(koshu_nearest_name("xyzzy", names, 3));
    assert_null(koshu_nearest_name("solver", names, 0));
}

static void
names_are_joined_and_cut(void **state)
{
    (void)state;
    char text[64], little[8];
    koshu_join_names(text, sizeof text, names, 3);
    assert_string_equal(text, "softening, solver, snapshots");
    koshu_join_names(little, sizeof little, names, 3);
    assert_string_equal(little, "softeni");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_slip_finds_its_name),
            cmocka_unit_test(names_are_joined_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
