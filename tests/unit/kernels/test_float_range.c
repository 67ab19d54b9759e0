/* SPDX-License-Identifier: MIT */
/* Units in which float holds every number: each bound is met, without a wider
 * margin than necessary. */
#include "check.h"
#include "kernels/float_range.h"

enum { ZERO = KOSHU_FLOAT_RANGE_ZERO, NORMAL = KOSHU_FLOAT_RANGE_NORMAL };

static void
powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(koshu_float_range_of(0), ZERO);
    assert_int_equal(koshu_float_range_of(8), 3);
    assert_int_equal(koshu_float_range_of(0.75), -1);
}

static void
softening_beyond_the_box(void **state)
{
    (void)state;
    const struct koshu_float_range wide = {.length = 3, .eps = 8},
                                   narrow = {.length = 3, .eps = 1},
                                   none = {.length = 3, .eps = ZERO},
                                   point = {.length = ZERO, .eps = 2};
    assert_int_equal(koshu_float_range_beyond(&wide), 5);
    assert_int_equal(koshu_float_range_beyond(&narrow), 0);
    assert_int_equal(koshu_float_range_beyond(&none), 0);
    assert_int_equal(koshu_float_range_beyond(&point), 0);
    assert_int_equal(koshu_float_range_reach(&wide), 8);
    assert_int_equal(koshu_float_range_reach(&narrow), 3);
    assert_int_equal(koshu_float_range_reach(&none), 3);
    assert_int_equal(koshu_float_range_reach(&point), 2);
}

/* The exponent of the smallest m / r^3, for r below 2^(reach + 2). */
static int
least_of_far(int least, int reach)
{
    return least - 3 * (reach + 2);
}

/* With a softening of 2^eps, for r below 2^(eps + 1): times a difference of
 * positions in a box of 2^length, with all its digits. */
static int
least_in_softening(int least, int eps, int length)
{
    return least - 3 * (eps + 1) + length - KOSHU_FLOAT_RANGE_DIGITS;
}

static void
far_pairs(void **state)
{
    (void)state;
    struct koshu_float_range r = {.eps = ZERO};
    for (r.length = -20; r.length <= KOSHU_FLOAT_RANGE_ROOT; r.length++) {
        r.least = NORMAL + 3 * (r.length + 2);
        assert_int_equal(least_of_far(r.least, r.length), NORMAL);
        assert_true(koshu_float_range_far(&r));
        r.least--;
        assert_false(koshu_float_range_far(&r));
        r.least = ZERO;
        assert_true(koshu_float_range_far(&r));
    }
    r.least = 1000; /* but the square of the distance overflows */
    assert_false(koshu_float_range_far(&r));
    r.length = ZERO;
    assert_true(koshu_float_range_far(&r));
}

static void
far_pairs_in_softening(void **state)
{
    (void)state;
    struct koshu_float_range r = {.length = -7};
    for (r.eps = -6; r.eps < 30; r.eps++) {
        r.least = 3 * (r.eps + 1) + 7 + KOSHU_FLOAT_RANGE_DIGITS + NORMAL;
        assert_int_equal(least_in_softening(r.least, r.eps, r.length), NORMAL);
        assert_true(koshu_float_range_far(&r));
        r.least--;
        assert_false(koshu_float_range_far(&r));
    }
}

static void
near_pairs(void **state)
{
    const int least = KOSHU_FLOAT_RANGE_SQUARE, cube = KOSHU_FLOAT_RANGE_CUBE;
    (void)state;
    assert_int_equal(koshu_float_range_nearest(ZERO), least);
    assert_int_equal(koshu_float_range_nearest(-120), least);
    for (int mass = -60; mass <= 160; mass++) {
        const int nearest = koshu_float_range_nearest(mass);
        const struct koshu_float_range r = {.eps = nearest},
                                       wider = {.eps = nearest + 1};
        assert_true(nearest >= least);
        assert_true(mass - 3 * nearest <= cube);
        assert_true(nearest == least || mass - 3 * (nearest - 2) > cube);
        assert_true(koshu_float_range_overflows(&r, mass));
        assert_false(koshu_float_range_overflows(&wider, mass));
    }
}

static void
units_of_boxes(void **state)
{
    enum { MAX_EXPONENT = 40 };
    struct koshu_float_range r = {.length = 5, .eps = 1};
    (void)state;
    for (r.least = -130; r.least < 90; r.least++) {
        int unit;
        const bool fits = koshu_float_range_unit(&r, MAX_EXPONENT, &unit);
        const int at = r.length - unit;
        if (r.least >= NORMAL + 6) {
            assert_true(least_of_far(r.least, at) >= NORMAL);
            assert_true(at == MAX_EXPONENT ||
                        least_of_far(r.least, at + 1) < NORMAL);
        }
        assert_true(at <= MAX_EXPONENT);
        assert_int_equal(fits, at >= 0);
    }
    int unit = 9;
    r.least = ZERO; /* as for a mass of 1 */
    assert_true(koshu_float_range_unit(&r, MAX_EXPONENT, &unit));
    assert_int_equal(r.length - unit, 40);
    r = (struct koshu_float_range){ZERO, ZERO, 3};
    assert_true(koshu_float_range_unit(&r, MAX_EXPONENT, &unit));
    assert_int_equal(unit, 0);
}

static void
units_of_softening(void **state)
{
    enum { MAX_EXPONENT = 40, BEYOND = 7 };
    struct koshu_float_range r = {.length = 5, .eps = 5 + BEYOND};
    (void)state;
    for (r.least = -90; r.least < 60; r.least++) {
        int unit;
        const bool fits = koshu_float_range_unit(&r, MAX_EXPONENT, &unit);
        const int at = r.eps - unit;
        const bool is_even_or_more =
                r.least - NORMAL - 3 - KOSHU_FLOAT_RANGE_DIGITS - BEYOND >= 0;
        assert_true(at <= MAX_EXPONENT);
        if (is_even_or_more) {
            assert_true(least_in_softening(r.least, at, at - BEYOND) >= NORMAL);
            assert_true(at == MAX_EXPONENT ||
                        least_in_softening(r.least, at + 1, at + 1 - BEYOND) <
                                NORMAL);
        }
        assert_int_equal(fits, at >= -30 && at - BEYOND - 24 >= NORMAL);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(powers_of_two),
            cmocka_unit_test(softening_beyond_the_box),
            cmocka_unit_test(far_pairs),
            cmocka_unit_test(far_pairs_in_softening),
            cmocka_unit_test(near_pairs),
            cmocka_unit_test(units_of_boxes),
            cmocka_unit_test(units_of_softening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
