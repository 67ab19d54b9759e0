/* SPDX-License-Identifier: MIT */
/* Work in a child process, for libraries that damaged files can crash. */
#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

enum {
    /* of CPU time, plus one for each BYTES_PER_SECOND */
    SECONDS = 10,
    BYTES_PER_SECOND = 20 << 20, /* of the file */
    MEMORY = 1 << 30,            /* bytes, plus MEMORY_PER_BYTE */
    MEMORY_PER_BYTE = 16         /* for each byte of the file */
};

/* The child's report, which it writes last. */
struct verdict {
    koshu_status status;
    char message[1024];
};

/* ---- the pipe --------------------------------------------------------- */

static bool
receive_bytes(int fd, void *bytes, size_t n)
{
    char *next = bytes;
    while (n > 0) {
        ssize_t r = read(fd, next, n);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return false;
        next += r;
        n -= (size_t)r;
    }
    return true;
}

/* Is the child's report complete? */
static bool
receive_result(int fd, struct verdict *verdict,
               const struct koshu_region *regions, size_t n_regions)
{
    if (!receive_bytes(fd, verdict, sizeof *verdict)) return false;
    if (verdict->status != KOSHU_OK) return true;
    for (size_t k = 0; k < n_regions; k++)
        if (!receive_bytes(fd, regions[k].at, regions[k].size)) return false;
    return true;
}

/* ---- the child -------------------------------------------------------- */

static void
set_limit(int resource, rlim_t max)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > max)
        limit.rlim_cur = max;
    setrlimit(resource, &limit);
}

/* The address space that the process uses now, in bytes; 0: unknown. */
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

/* Memory that the child may use beyond what it starts with: as much as a file
 * of this size can need. */
static uint64_t
allowance(const struct koshu_reader *reader)
{
    return MEMORY + MEMORY_PER_BYTE * reader->size;
}

static void
limit_child(const struct koshu_reader *reader)
{
    const uint64_t file_size = reader->size;
    rlim_t now = address_space();
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, SECONDS + (rlim_t)(file_size / BYTES_PER_SECOND));
    if (now > 0) set_limit(RLIMIT_AS, now + (rlim_t)allowance(reader));
}

#ifdef KOSHU_COVERAGE
void __gcov_dump(void);
#endif

/* A signal that ends the parent ends the child, too, and handlers of the host
 * program are reset, as they would hide a crash. Descriptors are closed, so
 * that no lock or pipe of the host program is kept open. stderr stays, for the
 * reports of sanitizers. */
static void
leave_parent(const struct koshu_reader *reader, pid_t parent, int fd)
{
    koshu_child_dies_with(parent);
    koshu_child_signals(SIG_IGN);
    const int file = reader->fd;
    koshu_child_keeps(file, fd);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = STDIN_FILENO; stream < STDERR_FILENO; stream++)
        if (nothing >= 0 && stream != file && stream != fd)
            dup2(nothing, stream);
    if (nothing > STDERR_FILENO) close(nothing);
    limit_child(reader);
}

static _Noreturn void
be_child(struct koshu_reader *reader, koshu_status (*work)(void *),
         const struct koshu_child_task *task, int fd)
{
    struct verdict verdict = {.message = ""};
    verdict.status = work(task->argument);
    snprintf(verdict.message, sizeof verdict.message, "%s",
             koshu_context_message(reader->context));
    bool good = koshu_write_all(fd, &verdict, sizeof verdict);
    const size_t n = verdict.status == KOSHU_OK ? task->n_regions : 0;
    for (size_t k = 0; k < n && good; k++)
        good = koshu_write_all(fd, task->regions[k].at, task->regions[k].size);
#ifdef KOSHU_COVERAGE
    __gcov_dump();
#endif
    /* the host program's atexit() functions must not run in the child */
    _exit(0);
}

/* ---- the parent ------------------------------------------------------- */

/* Could the child have had all of its allowance? If not, a crash may come from
 * lack of memory rather than from the file. */
static bool
allowance_is_there(const struct koshu_reader *reader)
{
    const size_t size = (size_t)allowance(reader);
    void *space = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) return false;
    munmap(space, size);
    return true;
}

static koshu_status
fail_memory(const struct koshu_reader *reader, const char *sign)
{
    return koshu_reader_refuse(
            reader, KOSHU_ERROR_OUT_OF_MEMORY,
            "there is too little memory to read it (%s); free "
            "some, and try again",
            sign);
}

/* Signals by which a process dies of its own fault. */
static bool
is_crash(int number)
{
    static const int crashes[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGABRT, SIGTRAP, SIGSYS};
    for (size_t k = 0; k < sizeof crashes / sizeof crashes[0]; k++)
        if (number == crashes[k]) return true;
    return false;
}

static koshu_status
fail_dead(struct koshu_reader *reader, bool ended, int how)
{
    const int number = ended && WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    if (number == SIGXCPU)
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                                   "the HDF5 library does not come to an end "
                                   "on this file; it is damaged");
    /* the kernel kills a process so when memory runs out */
    if (number == SIGKILL)
        return fail_memory(reader, "the process that read it was killed");
    if (number && !is_crash(number))
        return koshu_reader_refuse(reader, KOSHU_ERROR_EXTERNAL,
                                   "the process that read it was ended by "
                                   "signal %d; try again",
                                   number);
    if (!allowance_is_there(reader))
        return fail_memory(reader, "the HDF5 library crashes");
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                               "the HDF5 library crashes on this file; it is "
                               "damaged");
}

