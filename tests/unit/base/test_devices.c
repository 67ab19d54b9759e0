/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "check.h"

static void
lists_are_read(void **state)
{
    (void)state;
    struct koshu_device_list list;
    assert_true(koshu_device_list_read("0,2,0,17", &list));
    const int expected[] = {0, 2, 0, 17};
    assert_false(list.all);
    assert_int_equal(list.n, 4);
    assert_memory_equal(list.number, expected, sizeof expected);
    assert_true(koshu_device_list_read("all", &list));
    assert_true(list.all && list.n == 0);
    assert_true(koshu_device_list_read("", &list));
    assert_true(!list.all && list.n == 0);
}

static void
other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"x",  ",",    "0,",   ",0",
                                        "-1", "0;1",  "0, 1", "0,,1",
                                        " 0", "all,", "64",   "0x1"};
    struct koshu_device_list list;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        if (koshu_device_list_read(texts[k], &list))
            fail_msg("'%s' was taken for a list", texts[k]);
    char many[2 * KOSHU_MAX_DEVICES + 2] = "1";
    for (int k = 1; k < KOSHU_MAX_DEVICES; k++) strcat(many, ",1");
    assert_true(koshu_device_list_read(many, &list));
    assert_int_equal(list.n, KOSHU_MAX_DEVICES);
    strcat(many, ",1");
    assert_false(koshu_device_list_read(many, &list));
}

static void
exchanges_have_names(void **state)
{
    (void)state;
    unsigned k = 0;
    for (const char *name; (name = koshu_exchange_name(k)); k++) {
        enum koshu_exchange found = KOSHU_EXCHANGE_MUTUAL;
        assert_ok(NULL, koshu_exchange_find(NULL, name, &found));
        assert_int_equal(found, k);
    }
    assert_int_equal(k, KOSHU_EXCHANGES);
    enum koshu_exchange found;
    assert_fails(NULL, KOSHU_ERROR_NOT_FOUND,
                 "'send_sync' is not an exchange; did you mean 'send-sync'?",
                 koshu_exchange_find(NULL, "send_sync", &found));
}

static koshu_status
create(const char *devices, enum koshu_exchange exchange,
       struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.devices = devices;
    options.exchange = exchange;
    return koshu_context_create(&options, context);
}

/* The environment decides what the options leave open. */
static void
contexts_take_them(void **state)
{
    (void)state;
    struct koshu_context *context;
    unsetenv("KOSHU_DEVICES");
    unsetenv("KOSHU_EXCHANGE");
    assert_int_equal(create(NULL, KOSHU_EXCHANGE_DEFAULT, &context), KOSHU_OK);
    assert_string_equal(koshu_context_devices(context), "");
    assert_int_equal(koshu_context_exchange(context), KOSHU_EXCHANGE_AUTO);
    koshu_context_destroy(context);
    setenv("KOSHU_DEVICES", "3,1", 1);
    setenv("KOSHU_EXCHANGE", "sync-recv", 1);
    assert_int_equal(create(NULL, KOSHU_EXCHANGE_DEFAULT, &context), KOSHU_OK);
    assert_string_equal(koshu_context_devices(context), "3,1");
    assert_int_equal(koshu_context_device_list(context)->number[0], 3);
    assert_int_equal(koshu_context_exchange(context), KOSHU_EXCHANGE_SYNC_RECV);
    koshu_context_destroy(context);
    assert_int_equal(create(NULL, KOSHU_EXCHANGE_AUTO, &context), KOSHU_OK);
    assert_int_equal(koshu_context_exchange(context), KOSHU_EXCHANGE_AUTO);
    koshu_context_destroy(context);
    assert_int_equal(create("all", KOSHU_EXCHANGE_MUTUAL, &context), KOSHU_OK);
    assert_true(koshu_context_device_list(context)->all);
    assert_int_equal(koshu_context_exchange(context), KOSHU_EXCHANGE_MUTUAL);
    koshu_context_destroy(context);
    assert_int_equal(create("0,x", KOSHU_EXCHANGE_AUTO, &context),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    assert_null(context);
    setenv("KOSHU_EXCHANGE", "none", 1);
    assert_fails(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                 "KOSHU_EXCHANGE: 'none' is not an exchange",
                 create("0", KOSHU_EXCHANGE_DEFAULT, &context));
    assert_null(context);
    unsetenv("KOSHU_EXCHANGE");
    setenv("KOSHU_DEVICES", "0-3", 1);
    assert_int_equal(create(NULL, KOSHU_EXCHANGE_AUTO, &context),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    unsetenv("KOSHU_DEVICES");
    unsetenv("KOSHU_EXCHANGE");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(lists_are_read),
            cmocka_unit_test(other_texts_are_refused),
            cmocka_unit_test(exchanges_have_names),
            cmocka_unit_test(contexts_take_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
