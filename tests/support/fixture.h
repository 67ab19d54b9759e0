/* SPDX-License-Identifier: MIT */
/*
 * Set-up and tear-down that most groups of tests share: one context for the
 * whole group, or also a scratch directory in which the tests write files.
 *
 *     cmocka_run_group_tests(tests, context_begin, context_end);
 *     cmocka_run_group_tests(tests, scratch_begin, scratch_end);
 *
 * A test of one backend defines FIXTURE_BACKEND before including this file, one
 * that needs several threads FIXTURE_THREADS.
 */
#ifndef KOSHU_TESTS_FIXTURE_H
#define KOSHU_TESTS_FIXTURE_H

#include "scratch.h"

#ifndef FIXTURE_BACKEND
#define FIXTURE_BACKEND NULL /* auto */
#endif
#ifndef FIXTURE_THREADS
#define FIXTURE_THREADS 1
#endif

static struct koshu_context *context;

static inline int
context_begin(void **state)
{
    (void)state;
    context = test_context(FIXTURE_BACKEND, FIXTURE_THREADS);
    return 0;
}

static inline int
context_end(void **state)
{
    (void)state;
    koshu_context_destroy(context);
    return 0;
}

static inline int
scratch_begin(void **state)
{
    scratch_enter();
    return context_begin(state);
}

static inline int
scratch_end(void **state)
{
    scratch_leave();
    return context_end(state);
}

#endif
