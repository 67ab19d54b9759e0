/* SPDX-License-Identifier: MIT */
/* Set-up and main() of tests on ranks: `context` spans all ranks, `alone` only
 * this one. */
#ifndef KOSHU_TESTS_MPI_RANKS_H
#define KOSHU_TESTS_MPI_RANKS_H

#include <string.h>

#include <koshu/ranks.h>

#include "check.h"
#include "on_backend.h"

static struct koshu_context *context, *alone;

static inline int
ranks_begin(void **state)
{
    (void)state;
    context = test_context(on_backend(NULL), 1);
    alone = test_context(on_backend(NULL), 1);
    if (koshu_ranks_launched())
        assert_ok(context, koshu_ranks_initialise(context));
    return 0;
}

static inline int
ranks_end(void **state)
{
    (void)state;
    koshu_context_destroy(context);
    koshu_context_destroy(alone);
    return 0;
}

/* main(): MPI is finalised before the process exits. */
#define RANKS_MAIN(tests)                                                   \
    int main(void)                                                          \
    {                                                                       \
        int failed = cmocka_run_group_tests(tests, ranks_begin, ranks_end); \
        koshu_ranks_finalise();                                             \
        return failed;                                                      \
    }

#endif
