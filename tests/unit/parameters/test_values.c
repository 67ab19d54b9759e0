/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "check.h"
#include "locale_comma.h"
#include "base/base.h"
#include "parameters/parameters.h"

static void
numbers_and_fractions_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1/256", 1.0 / 256}, {"-1/3", -1.0 / 3}, {"0.5", 0.5},
                {"1e-3", 1e-3},       {"5", 5},           {".25", 0.25},
                {"3/1e2", 0.03},      {"-2", -2}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        double x = NAN;
        assert_true(koshu_parse_real(good[k].text, &x));
        assert_true(x == good[k].value);
    }
}

static void
the_point_is_a_point_in_every_locale(void **state)
{
    (void)state;
    double x = NAN;
    locale_comma();
    bool read = koshu_parse_real("0.5", &x);
    setlocale(LC_NUMERIC, "C");
    assert_true(read && x == 0.5);
}

/* A number that the program writes itself and then reads. */
static void
a_choice_is_taken_in_every_locale(void **state)
{
    (void)state;
    const struct koshu_solver_choice choice = {.method = KOSHU_METHOD_TREE,
                                               .alpha = 0.003};
    struct koshu_context *context;
    struct koshu_parameters *p;
    assert_ok(NULL, koshu_context_create(NULL, &context));
    assert_ok(context, koshu_parameters_create(context, &p));
    locale_comma();
    const koshu_status status = koshu_parameters_take_choice(p, &choice, 1e-3);
    setlocale(LC_NUMERIC, "C");
    assert_ok(context, status);
    koshu_parameters_destroy(p);
    koshu_context_destroy(context);
}

static void
what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "abc", "nan",   "inf",  "0x10",
                                      "1/0", "1/",  "/2",    "1//2", "1/2/3",
                                      " 1",  "1 ",  "1e999", "1,5",  "--1"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double x;
        assert_false(koshu_parse_real(bad[k], &x));
    }
}

static void
whole_numbers_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
            "",     "-1",   "1.5", "1e-3",
            "1e17", "0x10", " 1",  "18446744073709551616"};
    uint64_t n = 0;
    assert_true(koshu_parse_whole("18446744073709551615", &n));
    assert_true(n == UINT64_MAX);
    assert_true(koshu_parse_whole("010", &n));
    assert_int_equal(n, 10); /* not octal */
    assert_true(koshu_parse_whole("1e6", &n));
    assert_int_equal(n, 1000000);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_false(koshu_parse_whole(bad[k], &n));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(numbers_and_fractions_are_read),
            cmocka_unit_test(the_point_is_a_point_in_every_locale),
            cmocka_unit_test(a_choice_is_taken_in_every_locale),
            cmocka_unit_test(what_is_no_number_is_refused),
            cmocka_unit_test(whole_numbers_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
