/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"

/* Starts `sh -c script` with this descriptor as its standard output. */
static int
start_shell(const char *script, int out, bool group,
            struct koshu_process *process)
{
    char *const argv[] = {"sh", "-c", (char *)script, NULL};
    const struct koshu_command command = {.argv = argv,
                                          .in = STDIN_FILENO,
                                          .out = out,
                                          .err = STDERR_FILENO,
                                          .group = group};
    return koshu_process_start(&command, process);
}

/* Runs a script; compares its output and its exit status. */
static int
run_shell(const char *script, bool group, char *text, size_t size)
{
    struct koshu_process process;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(start_shell(script, ends[1], group, &process), 0);
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], text + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    close(ends[0]);
    return koshu_process_wait(&process);
}

static void
a_program_runs(void **state)
{
    (void)state;
    char text[64];
    assert_int_equal(run_shell("echo yes", false, text, sizeof text), 0);
    assert_string_equal(text, "yes\n");
    int how = run_shell("exit 7", true, text, sizeof text);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 7);
    how = run_shell("kill -9 $$", true, text, sizeof text);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

static void
a_program_that_is_not_there_is_told(void **state)
{
    (void)state;
    char *const argv[] = {"koshu-none", NULL};
    struct koshu_command command = {.argv = argv, .in = 0, .out = 1, .err = 2};
    struct koshu_process process;
    for (int k = 0; k < 2; k++) {
        command.group = k;
        assert_int_equal(koshu_process_start(&command, &process), ENOENT);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
    /* an invalid stream */
    command.argv = (char *const[]){"true", NULL};
    command.err = 999;
    assert_int_equal(koshu_process_start(&command, &process), EBADF);
}

/* Standard input connected to the program's standard output, and vice versa. */
static void
streams_may_be_crossed(void **state)
{
    (void)state;
    char text[64] = "";
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    char *const argv[] = {"sh", "-c", "echo crossed", NULL};
    const struct koshu_command command = {
            .argv = argv, .in = 1, .out = 0, .err = 2};
    struct koshu_process process;
    dup2(ends[1], STDIN_FILENO);
    int error = koshu_process_start(&command, &process);
    dup2(in, STDIN_FILENO);
    close(ends[1]);
    assert_int_equal(error, 0);
    assert_int_equal(koshu_process_wait(&process), 0);
    assert_int_equal(read(ends[0], text, sizeof text - 1), 8);
    assert_string_equal(text, "crossed\n");
    close(ends[0]);
    close(in);
    close(out);
}

/* Descriptors that the calling program has left open are not inherited. */
static void
nothing_else_is_inherited(void **state)
{
    (void)state;
    char alone[256], group[256];
    static const char script[] = "for f in /proc/self/fd/*; do test -e $f && "
                                 "echo ${f##*/}; done | sort -n | tr '\\n' ' '";
    const int open_here = open("/dev/null", O_RDONLY);
    const int high = dup2(open_here, 500);
    run_shell(script, false, alone, sizeof alone);
    run_shell(script, true, group, sizeof group);
    close(open_here);
    close(high);
    assert_non_null(strstr(alone, "0 1 2 "));
    assert_null(strstr(alone, "500"));
    assert_null(strstr(group, "500"));
}

/* Signals blocked or ignored here are reset for the child, except nohup's. */
static void
signals_are_as_at_login(void **state)
{
    (void)state;
    char text[256];
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    run_shell("grep -E 'Sig(Blk|Ign)' /proc/self/status", true, text,
              sizeof text);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    /* glibc reserves signals 32 and 33, which no program may change */
    const unsigned long long own = 3ull << 31;
    unsigned long long blocked, ignored;
    assert_int_equal(
            sscanf(text, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
    assert_int_equal(blocked & ~own, 0);
    assert_int_equal(ignored & ~own, 1);
}

/* ---- a parent that is killed --------------------------------------------- */

/*
 * A process starts the script, which reports that it runs, and is then killed.
 * Every process that holds the pipe's end must then end, or the read blocks
 * until the alarm.
 */
static void
die_with_parent(const char *script, bool group)
{
    char byte;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    alarm(60);
    pid_t parent = fork();
    if (parent == 0) {
        struct koshu_process process;
        close(ends[0]);
        if (start_shell(script, ends[1], group, &process) != 0) _exit(1);
        for (;;) pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    /* the orphan is now this process's child (see main) */
    int how;
    while (waitpid(-1, &how, 0) > 0) assert_true(WIFSIGNALED(how));
    alarm(0);
}

static void
it_does_not_outlive_its_parent(void **state)
{
    (void)state;
    die_with_parent("printf x; exec sleep 1000", false);
    die_with_parent("sleep 1000 & printf x; wait", true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_program_runs),
            cmocka_unit_test(a_program_that_is_not_there_is_told),
            cmocka_unit_test(streams_may_be_crossed),
            cmocka_unit_test(nothing_else_is_inherited),
            cmocka_unit_test(signals_are_as_at_login),
            cmocka_unit_test(it_does_not_outlive_its_parent),
    };
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
