/* SPDX-License-Identifier: MIT */
/* Child processes, which do not outlive koshu. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum { FIRST = STDERR_FILENO + 1, LAST = 65535 };

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

/* ---- what a child begins with -------------------------------------------- */

static bool
is_request_to_end(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGQUIT ||
           number == SIGTERM;
}

void
koshu_child_signals(void (*request_to_end)(int number))
{
    sigset_t none;
    for (int number = 1; number < NSIG; number++) {
        struct sigaction before;
        struct sigaction action = {.sa_handler = SIG_DFL};
        if (is_request_to_end(number)) {
            if (sigaction(number, NULL, &before) != 0) continue;
            if (before.sa_handler == SIG_IGN) continue;
            action.sa_handler = request_to_end;
        }
        sigaction(number, &action, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void
koshu_child_dies_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* the parent may be gone already; 0: this child has a PID namespace of its
     * own */
    const pid_t now = getppid();
    if (now != parent && now != 0) _exit(EXIT_FAILURE);
}

/* Closes the descriptors first ... last. */
static void
close_range_of(int first, int last)
{
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    for (int fd = first; fd <= last && fd <= LAST; fd++) close(fd);
}

void
koshu_child_keeps(int one, int other)
{
    const int low = one < other ? one : other;
    const int high = one < other ? other : one;
    close_range_of(FIRST, low - 1);
    close_range_of(low < FIRST ? FIRST : low + 1, high - 1);
    close_range_of(high < FIRST ? FIRST : high + 1, INT32_MAX);
}

/* ---- starting ------------------------------------------------------------ */

/* What the child needs to know. */
struct start {
    const struct koshu_command *command;
    pid_t parent;
    int report;   /* where it writes the errno of its failure */
    int lifeline; /* see follow(); -1: none */
};

/*
 * Makes the kernel kill the whole process group when the other end of the pipe
 * closes, which happens however the parent ends: PR_SET_PDEATHSIG reaches the
 * child alone, not the processes that it starts. Where this fails, only the
 * child itself dies with its parent.
 */
static void
follow(int lifeline)
{
    const int kept = fcntl(lifeline, F_DUPFD, FIRST);
    if (kept < 0 || fcntl(kept, F_SETOWN, -getpid()) != 0 ||
        fcntl(kept, F_SETSIG, SIGKILL) != 0 ||
        fcntl(kept, F_SETFL, O_ASYNC) != 0)
        return;
}

static bool
put_streams(const struct koshu_command *c)
{
    int fd[FIRST] = {c->in, c->out, c->err};
    for (int k = 0; k < FIRST; k++) /* above the three that are replaced */
        if ((fd[k] = fcntl(fd[k], F_DUPFD_CLOEXEC, FIRST)) < 0) return false;
    for (int k = 0; k < FIRST; k++)
        if (dup2(fd[k], k) < 0) return false;
    return true;
}

/* Runs in the child, which shares the parent's memory: system calls only. */
static _Noreturn void
become(const struct start *start)
{
    const struct koshu_command *c = start->command;
    /* dup2() below must not overwrite the descriptor of the report */
    const int report = fcntl(start->report, F_DUPFD_CLOEXEC, FIRST);
    if (c->group) setpgid(0, 0);
    koshu_child_dies_with(start->parent);
    if (report >= 0 && put_streams(c)) {
        /* the host program may have left descriptors without O_CLOEXEC open */
#ifdef SYS_close_range
        syscall(SYS_close_range, FIRST, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
        if (c->kept > STDERR_FILENO) fcntl(c->kept, F_SETFD, 0);
        if (start->lifeline >= 0) follow(start->lifeline);
        koshu_child_signals(SIG_DFL);
        execvpe(c->argv[0], c->argv, c->environment ? c->environment : environ);
    }
    const int error = errno;
    ssize_t told =
            write(report >= 0 ? report : start->report, &error, sizeof error);
    (void)told;
    _exit(EXIT_FAILURE);
}

/* Signals are blocked, so that no handler of the host program runs while the
 * child shares its memory. */
static pid_t
start_child(const struct start *start)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = vfork();
    if (pid == 0) become(start);
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static void
close_both(const int fd[2])
{
    close(fd[0]);
    close(fd[1]);
}

/* The errno with which the child failed; 0: it runs the program. */
static int
read_report(int fd)
{
    int error = 0;
    ssize_t got;
    do got = read(fd, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof error ? error : 0;
}

static int
start_with_pipes(const struct koshu_command *command, const int report[2],
                 const int life[2], struct koshu_process *process)
{
    const struct start start = {command, getpid(), report[1], life[0]};
    process->pid = start_child(&start);
    if (process->pid < 0) {
        const int failed = errno;
        close_both(report);
        if (life[0] >= 0) close_both(life);
        return failed;
    }
    close(report[1]);
    const int error = read_report(report[0]);
    close(report[0]);
    if (life[0] >= 0) close(life[0]);
    process->lifeline = life[1];
    if (error) koshu_process_wait(process);
    return error;
}

int
koshu_process_start(const struct koshu_command *command,
                    struct koshu_process *process)
{
    int report[2], life[2] = {-1, -1};
    *process = (struct koshu_process){-1, -1};
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    if (command->group && pipe2(life, O_CLOEXEC) != 0) {
        const int error = errno;
        close_both(report);
        return error;
    }
    return start_with_pipes(command, report, life, process);
}

int
koshu_process_wait(struct koshu_process *process)
{
    int result = 0;
    pid_t got;
    do got = waitpid(process->pid, &result, 0);
    while (got < 0 && errno == EINTR);
    if (process->lifeline >= 0) close(process->lifeline);
    *process = (struct koshu_process){-1, -1};
    return got < 0 ? 0 : result;
}

bool
koshu_process_wait_for(struct koshu_process *process, double seconds,
                       int *result)
{
    const double until = koshu_now() + seconds;
    struct timespec pause = {.tv_nsec = 1000000};
    siginfo_t ended = {0};
    while (koshu_now() < until) {
        const int got = waitid(P_PID, (id_t)process->pid, &ended,
                               WEXITED | WNOHANG | WNOWAIT);
        /* got != 0: the host program may reap all children itself */
        if (ended.si_pid != 0 || (got != 0 && errno != EINTR)) {
            *result = koshu_process_wait(process);
            return true;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20000000) pause.tv_nsec *= 2;
    }
    /* a group leader is killed with all that it has started */
    kill(process->lifeline >= 0 ? -process->pid : process->pid, SIGKILL);
    *result = koshu_process_wait(process);
    return false;
}
