/* SPDX-License-Identifier: MIT */
/* cmocka and its includes in the order it wants them, and checks of status. */
#ifndef KOSHU_TESTS_CHECK_H
#define KOSHU_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <koshu/context.h>

/* expr must return KOSHU_OK; on failure the context's message is printed. */
#define assert_ok(context, expr)                                               \
    do {                                                                       \
        koshu_status assert_ok_status = (expr);                                \
        if (assert_ok_status != KOSHU_OK)                                      \
            fail_msg("%s: %s: %s", #expr, koshu_status_name(assert_ok_status), \
                     koshu_context_message(context));                          \
    } while (0)

/* expr must return this status, and leave a message that holds `words`. */
#define assert_fails(context, expected, words, expr)                   \
    do {                                                               \
        koshu_status assert_fails_status = (expr);                     \
        if (assert_fails_status != (expected))                         \
            fail_msg("%s: expected %s, got %s", #expr,                 \
                     koshu_status_name(expected),                      \
                     koshu_status_name(assert_fails_status));          \
        if (!strstr(koshu_context_message(context), (words)))          \
            fail_msg("%s: no '%s' in the message: %s", #expr, (words), \
                     koshu_context_message(context));                  \
    } while (0)

/* |value - expected| <= tolerance, in double (cmocka's assert_float_equal
 * rounds to float first). A NaN fails. */
#define assert_near(value, expected, tolerance)                             \
    do {                                                                    \
        double assert_near_value = (value);                                 \
        double assert_near_expected = (expected);                           \
        double assert_near_off = assert_near_value - assert_near_expected;  \
        if (!(assert_near_off <= (tolerance) &&                             \
              -assert_near_off <= (tolerance)))                             \
            fail_msg("%s = %.17g, expected %.17g, off by %.3g, not within " \
                     "%.3g",                                                \
                     #value, assert_near_value, assert_near_expected,       \
                     assert_near_off, (double)(tolerance));                 \
    } while (0)

/* A context with this backend (NULL: auto) and this many threads (0: all). */
static inline struct koshu_context *
test_context(const char *backend, int threads)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = backend;
    options.threads = threads;
    struct koshu_context *context = NULL;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    return context;
}

#endif
