/* SPDX-License-Identifier: MIT */
/* Files of tuned shapes. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "scratch.h"
#include "tune/tune.h"
#include "tuned.h"

static void
apply(const char *model)
{
    struct koshu_backend backend = fake(model);
    koshu_tuning_apply(&backend);
    koshu_context_destroy(backend.context);
}

static void
overwrite(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void
test_round_trip(void **state)
{
    (void)state;
    apply("GPU, 9.0");
    assert_int_equal(chosen.calls, 0);
    save("GPU, 9.0", 1, 6);
    apply("GPU, 9.0");
    assert_int_equal(chosen.calls, 1);
    assert_int_equal(chosen.k, 1);
    assert_int_equal(chosen.set, KOSHU_SHAPES_MIXED);
    assert_int_equal(chosen.size_class, 6);
    assert_int_equal(chosen.shared_memory, 100);
    assert_int_equal(warnings, 0);
}

static void
test_replaces_and_keeps(void **state)
{
    (void)state;
    save("GPU, 9.0", 1, 6);
    save("GPU, 9.0", 1, 7);
    save("other, 8.0", 0, 6);
    save("GPU, 9.0", 0, 6); /* replaces the first */
    apply("GPU, 9.0");
    assert_int_equal(chosen.calls, 2);
    assert_int_equal(chosen.k, 0);
    apply("other, 8.0");
    assert_int_equal(chosen.calls, 1);
}

static void
test_off_and_foreign(void **state)
{
    (void)state;
    save("GPU, 9.0", 1, 6);
    apply("GPU, 8.0");
    assert_int_equal(chosen.calls, 0);
    setenv("KOSHU_TUNE", "off", 1);
    apply("GPU, 9.0");
    assert_int_equal(chosen.calls, 0);
    setenv("KOSHU_TUNE", "on", 1);
    apply("GPU, 9.0");
    assert_int_equal(chosen.calls, 1);
}

#define ENTRY(precision, n, shape, shared)                              \
    "{\"device\": \"GPU\", \"precision\": \"" precision "\", \"n\": " n \
    ", \"shape\": \"" shape "\", \"shared_memory\": " shared "}"
#define GOOD ENTRY("single", "2048", "direct t32x8 i4 u2 f32 b2", "-1")

/* Entries that name unknown shapes are skipped, valid ones are kept. */
static void
test_unknown(void **state)
{
    (void)state;
    save("GPU", 1, 6);
    overwrite("{\"shapes\": [" ENTRY(
            "single", "2048", "direct t999",
            "0") ", " ENTRY("half", "2048", "direct t32x8 i4 u2 f32 b2",
                            "0") ", " ENTRY("single", "2000",
                                            "direct t32x8 i4 u2 f32 b2",
                                            "0") ", " GOOD "]}");
    apply("GPU");
    assert_int_equal(chosen.calls, 1);
    assert_int_equal(chosen.size_class, 1);
    assert_int_equal(chosen.shared_memory, -1);
    assert_int_equal(warnings, 0);
}

/* No entry of the file is used, not even the valid one, and there is one
 * warning per process. */
static void
test_corrupt(void **state)
{
    (void)state;
    static const char *const texts[] = {
            "",
            "[]",
            "{}",
            "not JSON",
            "{\"shapes\": 3}",
            "{\"shapes\": [" GOOD,
            "{\"shapes\": [" GOOD ", 7]}",
            "{\"shapes\": [" GOOD ", {\"device\": \"GPU\"}]}",
            "{\"shapes\": [" GOOD
            ", " ENTRY("single", "2048", "direct", "101") "]}",
            "{\"shapes\": [" GOOD
            ", " ENTRY("single", "\"x\"", "direct", "0") "]}",
    };
    save("GPU", 1, 6);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        overwrite(texts[k]);
        apply("GPU");
        assert_int_equal(chosen.calls, 0);
        assert_int_equal(warnings, k == 0);
    }
    save("GPU", 1, 6); /* rewrites the file */
    apply("GPU");
    assert_int_equal(chosen.calls, 1);
    assert_int_equal(warnings, 0);
}

static void
test_place(void **state)
{
    char other[4096], small[8];
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", here, 1);
    (void)state;
    assert_true(koshu_tuning_path(other, sizeof other));
    assert_non_null(strstr(other, "/.cache/koshu/tune.json"));
    assert_false(koshu_tuning_path(small, sizeof small));
    unsetenv("HOME");
    assert_false(koshu_tuning_path(other, sizeof other));
}

static void
test_names(void **state)
{
    (void)state;
    char text[KOSHU_SHAPE_NAME];
    koshu_shape_name(&shapes[0], text);
    assert_string_equal(text, "direct t32x8 i4 u2 f32 b2");
    koshu_shape_name(&shapes[1], text);
    assert_string_equal(text, "mutual t128 i8 u2 f4 b3");
    assert_string_equal(koshu_shape_set_name(KOSHU_SHAPES_FAST), "fast");
    assert_null(koshu_shape_set_name(KOSHU_SHAPE_SETS));
}

static void
test_classes(void **state)
{
    (void)state;
    assert_int_equal(koshu_size_class(0), 0);
    assert_int_equal(koshu_size_class(1535), 0);
    assert_int_equal(koshu_size_class(1536), 1);
    assert_int_equal(koshu_size_class(3071), 1);
    assert_int_equal(koshu_size_class(3072), 2);
    assert_int_equal(koshu_size_class(196607), 7);
    assert_int_equal(koshu_size_class(196608), 8);
    assert_int_equal(koshu_size_class(786431), 9);
    assert_int_equal(koshu_size_class(786432), 10);
    assert_int_equal(koshu_size_class(SIZE_MAX), 10);
    for (unsigned c = 0; c < KOSHU_SIZE_CLASSES; c++)
        assert_int_equal(koshu_size_class(koshu_size_of_class(c)), c);
}

/* CPU kernels have no shapes, and the message says so. */
static void
test_cpu(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cpu", 1);
    struct koshu_tune_table table;
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "needs no tuning",
                 koshu_tune_shapes(context, ~0U, NULL, &table));
    koshu_tune_free(&table);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_setup_teardown(test_round_trip, begin, end),
            cmocka_unit_test_setup_teardown(test_replaces_and_keeps, begin,
                                            end),
            cmocka_unit_test_setup_teardown(test_off_and_foreign, begin, end),
            cmocka_unit_test_setup_teardown(test_unknown, begin, end),
            cmocka_unit_test_setup_teardown(test_corrupt, begin, end),
            cmocka_unit_test_setup_teardown(test_place, begin, end),
            cmocka_unit_test(test_names),
            cmocka_unit_test(test_classes),
            cmocka_unit_test(test_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
