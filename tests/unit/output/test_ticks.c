/* SPDX-License-Identifier: MIT */
#include "output/ticks.h"

#include <math.h>
#include <string.h>

#include "fixture.h"

static void
steps_are_round(void **state)
{
    (void)state;
    for (double length = 1e-5; length < 1e5; length *= 1.01) {
        double step = koshu_tick_step(length, 5), power;
        assert_true(length / step > 5 / 1.6 && length / step < 5 * 1.8);
        power = pow(10, floor(log10(step * (1 + 1e-9))));
        int digit = (int)lround(step / power);
        assert_true(digit == 1 || digit == 2 || digit == 5);
        /* a product of two rounded numbers */
        assert_true(fabs(step - digit * power) < 1e-14 * step);
    }
}

/* The extent of a number along the axis: from its left or lower end to the
 * other. */
static double
end_of(const struct koshu_tick_axis *a, const struct koshu_ticks *t, size_t k,
       double side)
{
    const double width = a->upright ? 17 : koshu_text_width(t->text[k]);
    return (t->at[k] - a->low) / (a->high - a->low) * a->length +
           side * width / 2;
}

/* In any range numbers do not overlap and stay within their limits. */
static void
numbers_do_not_touch(void **state)
{
    (void)state;
    static const double middles[] = {0, 0.3, -12, 5e3, -4e7};
    static const double lengths[] = {64, 107, 320, 640};
    for (double half = 1e-6; half < 1e8; half *= 1.07)
        for (int k = 0; k < 5 * 4 * 2; k++) {
            const double middle = middles[k % 5];
            const struct koshu_tick_axis a = {.low = middle - half,
                                              .high = middle + half,
                                              .length = lengths[k / 5 % 4],
                                              .beyond = 2,
                                              .upright = k >= 20};
            /* these use offsets, see scale.h */
            if (half < 1e-3 * fabs(middle)) continue;
            struct koshu_ticks t;
            koshu_ticks_choose(&a, &t);
            assert_true(t.n <= 11);
            if (a.length >= 300) assert_true(t.n >= 1 + (size_t)a.upright);
            for (size_t i = 0; i < t.n; i++) {
                assert_true(end_of(&a, &t, i, -1) >= -2.5);
                assert_true(end_of(&a, &t, i, 1) <= a.length + 2.5);
                if (i)
                    assert_true(end_of(&a, &t, i, -1) >
                                end_of(&a, &t, i - 1, 1) + 5);
            }
        }
}

static void
assert_texts(double low, double high, const char *texts, int exponent)
{
    const struct koshu_tick_axis a = {
            .low = low, .high = high, .length = 320, .beyond = 20};
    struct koshu_ticks t;
    char all[512] = "";
    koshu_ticks_choose(&a, &t);
    for (size_t k = 0; k < t.n; k++) {
        strcat(all, t.text[k]);
        strcat(all, " ");
    }
    assert_string_equal(all, texts);
    assert_int_equal(t.exponent, exponent);
}

static void
numbers_are_written_as_people_do(void **state)
{
    (void)state;
    assert_texts(-1, 1, "−1 −0.5 0 0.5 1 ", 0);
    assert_texts(0, 100, "0 20 40 60 80 100 ", 0);
    assert_texts(9, 11, "9 9.5 10 10.5 11 ", 0);
    assert_texts(-2e6, 2e6, "−2 −1 0 1 2 ", 6);
    assert_texts(0, 1e-5, "0 0.2 0.4 0.6 0.8 1 ", -5);
}

static void
powers_of_ten_have_numbers(void **state)
{
    (void)state;
    struct koshu_log_ticks t;
    char all[512];
    static const struct {
        double low, high;
        const char *texts;
    } cases[] = {{-3, 3, "0.001 0.01 0.1 1 10 100 1000 "},
                 {0, 1, "1 2 5 10 "},
                 {-0.3, 0.2, "0.6 0.7 0.8 0.9 1 "},
                 {6, 9, "10^{6} 10^{7} 10^{8} 10^{9} "},
                 {-7.1, -5.9, "10^{-7} 2·10^{-7} 5·10^{-7} 10^{-6} "}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        koshu_log_ticks_choose(cases[c].low, cases[c].high, &t);
        all[0] = '\0';
        for (size_t k = 0; k < t.n; k++) {
            assert_true(t.at[k] > cases[c].low - 1e-6);
            assert_true(t.at[k] < cases[c].high + 1e-6);
            if (t.text[k][0]) strcat(strcat(all, t.text[k]), " ");
        }
        assert_string_equal(all, cases[c].texts);
    }
    koshu_log_ticks_choose(-20, 20, &t);
    assert_true(t.n < KOSHU_LOG_TICKS_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(steps_are_round),
            cmocka_unit_test(numbers_do_not_touch),
            cmocka_unit_test(numbers_are_written_as_people_do),
            cmocka_unit_test(powers_of_ten_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
