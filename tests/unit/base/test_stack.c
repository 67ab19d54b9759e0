/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "backend/backend.h"
#include "base/base.h"
#include "check.h"

static char reason[256];

/* Too little for koshu, but more than this test needs. */
static const rlim_t small = KOSHU_STACK_BYTES / 2;

static void
expect_stack(const char *variable, const char *value, bool enough)
{
    assert_int_equal(setenv(variable, value, 1), 0);
    reason[0] = '\0';
    assert_int_equal(koshu_has_stack(reason, sizeof reason), enough);
    assert_int_equal(reason[0] == '\0', enough);
    if (!enough) assert_non_null(strstr(reason, value));
    assert_int_equal(unsetenv(variable), 0);
}

static void
threads_have_what_openmp_gives_them(void **state)
{
    (void)state;
    const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    for (int k = 0; k < 2; k++) {
        expect_stack(names[k], "16", false);
        expect_stack(names[k], "511k", false);
        expect_stack(names[k], "512", true);
        expect_stack(names[k], " 100 K", false);
        expect_stack(names[k], "524287B", false);
        expect_stack(names[k], "524288 b", true);
        expect_stack(names[k], "1M", true);
        expect_stack(names[k], "0.25m", false);
        expect_stack(names[k], "1G", true);
        expect_stack(names[k], "plenty", true); /* OpenMP states it itself */
    }
}

static void
a_small_stack_is_told_before_any_sum(void **state)
{
    (void)state;
    struct rlimit old, few;
    struct koshu_backend *backend;
    struct koshu_context *context = test_context("ref", 1);
    assert_int_equal(getrlimit(RLIMIT_STACK, &old), 0);
    assert_true(koshu_has_stack(reason, sizeof reason));
    few = old;
    few.rlim_cur = small;
    assert_int_equal(setrlimit(RLIMIT_STACK, &few), 0);
    const bool enough = koshu_has_stack(reason, sizeof reason);
    const koshu_status status = koshu_backend_of(context, &backend);
    assert_int_equal(setrlimit(RLIMIT_STACK, &old), 0);
    assert_false(enough);
    assert_non_null(strstr(reason, "a stack of 256 KiB is too small, koshu "
                                   "needs 512"));
    assert_int_equal(status, KOSHU_ERROR_OUT_OF_MEMORY);
    assert_string_equal(koshu_context_message(context), reason);
    assert_ok(context, koshu_backend_of(context, &backend));
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(threads_have_what_openmp_gives_them),
            cmocka_unit_test(a_small_stack_is_told_before_any_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
