/* SPDX-License-Identifier: MIT */
/* Settings, failures, threads and children of libkoshu-cunbody. */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <koshu-cunbody/cunbody.h>
#include <koshu-cunbody/force.h>

#include "bodies.h"

static double two[2][3] = {{0, 0, 0}, {1, 0, 0}}, mass[2] = {1, 2};

static bool
works(void)
{
    double a[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    force(two, mass, two, 0, a, 2, 2);
    return fabs(a[0][0] - 2) < 1e-6 && fabs(a[1][0] + 1) < 1e-6;
}

/* ---- failures ------------------------------------------------------------ */

static void
assert_no_forces(double eps2, int ni, int nj, const char *words)
{
    double a[2][3] = {{1, 1, 1}, {1, 1, 1}};
    force(two, mass, two, eps2, a, ni, nj);
    assert_reported(&reported, words);
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 3; d++)
            assert_true(k < ni ? isnan(a[k][d]) : a[k][d] == 1);
    assert_true(works()); /* the failure has no lasting effect */
}

static void
impossible_arguments(void **state)
{
    (void)state;
    double a[2][3];
    assert_no_forces(0, -1, 2, "force: ni = -1, nj = 2: a number");
    assert_no_forces(0, 2, INT_MIN, "force: ni = 2, nj = -2147483648");
    assert_no_forces(-1e-30, 2, 2, "force: eps2 = -1e-30: it must be");
    assert_no_forces(NAN, 2, 2, "force: eps2 = nan");
    assert_no_forces(INFINITY, 1, 2, "force: eps2 = inf");
    force(NULL, mass, two, 0, a, 2, 2);
    assert_reported(&reported, "force: xj is NULL");
    assert_true(isnan(a[1][2]));
    force(two, NULL, two, 0, a, 2, 2);
    assert_reported(&reported, "force: mj is NULL");
    force(two, mass, NULL, 0, a, 2, 2);
    assert_reported(&reported, "force: xi is NULL");
    force(two, mass, two, 0, NULL, 2, 2);
    assert_reported(&reported, "force: a is NULL");
}

/* ---- settings ------------------------------------------------------------ */

static void
impossible_settings_are_named(void **state)
{
    (void)state;
    static char long_name[5000];
    memset(long_name, 'x', sizeof long_name - 1);
    const char *const wrong[][3] = {
            {"KOSHU_CUNBODY_BACKEND", "gpu", "auto, cpu, cuda or ref"},
            {"KOSHU_CUNBODY_PRECISION", "quad", "single, mixed or double"},
            {"KOSHU_CUNBODY_THREADS", "-1", "a number from 0"},
            {"KOSHU_CUNBODY_THREADS", "two", "a number from 0"},
            {"KOSHU_CUNBODY_THREADS", "4097", "from 0 to 4096"},
            {"KOSHU_CUNBODY_VERBOSE", "2", "from 0 to 1"},
            {"CUNBODY_PIPELINE", long_name, "4999 characters: at most 4095"},
            {"KOSHU_CUNBODY_BACKEND", long_name, "4999 characters"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        double a[2][3] = {{1}};
        char expected[64];
        snprintf(expected, sizeof expected, "%s=%.8s", wrong[k][0],
                 wrong[k][1]);
        setenv(wrong[k][0], wrong[k][1], 1);
        for (int time = 0; time < 2; time++) {
            force(two, mass, two, 0, a, 2, 2);
            assert_non_null(strstr(reported.last, expected));
            assert_reported(&reported, wrong[k][2]);
            assert_true(isnan(a[1][1]));
        }
        bodies_open(NULL);
        unsetenv("KOSHU_CUNBODY_BACKEND");
        assert_true(works()); /* works all the same */
        koshu_cunbody_close();
        reported.n_lines = 0; /* perhaps a message that there is no GPU */
    }
}

static void
says_what_it_opens(void **state)
{
    (void)state;
    setenv("KOSHU_CUNBODY_VERBOSE", "1", 1);
    setenv("KOSHU_CUNBODY_THREADS", "1", 1);
    setenv("KOSHU_CUNBODY_BACKEND", "ref", 1);
    assert_true(works());
    assert_reported(&reported, "ref, scalar double precision, 1 thread, single "
                               "precision");
    assert_true(works()); /* once */
}

static void
closed_twice(void **state)
{
    (void)state;
    koshu_cunbody_close();
    assert_true(works());
    koshu_cunbody_close();
    koshu_cunbody_close();
    assert_true(works());
}

/* ---- handlers ------------------------------------------------------------ */

static jmp_buf back;

static void
leave(void *user, const char *line)
{
    (void)user, (void)line;
    longjmp(back, 1);
}

static void
call(void *user, const char *line)
{
    if (works()) listen_to(user, line);
}

static void
handlers_may_call_and_leave(void **state)
{
    (void)state;
    double a[2][3];
    koshu_cunbody_set_handler(call, &reported);
    force(two, mass, two, 0, a, -1, 2);
    assert_reported(&reported, "ni = -1");
    koshu_cunbody_set_handler(leave, NULL);
    if (setjmp(back) == 0) {
        force(two, mass, two, 0, a, -1, 2);
        fail_msg("the handler was not called");
    }
    koshu_cunbody_set_handler(listen_to, &reported);
    assert_true(works());
}

static void
stderr_has_each_line_once(void **state)
{
    (void)state;
    char text[4096];
    int ends[2], terminal = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    koshu_cunbody_set_handler(NULL, NULL);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    for (int k = 0; k < 100; k++) force(two, mass, two, 0, two, -1, 0);
    for (int k = 0; k < 100; k++) force(two, mass, two, 0, two, 0, -1);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    close(ends[1]);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    assert_string_equal(
            text,
            "koshu-cunbody: force: ni = -1, nj = 0: a number of particles "
            "cannot be negative\n"
            "koshu-cunbody: force: ni = 0, nj = -1: a number of particles "
            "cannot be negative\n");
}

/* ---- threads and children ------------------------------------------------ */

static void *
work(void *user)
{
    (void)user;
    for (int k = 0; k < 200; k++) {
        if (!works()) return (void *)1;
        if (k % 50 == 0) koshu_cunbody_close();
    }
    return NULL;
}

static void
threads_take_turns(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, work, NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        void *failed;
        assert_int_equal(pthread_join(thread[k], &failed), 0);
        assert_null(failed);
    }
}

/* The value that f() returns in a child process. */
static int
in_child(int (*f)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(f());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
says_that_it_is_a_child(void)
{
    double a[2][3];
    for (int time = 0; time < 2; time++) {
        a[0][0] = a[1][2] = 1;
        reported = (struct listener){0};
        force(two, mass, two, 0, a, 2, 2);
        if (reported.n_lines != 1 || !strstr(reported.last, "a child of one") ||
            !isnan(a[0][0]) || !isnan(a[1][2]))
            return 1;
        koshu_cunbody_close(); /* neither helps nor hangs */
    }
    return 0;
}

static int
child_works(void)
{
    return !works();
}

static void
children(void **state)
{
    (void)state;
    koshu_cunbody_close();
    assert_int_equal(in_child(child_works), 0);
    assert_true(works());
    assert_int_equal(in_child(says_that_it_is_a_child), 0);
    assert_true(works());
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, bodies_open, bodies_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(children), /* of a process that has used it little */
            TEST(impossible_arguments),
            TEST(impossible_settings_are_named),
            TEST(says_what_it_opens),
            TEST(closed_twice),
            TEST(handlers_may_call_and_leave),
            TEST(stderr_has_each_line_once),
            TEST(threads_take_turns),
    };
    if (!bodies_are_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
