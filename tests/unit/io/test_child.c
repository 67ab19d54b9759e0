/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/base.h"
#include "check.h"
#include "io/child.h"
#include "descriptors.h"
#include "scratch.h"

static struct koshu_context *context;
static struct koshu_reader *reader;

static int *
number_of(void *argument)
{
    return argument;
}

static koshu_status
count_to_seven(void *argument)
{
    for (int k = 0; k < 7; k++) number_of(argument)[k] = k + 1;
    return KOSHU_OK;
}

static koshu_status
give_up(void *argument)
{
    number_of(argument)[0] = 99;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "it is %d", 42);
}

static koshu_status
crash(void *argument)
{
    (void)argument;
    raise(SIGSEGV);
    return KOSHU_OK;
}

static koshu_status
leave(void *argument)
{
    (void)argument;
    _exit(0);
}

static koshu_status
go_round(void *argument)
{
    volatile int *number = number_of(argument);
    while (number[0] == 0) number[1] ^= 1;
    return KOSHU_OK;
}

static koshu_status
be_greedy(void *argument)
{
    (void)argument;
    /* only address space, which is plentiful without a limit */
    void *space = mmap(NULL, (size_t)1 << 40, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space != MAP_FAILED) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY, "refused");
}

static koshu_status
run(koshu_status (*work)(void *), int number[7])
{
    const struct koshu_region regions[] = {{number, sizeof(int) * 3},
                                           {number + 5, sizeof(int)}};
    const struct koshu_child_task task = {number, regions, 2};
    return koshu_child_run(reader, work, &task, NULL);
}

static void
regions_come_back_and_nothing_else(void **state)
{
    (void)state;
    int number[7] = {0};
    assert_ok(context, run(count_to_seven, number));
    const int expected[7] = {1, 2, 3, 0, 0, 6, 0};
    assert_memory_equal(number, expected, sizeof number);
}

static void
a_failure_comes_back_with_its_message(void **state)
{
    (void)state;
    int number[7] = {0};
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "it is 42",
                 run(give_up, number));
    assert_int_equal(number[0], 0);
}

static void
a_death_is_told(void **state)
{
    (void)state;
    int number[7] = {0};
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "file: the HDF5 library crashes", run(crash, number));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "crashes",
                 run(leave, number));
    /* koshu has waited for its child, as it does where SIGCHLD is ignored */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    signal(SIGCHLD, SIG_IGN);
    assert_ok(context, run(count_to_seven, number));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "crashes",
                 run(crash, number));
    signal(SIGCHLD, SIG_DFL);
}

/* A CPU limit of one second on this process stands in for the child's. */
static void
an_endless_loop_is_ended(void **state)
{
    (void)state;
    int number[7] = {0};
    struct rlimit limit, little;
    assert_int_equal(getrlimit(RLIMIT_CPU, &limit), 0);
    little = limit;
    little.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_CPU, &little), 0);
    koshu_status status = run(go_round, number);
    assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
    assert_int_equal(status, KOSHU_ERROR_BAD_FORMAT);
    assert_non_null(
            strstr(koshu_context_message(context), "does not come to an end"));
}

static void
a_huge_allocation_is_refused(void **state)
{
    (void)state;
    int number[7] = {0};
    /* succeeds here, without the limit */
    assert_ok(context, be_greedy(number));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "file: reading it takes more memory than the 1.07 GB",
                 run(be_greedy, number));
}

static koshu_status
be_killed(void *argument)
{
    return raise(number_of(argument)[6]) == 0 ? KOSHU_OK : KOSHU_ERROR_IO;
}

/* As the system kills it when memory runs out, or a user does. */
static void
a_kill_is_no_damage(void **state)
{
    (void)state;
    int number[7] = {[6] = SIGKILL};
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY,
                 "file: there is too little", run(be_killed, number));
    number[6] = SIGUSR1;
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "was ended by signal 10; try again", run(be_killed, number));
}

static koshu_status
find_no_memory(void *argument)
{
    (void)argument;
    return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY, "refused");
}

/* Refused if the process may have less memory than a file of this size can
 * need. */
