/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/base.h"
#include "check.h"

static void
every_status_has_a_text_and_a_name(void **state)
{
    (void)state;
    int s = 0;
    for (const char *name; (name = koshu_status_name((koshu_status)s)); s++) {
        koshu_status found = KOSHU_OK;
        assert_true(strlen(koshu_status_text((koshu_status)s)) > 3);
        assert_int_equal(strncmp(name, "KOSHU_", 6), 0);
        assert_ok(NULL, koshu_status_find(NULL, name, &found));
        assert_int_equal(found, s);
    }
    assert_int_equal(s, KOSHU_ERROR_INTERNAL + 1);
    assert_string_equal(koshu_status_text((koshu_status)-1), "unknown status");
    assert_string_equal(koshu_status_name(KOSHU_ERROR_IO), "KOSHU_ERROR_IO");
}

static void
log_levels_have_names(void **state)
{
    (void)state;
    enum koshu_log_level level;
    assert_string_equal(koshu_log_level_name(KOSHU_LOG_LEVEL_DEBUG), "debug");
    assert_null(koshu_log_level_name(KOSHU_LOG_LEVEL_WARNING + 1));
    assert_ok(NULL, koshu_log_level_find(NULL, "warning", &level));
    assert_int_equal(level, KOSHU_LOG_LEVEL_WARNING);
    assert_fails(NULL, KOSHU_ERROR_NOT_FOUND, "there are debug, info, warning",
                 koshu_log_level_find(NULL, "loud", &level));
}

static void
bad_options_are_refused(void **state)
{
    (void)state;
    struct koshu_context *context = NULL;
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = -1;
    assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                 "-1 threads: give 1 ... 4096",
                 koshu_context_create(&options, &context));
    assert_null(context);
    options.threads = KOSHU_MAX_THREADS + 1; /* more would end the program */
    assert_int_equal(koshu_context_create(&options, &context),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    assert_null(context);
    options.threads = 1;
    options.backend = "abacus";
    assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                 "no backend is called 'abacus'; there are auto, cpu, simd",
                 koshu_context_create(&options, &context));
    assert_null(context);
    options.backend = "cpu";
    options.exchange = (enum koshu_exchange)KOSHU_EXCHANGES;
    assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT, "exchange 5: it is none",
                 koshu_context_create(&options, &context));
    options.exchange = KOSHU_EXCHANGE_AUTO;
    options.devices = "0-1";
    assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT, "devices '0-1': give",
                 koshu_context_create(&options, &context));
}

static void
defaults_give_at_least_one_thread(void **state)
{
    (void)state;
    struct koshu_context *context = NULL;
    assert_int_equal(koshu_context_create(NULL, &context), KOSHU_OK);
    assert_true(koshu_context_threads(context) >= 1);
    assert_string_equal(koshu_context_backend(context), "auto");
    assert_string_equal(koshu_context_message(context), "");
    koshu_context_destroy(context);
    koshu_context_destroy(NULL);
}

static void
failures_keep_their_message(void **state)
{
    (void)state;
    struct koshu_context *context = test_context(NULL, 1);
    assert_fails(
            context, KOSHU_ERROR_IO, "file x, line 7",
            koshu_fail(context, KOSHU_ERROR_IO, "file %s, line %d", "x", 7));
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "lists: 2.0 MiB",
                 koshu_fail_memory(context, 2 << 20, "lists"));
    koshu_context_destroy(context);
}

struct record {
    int calls;
    char last[64];
};

static void
remember(void *user, enum koshu_log_level level, const char *message)
{
    struct record *r = user;
    assert_int_equal(level, KOSHU_LOG_LEVEL_WARNING);
    r->calls++;
    snprintf(r->last, sizeof r->last, "%s", message);
}

static void
the_log_function_gets_messages(void **state)
{
    (void)state;
    struct record record = {0};
    struct koshu_context_options options = koshu_context_options_default();
    options.log = remember;
    options.log_user = &record;
    struct koshu_context *context;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    koshu_log(context, KOSHU_LOG_LEVEL_WARNING, "%d devices", 0);
    assert_int_equal(record.calls, 1);
    assert_string_equal(record.last, "0 devices");
    koshu_context_destroy(context);
}

static void
memory_is_aligned_zeroed_and_checked(void **state)
{
    (void)state;
    unsigned char *memory = koshu_alloc(13, 5);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % KOSHU_ALIGNMENT, 0);
    for (int k = 0; k < 128; k++) assert_int_equal(memory[k], 0);
    koshu_free(memory);
    assert_null(koshu_alloc(SIZE_MAX / 2, 3));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_status_has_a_text_and_a_name),
            cmocka_unit_test(log_levels_have_names),
            cmocka_unit_test(bad_options_are_refused),
            cmocka_unit_test(defaults_give_at_least_one_thread),
            cmocka_unit_test(failures_keep_their_message),
            cmocka_unit_test(the_log_function_gets_messages),
            cmocka_unit_test(memory_is_aligned_zeroed_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
