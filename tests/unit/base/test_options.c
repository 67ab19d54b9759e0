/* SPDX-License-Identifier: MIT */
/* Options and reports of callers whose structs have fewer or more members. */
#include <string.h>

#include "base/base.h"
#include "check.h"

/* The struct as this koshu defines it. */
struct options {
    size_t size;
    int a;
    double b;
    const char *c;
};
static const struct options defaults = {sizeof defaults, 1, 2.5, "three"};

/* As an earlier version defined it, and as a later one will. */
struct few {
    size_t size;
    int a;
};
struct many {
    struct options known;
    double d[3];
};

static koshu_status
read_options(const void *given, struct options *options)
{
    *options = defaults;
    return koshu_options_read(NULL, "koshu_x_options", given, options,
                              sizeof *options);
}

static void
check_is_default(const struct options *o)
{
    assert_int_equal(o->size, sizeof *o);
    assert_int_equal(o->a, 1);
    assert_near(o->b, 2.5, 0);
    assert_string_equal(o->c, "three");
}

static void
null_means_defaults(void **state)
{
    (void)state;
    struct options o;
    assert_ok(NULL, read_options(NULL, &o));
    check_is_default(&o);
}

static void
all_members_are_read(void **state)
{
    (void)state;
    const struct options given = {sizeof given, 7, -1, NULL};
    struct options o;
    assert_ok(NULL, read_options(&given, &o));
    assert_int_equal(o.size, sizeof o);
    assert_int_equal(o.a, 7);
    assert_near(o.b, -1, 0);
    assert_null(o.c);
}

/* Memory beyond a smaller struct is not read. */
static void
missing_members_are_defaults(void **state)
{
    (void)state;
    struct {
        struct few few;
        unsigned char behind[64];
    } given;
    struct options o;
    memset(&given, 0xff, sizeof given);
    given.few = (struct few){offsetof(struct options, b), 9};
    assert_ok(NULL, read_options(&given, &o));
    assert_int_equal(o.size, sizeof o);
    assert_int_equal(o.a, 9);
    assert_near(o.b, 2.5, 0);
    assert_string_equal(o.c, "three");
}

static void
unknown_members_must_be_zero(void **state)
{
    (void)state;
    struct many given = {.known = defaults};
    struct options o;
    given.known.size = sizeof given;
    given.known.a = 4;
    assert_ok(NULL, read_options(&given, &o));
    assert_int_equal(o.size, sizeof o);
    assert_int_equal(o.a, 4);
    given.d[2] = 1e-300;
    assert_fails(
            NULL, KOSHU_ERROR_UNSUPPORTED,
            "struct koshu_x_options: the program is made for a newer koshu",
            read_options(&given, &o));
}

static void
a_size_must_be_set(void **state)
{
    (void)state;
    struct options given = defaults, o;
    for (given.size = 0; given.size <= sizeof given.size; given.size++)
        assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                     "struct koshu_x_options: its size is not set",
                     read_options(&given, &o));
    assert_fails(
            NULL, KOSHU_ERROR_INVALID_ARGUMENT,
            "struct koshu_x_report: its size is not set",
            (given.size = 0, koshu_report_write(NULL, "koshu_x_report", &given,
                                                &defaults, sizeof defaults)));
}

/* Defaults and reports fill at most the caller's struct and keep its size. */
static void
callers_structs_are_filled(void **state)
{
    (void)state;
    struct {
        struct few few;
        unsigned char behind[64];
    } small, untouched;
    struct many large;
    const size_t few = offsetof(struct options, b);

    memset(&untouched, 0xff, sizeof untouched);
    small = untouched;
    koshu_options_write_defaults(&small, few, &defaults, sizeof defaults);
    assert_int_equal(small.few.size, few);
    assert_int_equal(small.few.a, 1);
    assert_memory_equal(small.behind, untouched.behind, sizeof small.behind);

    small = untouched; /* too small to hold its size: left alone */
    for (size_t bytes = 0; bytes < sizeof bytes; bytes++)
        koshu_options_write_defaults(&small, bytes, &defaults, sizeof defaults);
    assert_memory_equal(&small, &untouched, sizeof small);
    koshu_options_write_defaults(NULL, few, &defaults, sizeof defaults);

    small.few.size = few;
    assert_ok(NULL, koshu_report_write(NULL, "koshu_x_report", &small,
                                       &defaults, sizeof defaults));
    assert_int_equal(small.few.size, few);
    assert_int_equal(small.few.a, 1);
    assert_memory_equal(small.behind, untouched.behind, sizeof small.behind);

    memset(&large, 0xff, sizeof large);
    large.known.size = sizeof large;
    assert_ok(NULL, koshu_report_write(NULL, "koshu_x_report", &large,
                                       &defaults, sizeof defaults));
    assert_int_equal(large.known.size, sizeof large);
    assert_string_equal(large.known.c, "three");
    for (int k = 0; k < 3; k++) assert_near(large.d[k], 0, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(null_means_defaults),
            cmocka_unit_test(all_members_are_read),
            cmocka_unit_test(missing_members_are_defaults),
            cmocka_unit_test(unknown_members_must_be_zero),
            cmocka_unit_test(a_size_must_be_set),
            cmocka_unit_test(callers_structs_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
