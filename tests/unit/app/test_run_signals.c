/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "../../../app/run.h"
#include "../simulation/runs.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

/* Longer than the second within which two signals count as one request. */
static void
wait_long(void)
{
    const struct timespec t = {.tv_sec = 1, .tv_nsec = 100000000};
    nanosleep(&t, NULL);
}

/* Sends signals to a simulation in a child process; a negative one comes long
 * after the one before. The exit code is the reason why the simulation
 * stopped. */
static int
status_after(int early, int first, int second)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) {
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        return status;
    }
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, NULL);
    signals_catch();
    if (early) raise(early);
    if (koshu_simulation_create(context, p, &overwrite, &s) != KOSHU_OK)
        _exit(100);
    signals_stop(s);
    const int then[] = {first, second};
    for (int k = 0; k < 2; k++) {
        if (then[k] < 0) wait_long();
        if (then[k] != 0) raise(abs(then[k]));
    }
    if (koshu_simulation_advance(s) != KOSHU_OK) _exit(101);
    signals_restore();
    _exit((int)koshu_simulation_stopped(s));
}

static void
the_first_signal_stops(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    scratch_enter();
    int status = status_after(0, 0, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == KOSHU_STOP_NONE);
    for (int k = 0; k < 3; k++) {
        status = status_after(0, signals[k], 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), KOSHU_STOP_REQUEST);
    }
    scratch_leave();
}

static void
the_second_signal_kills(void **state)
{
    (void)state;
    scratch_enter();
    int status = status_after(0, SIGTERM, -SIGINT);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    status = status_after(0, SIGTERM, -SIGTERM);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    scratch_leave();
}

/* Two signals in quick succession, as timeout(1) sends them. */
static void
two_at_once_are_one_request(void **state)
{
    (void)state;
    scratch_enter();
    int status = status_after(0, SIGTERM, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), KOSHU_STOP_REQUEST);
    status = status_after(SIGTERM, SIGTERM, SIGINT);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), KOSHU_STOP_REQUEST);
    scratch_leave();
}

/* The files of a new run must exist before it can be stopped. */
static void
a_signal_before_the_start_stops_it_there(void **state)
{
    (void)state;
    scratch_enter();
    int status = status_after(SIGUSR1, 0, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), KOSHU_STOP_REQUEST);
    status = status_after(SIGUSR1, -SIGTERM, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    scratch_leave();
}

static void
an_ignored_signal_stays_ignored(void **state)
{
    (void)state;
    scratch_enter();
    signal(SIGHUP, SIG_IGN);
    int status = status_after(0, SIGHUP, SIGHUP);
    signal(SIGHUP, SIG_DFL);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == KOSHU_STOP_NONE);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_first_signal_stops),
            cmocka_unit_test(the_second_signal_kills),
            cmocka_unit_test(two_at_once_are_one_request),
            cmocka_unit_test(a_signal_before_the_start_stops_it_there),
            cmocka_unit_test(an_ignored_signal_stays_ignored),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
