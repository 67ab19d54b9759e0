/* SPDX-License-Identifier: MIT */
/* A program run without a shell, with a limit of time. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

extern char **environ;

enum { MOST_SAID = 65536 };

static bool
begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The environment, with messages in English, and with these temporary files;
 * NULL: as they are. */
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

/* Output goes to the pipe, signals are as they were at login, and it leads a
 * process group, so that all it starts can be killed. */
static int
spawn(char *const argv[], const struct cache_work *work, int output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char temporary[sizeof work->path + 8];
    if (work) snprintf(temporary, sizeof temporary, "TMPDIR=%s", work->path);
    char **environment = environment_of(work ? temporary : NULL);
    if (!environment) return ENOMEM;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    if (work) /* onto itself: it stays open */
        posix_spawn_file_actions_adddup2(&files, work->lock, work->lock);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                                  POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF);
    int error =
            posix_spawn(pid, argv[0], &files, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return error;
}

/* Nobody stops it after this time where we are killed first. */
static void
limit_processor(pid_t pid, double seconds)
{
    const rlim_t whole = (rlim_t)seconds + 1;
    const struct rlimit limit = {whole, whole};
    prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

/* Reads to the end; false: the time was up first. */
static bool
read_all(int from, double until, char *said)
{
    char rest[4096];
    size_t n = 0;
    for (;;) {
        double left = until - koshu_now();
        struct pollfd p = {.fd = from, .events = POLLIN};
        int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        bool full = n == MOST_SAID;
        ssize_t got = read(from, full ? rest : said + n,
                           full ? sizeof rest : MOST_SAID - n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        if (!full) n += (size_t)got;
    }
}

/* 0 where whoever called has children waited for by the system: success is
 * then seen by what was written. */
static int
wait_for(pid_t pid)
{
    int status;
    pid_t got;
    do got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0) return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

koshu_status
koshu_run(struct koshu_context *context, char *const argv[],
          const struct cache_work *work, double seconds, int *exit_status,
          char **said)
{
    int ends[2];
    pid_t pid;
    *said = calloc(MOST_SAID + 1, 1);
    if (!*said)
        return koshu_fail_memory(context, MOST_SAID, "output of a compiler");
    int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (error == 0) {
        error = spawn(argv, work, ends[1], &pid);
        close(ends[1]);
        if (error != 0) close(ends[0]);
        if (error == 0) limit_processor(pid, seconds);
    }
    if (error != 0) {
        free(*said);
        *said = NULL;
        errno = error;
        return koshu_fail_errno(context, KOSHU_EXTERNAL, "%s cannot be run",
                                argv[0]);
    }
    bool done = read_all(ends[0], koshu_now() + seconds, *said);
    close(ends[0]);
    if (!done) kill(-pid, SIGKILL);
    *exit_status = wait_for(pid);
    if (done) return KOSHU_OK;
    free(*said);
    *said = NULL;
    return koshu_fail(context, KOSHU_EXTERNAL,
                      "%s was stopped: it did not end within %g seconds",
                      argv[0], seconds);
}
