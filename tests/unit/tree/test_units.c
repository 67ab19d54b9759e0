/* SPDX-License-Identifier: MIT */
/* When trees use their own units, because floats could not hold their lists. */
#include <math.h>

#include "check.h"
#include "kernels/float_range.h"
#include "tree/tree.h"

/* The masses add up to 2^MASSES in these units. */
enum { ZERO = KOSHU_FLOAT_RANGE_ZERO, MASSES = 20 };

/* The exponent of the length unit for masses that add up to 2^all, the smallest
 * being 2^least; INT_MIN: there is none. */
static int
unit_of(int length, int eps, int least, int all)
{
    struct koshu_tree_units units;
    const struct koshu_float_range r = {length, eps, least};
    if (!koshu_tree_units_in(&r, all, &units)) return INT_MIN;
    assert_true(units.length == 1 || units.mass == ldexp(1, all - MASSES));
    return ilogb(units.length);
}

static void
usual_numbers_need_none(void **state)
{
    (void)state;
    assert_int_equal(unit_of(0, ZERO, -20, 0), 0);
    assert_int_equal(unit_of(10, -5, -30, 0), 0);
    assert_int_equal(unit_of(ZERO, ZERO, -20, 0), 0);
    assert_int_equal(unit_of(200, ZERO, ZERO, 0), 0); /* massless */
    assert_int_equal(unit_of(0, ZERO, 0, 20), 0);
    assert_int_equal(unit_of(0, ZERO, -70, -50), 0);
}

static void
large_and_small_numbers_do(void **state)
{
    (void)state;
    for (int power = 100; power <= 300; power += 100) {
        const int unit = unit_of(power, ZERO, -20, 0);
        assert_true(unit > 0);
        assert_int_equal(unit_of(-power, ZERO, -20, 0), unit - 2 * power);
        /* the same with other masses, which get their own unit */
        assert_int_equal(unit_of(power, ZERO, power - 20, power), unit);
        assert_int_equal(unit_of(power, power - 10, -20, 0), unit);
    }
}

/* Its square lacks digits as a float; without softening nothing is lost. */
static void
a_small_softening_needs_them(void **state)
{
    const int least = KOSHU_FLOAT_RANGE_SQUARE;
    (void)state;
    assert_int_equal(unit_of(0, ZERO, -20, 0), 0);
    assert_int_equal(unit_of(0, least, -20, 0), 0);
    assert_true(unit_of(0, least - 1, -20, 0) < 0);
}

static void
a_softening_alone_is_a_length(void **state)
{
    (void)state;
    assert_int_equal(unit_of(ZERO, 300, -20, 0), unit_of(300, 300, -20, 0));
}

static void
some_have_none(void **state)
{
    (void)state;
    assert_int_equal(unit_of(0, ZERO, -900, 0), INT_MIN);
    assert_int_equal(unit_of(301, ZERO, -20, 0), INT_MIN);
    assert_int_equal(unit_of(-301, ZERO, -20, 0), INT_MIN);
    assert_int_equal(unit_of(0, ZERO, 281, 301), INT_MIN);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(usual_numbers_need_none),
            cmocka_unit_test(large_and_small_numbers_do),
            cmocka_unit_test(a_small_softening_needs_them),
            cmocka_unit_test(a_softening_alone_is_a_length),
            cmocka_unit_test(some_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