/* Passes on the child's message. */
static koshu_status
repeat(struct koshu_reader *reader, const struct verdict *verdict)
{
    if (verdict->status == KOSHU_ERROR_OUT_OF_MEMORY &&
        allowance_is_there(reader))
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                                   "reading it takes more memory than the %.3g "
                                   "GB that a file of its size can need; it is "
                                   "damaged, or stored in chunks that are too "
                                   "large",
                                   1e-9 * (double)allowance(reader));
    return koshu_fail(reader->context, verdict->status, "%s", verdict->message);
}

/* ---- children ------------------------------------------------------------ */

struct child {
    const struct koshu_child_task *task;
    pid_t pid;
    int fd; /* from which its report is read */
    bool reported;
    struct verdict verdict;
};

/* Forks a child that has its end of the pipe; -1: see errno. */
static pid_t
fork_child(struct koshu_reader *reader, koshu_status (*work)(void *),
           const struct koshu_child_task *task, pthread_mutex_t *inside, int fd)
{
    if (inside) pthread_mutex_lock(inside);
    const pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        leave_parent(reader, parent, fd);
        be_child(reader, work, task, fd);
    }
    const int error = errno;
    if (inside) pthread_mutex_unlock(inside);
    errno = error;
    return child;
}

static koshu_status
start_child(struct koshu_reader *reader, koshu_status (*work)(void *),
            pthread_mutex_t *inside, struct child *c)
{
    struct koshu_context *context = reader->context;
    int fd[2];
    if (pipe2(fd, O_CLOEXEC) != 0)
        return koshu_fail_errno(context, KOSHU_ERROR_EXTERNAL,
                                "a pipe to a process that reads '%s'",
                                reader->path);
    c->pid = fork_child(reader, work, c->task, inside, fd[1]);
    c->fd = fd[0];
    const int error = errno;
    close(fd[1]);
    if (c->pid > 0) return KOSHU_OK;
    close(fd[0]);
    errno = error;
    return koshu_fail_errno(context,
                            error == ENOMEM ? KOSHU_ERROR_OUT_OF_MEMORY
                                            : KOSHU_ERROR_EXTERNAL,
                            "a process to read '%s' in", reader->path);
}

static void
hear_child(struct child *c)
{
    c->reported = receive_result(c->fd, &c->verdict, c->task->regions,
                                 c->task->n_regions);
    close(c->fd);
}

/* Waits for the end of a child, whether or not it has reported. */
static koshu_status
end_child(struct koshu_reader *reader, const struct child *c, bool silently)
{
    int how = 0;
    /* another part of the host program may already have reaped it */
    const pid_t gone = TEMP_FAILURE_RETRY(waitpid(c->pid, &how, 0));
    if (silently) return KOSHU_OK;
    if (!c->reported) return fail_dead(reader, gone == c->pid, how);
    return c->verdict.status == KOSHU_OK ? KOSHU_OK
                                         : repeat(reader, &c->verdict);
}

/* Starts up to *n children, as many as there can be, and ends them; *n: how
 * many. */
static koshu_status
run_at_once(struct koshu_reader *reader, koshu_status (*work)(void *),
            size_t *n, struct child *child, pthread_mutex_t *inside)
{
    koshu_status status = KOSHU_OK;
    size_t there = 0;
    while (there < *n && status == KOSHU_OK) {
        status = start_child(reader, work, inside, &child[there]);
        if (status == KOSHU_OK) there++;
    }
    *n = there;
    if (there > 0) status = KOSHU_OK;
#pragma omp parallel for num_threads((int)there) if (there > 1) \
        schedule(static, 1)
    for (size_t k = 0; k < there; k++) hear_child(&child[k]);
    for (size_t k = 0; k < there; k++) {
        const bool failed = status != KOSHU_OK;
        const koshu_status one = end_child(reader, &child[k], failed);
        if (!failed) status = one;
    }
    return status;
}

/* Where processes are limited, threads must come first: without one the program
 * would end, with fewer children it goes on. */
static void
begin_threads(int n)
{
#pragma omp parallel num_threads(n) if (n > 1)
    {
    }
}

koshu_status
koshu_children_run(struct koshu_reader *reader, koshu_status (*work)(void *),
                   size_t n, const struct koshu_child_task *tasks,
                   pthread_mutex_t *inside)
{
    const int threads = koshu_region_threads(reader->context, n > 1);
    const size_t at_once = koshu_smaller(n, (size_t)threads);
    struct child *child = calloc(at_once > 0 ? at_once : 1, sizeof *child);
    koshu_status status = KOSHU_OK;
    if (!child)
        return koshu_fail_memory(reader->context, at_once * sizeof *child,
                                 "processes that read");
    begin_threads((int)at_once);
    for (size_t k = 0, now; k < n && status == KOSHU_OK; k += now) {
        now = koshu_smaller(n - k, at_once);
        for (size_t c = 0; c < now; c++)
            child[c] = (struct child){.task = &tasks[k + c]};
        status = run_at_once(reader, work, &now, child, inside);
    }
    free(child);
    return status;
}

koshu_status
koshu_child_run(struct koshu_reader *reader, koshu_status (*work)(void *),
                const struct koshu_child_task *task, pthread_mutex_t *inside)
{
    return koshu_children_run(reader, work, 1, task, inside);
}
