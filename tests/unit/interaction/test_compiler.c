/* SPDX-License-Identifier: MIT */
/* The compiler for interactions, and what happens without one. */
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "backend/compiled/compiled.h"
#include "check.h"
#include "own_cache.h"

static void
test_no_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *path = strdup(getenv("PATH"));
    setenv("PATH", base, 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "apt install gcc",
                 try_it(context));
    setenv("PATH", path, 1);
    free(path);
    setenv("KOSHU_CC", "no-such-compiler", 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "KOSHU_CC=no-such-compiler is no", try_it(context));
    koshu_context_destroy(context);
}

/* Errors of the compiler itself, not of the text. */
static void
test_broken_compiler(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    wrap_compiler("echo 'cc1: out of order' >&2; exit 3");
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "failed (status 3): cc1: out of order", try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    wrap_compiler("exit 0");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "left no object",
                 try_it(context));
    assert_int_equal(count_files(cache, ".c", NULL), 0);
    koshu_context_destroy(context);
}

static void
test_run(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    char *output;
    int status;
    /* no shell is involved, so nothing is expanded */
    char *echo[] = {"/bin/echo", "$HOME;", "`id`", NULL};
    assert_ok(context, koshu_run(context, echo, NULL, 10, &status, &output));
    assert_int_equal(status, 0);
    assert_string_equal(output, "$HOME; `id`\n");
    free(output);
    /* the time limit applies to all processes that it started */
    char *slow[] = {"/bin/sh", "-c", "sleep 30; true", NULL};
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "was stopped: it did not end within",
                 koshu_run(context, slow, NULL, 0.2, &status, &output));
    assert_null(output);
    /* more output than is stored */
    char *much[] = {"/bin/sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x",
                    NULL};
    assert_ok(context, koshu_run(context, much, NULL, 10, &status, &output));
    assert_int_equal(strlen(output), 65536);
    free(output);
    char *none[] = {"/no/such/program", NULL};
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "/no/such/program cannot be run",
                 koshu_run(context, none, NULL, 10, &status, &output));
    koshu_context_destroy(context);
}

static void
test_errors(void **state)
{
    (void)state;
    const struct koshu_kernel_source source = {.name = "a", .n_lines = 9};
    char message[64];
    assert_true(koshu_compiler_error("x.c:1:2: note: a\n"
                                     "kernel: In function 'f':\n"
                                     "kernel:7:3: warning: b\n"
                                     "kernel:8:13: error: c, c\nmore\n",
                                     &source, message, sizeof message));
    assert_string_equal(message, "a:8: c, c");
    assert_true(koshu_compiler_error("kernel:12: fatal error: d", &source,
                                     message, sizeof message));
    assert_string_equal(message, "a:9: d");
    assert_false(koshu_compiler_error("koshu:7:3: error: e\n", &source, message,
                                      sizeof message));
    assert_false(koshu_compiler_error("kernel", &source, message, 64));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(test_no_compiler),
            TEST(test_broken_compiler),
            TEST(test_run),
            TEST(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
