/* SPDX-License-Identifier: MIT */
/* Several child processes at once, in a context of one thread and of four. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/base.h"
#include "check.h"
#include "io/child.h"
#include "descriptors.h"
#include "scratch.h"

static struct koshu_context *context;
static struct koshu_reader *reader;

/* More than a pipe holds, so that all must be heard. */
enum { MANY = 7, LONG = 1 << 18 };
struct part {
    int number, bad;
    int answer[LONG];
};

static koshu_status
fill_part(void *argument)
{
    struct part *p = argument;
    for (int k = 0; k < LONG; k++) p->answer[k] = p->number + k;
    if (p->number < p->bad) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "part %d", p->number);
}

static koshu_status
crash_in_part(void *argument)
{
    const struct part *p = argument;
    if (p->number >= p->bad) raise(SIGSEGV);
    return fill_part(argument);
}

/* Parts from the bad-th on fail. */
static koshu_status
run_parts(koshu_status (*work)(void *), struct part *part, int bad)
{
    struct koshu_region regions[MANY];
    struct koshu_child_task task[MANY];
    for (int k = 0; k < MANY; k++) {
        part[k] = (struct part){.number = k, .bad = bad};
        regions[k] =
                (struct koshu_region){part[k].answer, sizeof part[k].answer};
        task[k] = (struct koshu_child_task){&part[k], &regions[k], 1};
    }
    return koshu_children_run(reader, work, MANY, task, NULL);
}

static void
several_do_their_parts(void **state)
{
    (void)state;
    struct part *part = calloc(MANY, sizeof *part);
    assert_ok(context, run_parts(fill_part, part, MANY));
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LONG; i += LONG - 1)
            assert_int_equal(part[k].answer[i], k + i);
    free(part);
}

static void
the_first_failure_is_told(void **state)
{
    (void)state;
    struct part *part = calloc(MANY, sizeof *part);
    for (int bad = 0; bad < MANY; bad++) {
        char text[16];
        snprintf(text, sizeof text, "part %d", bad);
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, text,
                     run_parts(fill_part, part, bad));
        assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "crashes on this file",
                     run_parts(crash_in_part, part, bad));
    }
    free(part);
}

static void
nothing_is_left(void **state)
{
    (void)state;
    struct part *part = calloc(MANY, sizeof *part);
    const int before = count_descriptors();
    int how;
    assert_ok(context, run_parts(fill_part, part, MANY));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "crashes",
                 run_parts(crash_in_part, part, 2));
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(waitpid(-1, &how, WNOHANG), -1);
    free(part);
}

static int
set_up(int threads)
{
    context = test_context(NULL, threads);
    assert_ok(context, koshu_reader_open(context, "file", &reader));
    return 0;
}

static int
with_one_thread(void **state)
{
    (void)state;
    scratch_enter();
    scratch_write("file", "x", 1);
    return set_up(1);
}

static int
with_four(void **state)
{
    (void)state;
    return set_up(4);
}

static int
tear_down(void **state)
{
    (void)state;
    koshu_reader_close(reader);
    koshu_context_destroy(context);
    return 0;
}

static int
leave(void **state)
{
    tear_down(state);
    scratch_leave();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(several_do_their_parts),
            cmocka_unit_test(the_first_failure_is_told),
            cmocka_unit_test(nothing_is_left),
    };
    const int failed =
            cmocka_run_group_tests(tests, with_one_thread, tear_down);
    return failed + cmocka_run_group_tests(tests, with_four, leave);
}
