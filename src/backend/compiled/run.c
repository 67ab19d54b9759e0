/* SPDX-License-Identifier: MIT */
/* Runs a program without a shell, with a time limit. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

extern char **environ;

enum { MAX_OUTPUT = 65536 };

static bool
begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The environment with messages in English, and with this directory for
 * temporary files; NULL: unchanged. */
static char **
environment_of(char *temporary)
{
    size_t n = 0, to = 0;
    while (environ[n]) n++;
    char **copy = calloc(n + 3, sizeof *copy);
    if (!copy) return NULL;
    for (size_t k = 0; k < n; k++)
        if (!begins(environ[k], "LC_") && !begins(environ[k], "LANG") &&
            !(temporary && begins(environ[k], "TMPDIR=")))
            copy[to++] = environ[k];
    copy[to++] = (char *)"LC_ALL=C";
    copy[to] = temporary;
    return copy;
}

/* Starts the program with its output going to the pipe. */
static int
start(char *const argv[], const struct cache_work *work, int output,
      struct koshu_process *process)
{
    char temporary[sizeof work->path + 8];
    if (work) snprintf(temporary, sizeof temporary, "TMPDIR=%s", work->path);
    char **environment = environment_of(work ? temporary : NULL);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int error = environment ? 0 : ENOMEM;
    if (nothing < 0 && !error) error = errno;
    if (!error) {
        const struct koshu_command command = {.argv = argv,
                                              .environment = environment,
                                              .in = nothing,
                                              .out = output,
                                              .err = output,
                                              .kept = work ? work->lock : 0,
                                              .group = true};
        error = koshu_process_start(&command, process);
    }
    if (nothing >= 0) close(nothing);
    free(environment);
    return error;
}

/* Limits processor time, which also ends the program if this process is killed
 * first. */
static void
limit_processor(pid_t pid, double seconds)
{
    const rlim_t whole = (rlim_t)seconds + 1;
    const struct rlimit limit = {whole, whole};
    prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

/* Reads to the end; false: the time limit was reached first. */
static bool
read_all(int from, double until, char *output)
{
    char rest[4096];
    size_t n = 0;
    for (;;) {
        double left = until - koshu_now();
        struct pollfd p = {.fd = from, .events = POLLIN};
        int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        bool full = n == MAX_OUTPUT;
        ssize_t got = read(from, full ? rest : output + n,
                           full ? sizeof rest : MAX_OUTPUT - n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        if (!full) n += (size_t)got;
    }
}

koshu_status
koshu_run(struct koshu_context *context, char *const argv[],
          const struct cache_work *work, double seconds, int *exit_status,
          char **output)
{
    int ends[2];
    struct koshu_process process;
    *output = calloc(MAX_OUTPUT + 1, 1);
    if (!*output)
        return koshu_fail_memory(context, MAX_OUTPUT, "output of a compiler");
    int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (error == 0) {
        error = start(argv, work, ends[1], &process);
        close(ends[1]);
        if (error != 0) close(ends[0]);
        if (error == 0) limit_processor(process.pid, seconds);
    }
    if (error != 0) {
        free(*output);
        *output = NULL;
        errno = error;
        return koshu_fail_errno(context, KOSHU_ERROR_EXTERNAL,
                                "%s cannot be run", argv[0]);
    }
    bool done = read_all(ends[0], koshu_now() + seconds, *output);
    close(ends[0]);
    if (!done) kill(-process.pid, SIGKILL);
    const int end = koshu_process_wait(&process);
    *exit_status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + WTERMSIG(end);
    if (done) return KOSHU_OK;
    free(*output);
    *output = NULL;
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "%s was stopped: it did not end within %g seconds",
                      argv[0], seconds);
}
