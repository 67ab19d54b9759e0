/* SPDX-License-Identifier: MIT */
#include "io/rehearse.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

enum {
    SECONDS = 10,                /* of processor time, and one more */
    BYTES_PER_SECOND = 20 << 20, /* for each of these */
    MEMORY = 1 << 30,            /* bytes, and some more */
    MEMORY_PER_BYTE = 16         /* for each byte of the file */
};

/* What the child sends when it comes to its end. */
struct verdict {
    koshu_status status;
    char message[1024];
};

static void
set_limit(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)
        limit.rlim_cur = most;
    setrlimit(resource, &limit);
}

/* Address space that the process has now, in bytes; 0 where unknown. */
static rlim_t
address_space(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%llu", &pages) != 1) pages = 0;
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void
limit_child(uint64_t file_size)
{
    rlim_t now = address_space();
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, SECONDS + (rlim_t)(file_size / BYTES_PER_SECOND));
    if (now > 0)
        set_limit(RLIMIT_AS, now + MEMORY + MEMORY_PER_BYTE * file_size);
    /* a handler of the program's would hide the crash */
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,
                                SIGILL,  SIGABRT, SIGXCPU};
    for (size_t k = 0; k < sizeof fatal / sizeof fatal[0]; k++)
        signal(fatal[k], SIG_DFL);
}

static void
send_verdict(int fd, const struct verdict *verdict)
{
    const char *next = (const char *)verdict;
    size_t left = sizeof *verdict;
    while (left > 0) {
        ssize_t w = write(fd, next, left);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) return;
        next += w;
        left -= (size_t)w;
    }
}

/* Did the whole verdict come? */
static bool
receive_verdict(int fd, struct verdict *verdict)
{
    char *next = (char *)verdict;
    size_t left = sizeof *verdict;
    while (left > 0) {
        ssize_t r = read(fd, next, left);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return false;
        next += r;
        left -= (size_t)r;
    }
    return true;
}

static koshu_status
fail_dead(struct koshu_reader *reader, pid_t child)
{
    int how = 0;
    pid_t gone;
    do gone = waitpid(child, &how, 0);
    while (gone < 0 && errno == EINTR);
    const char *end = "crashes";
    if (gone == child && WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        end = "does not come to an end";
    return koshu_fail(koshu_reader_context(reader), KOSHU_BAD_FORMAT,
                      "%s: the HDF5 library %s on this file; it is damaged",
                      koshu_reader_path(reader), end);
}

koshu_status
koshu_rehearse(struct koshu_reader *reader, koshu_status (*play)(void *),
               void *argument)
{
    struct koshu_context *context = koshu_reader_context(reader);
    struct verdict verdict = {KOSHU_OK, ""};
    int fd[2];
    if (pipe2(fd, O_CLOEXEC) != 0)
        return koshu_fail_errno(context, KOSHU_EXTERNAL, "pipe");
    pid_t child = fork();
    if (child < 0) {
        close(fd[0]);
        close(fd[1]);
        return koshu_fail_errno(context, KOSHU_EXTERNAL,
                                "a process to try '%s' in",
                                koshu_reader_path(reader));
    }
    if (child == 0) {
        limit_child(koshu_reader_size(reader));
        verdict.status = play(argument);
        snprintf(verdict.message, sizeof verdict.message, "%s",
                 koshu_context_message(context));
        send_verdict(fd[1], &verdict);
        _exit(0);
    }
    close(fd[1]);
    bool spoke = receive_verdict(fd[0], &verdict);
    close(fd[0]);
    if (!spoke) return fail_dead(reader, child);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    if (verdict.status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(context, verdict.status, "%s", verdict.message);
}