static void
a_lack_of_memory_is_no_damage(void **state)
{
    (void)state;
    int number[7] = {0};
    struct rlimit limit, little;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer's address space exceeds any limit */
#endif
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    little = limit;
    little.rlim_cur = 1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    koshu_status refused = run(find_no_memory, number);
    koshu_status crashed = run(crash, number);
    koshu_status read = run(count_to_seven, number);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(refused, KOSHU_ERROR_OUT_OF_MEMORY);
    assert_int_equal(crashed, KOSHU_ERROR_OUT_OF_MEMORY);
    assert_ok(context, read);
}

/* ---- a parent that is killed -------------------------------------------- */

static koshu_status
stay(void *argument)
{
    volatile int *number = number_of(argument);
    while (number[0] == 0) pause();
    return KOSHU_OK;
}

/* Signals that it runs, and stays. */
static koshu_status
kill_parent_and_stay(void *argument)
{
    kill(getppid(), SIGKILL);
    return stay(argument);
}

static koshu_status
kill_parent_and_answer(void *argument)
{
    kill(getppid(), SIGKILL);
    return count_to_seven(argument);
}

/* A process that reads a file in a child running work() is killed by that
 * child: both must end, or this waits until the alarm. */
static void
die_with_parent(koshu_status (*work)(void *))
{
    static int answer[1 << 20]; /* more than a pipe holds */
    const struct koshu_region regions[] = {{answer, sizeof answer}};
    const struct koshu_child_task task = {answer, regions, 1};
    alarm(60);
    pid_t parent = fork();
    if (parent == 0) {
        koshu_status status = koshu_child_run(reader, work, &task, NULL);
        _exit(status == KOSHU_OK ? 1 : 2);
    }
    int how;
    assert_int_equal(waitpid(parent, &how, 0), parent);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    /* the orphan is now this process's child (see main) */
    assert_true(waitpid(-1, &how, 0) > 0);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(waitpid(-1, &how, 0), -1);
    alarm(0);
}

static void
it_does_not_outlive_its_parent(void **state)
{
    (void)state;
    die_with_parent(kill_parent_and_stay);
    die_with_parent(kill_parent_and_answer);
}

static koshu_status
count_mine(void *argument)
{
    number_of(argument)[0] = count_descriptors();
    return KOSHU_OK;
}

static void
it_holds_what_it_needs(void **state)
{
    (void)state;
    enum { STREAMS = 3, READER_AND_PIPE = 2 };
    int number[7] = {0};
    const int before = count_descriptors();
    const int low = open("file", O_RDONLY), high = dup2(low, 900);
    assert_ok(context, run(count_mine, number));
    assert_int_equal(number[0], STREAMS + READER_AND_PIPE);
    close(high);
    close(low);
    assert_int_equal(count_descriptors(), before);
}

/* Ctrl-C reaches the child, too, but the parent decides. */
static koshu_status
interrupt_myself(void *argument)
{
    raise(SIGINT);
    return count_to_seven(argument);
}

static void
on_interrupt(int number)
{
    (void)number;
    _exit(3);
}

static void
a_request_to_end_is_the_parents(void **state)
{
    (void)state;
    int number[7] = {0};
    signal(SIGINT, on_interrupt);
    assert_ok(context, run(interrupt_myself, number));
    signal(SIGINT, SIG_DFL);
    assert_int_equal(number[0], 1);
}

static int
set_up(void **state)
{
    (void)state;
    context = test_context(NULL, 1);
    scratch_enter();
    scratch_write("file", "x", 1);
    assert_ok(context, koshu_reader_open(context, "file", &reader));
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    koshu_reader_close(reader);
    scratch_leave();
    koshu_context_destroy(context);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(regions_come_back_and_nothing_else),
            cmocka_unit_test(a_failure_comes_back_with_its_message),
            cmocka_unit_test(a_death_is_told),
            cmocka_unit_test(an_endless_loop_is_ended),
            cmocka_unit_test(a_huge_allocation_is_refused),
            cmocka_unit_test(a_kill_is_no_damage),
            cmocka_unit_test(a_lack_of_memory_is_no_damage),
            cmocka_unit_test(it_does_not_outlive_its_parent),
            cmocka_unit_test(it_holds_what_it_needs),
            cmocka_unit_test(a_request_to_end_is_the_parents),
    };
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
