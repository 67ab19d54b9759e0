/* SPDX-License-Identifier: MIT */
/* The machine and its system: memory, cores, threads, descriptors, processes.
 * Part of base.h. */
#ifndef KOSHU_BASE_SYSTEM_H
#define KOSHU_BASE_SYSTEM_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <koshu/context.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- capacity.c: how much memory there is ------------------------------- */

/* In bytes, for this process. UINT64_MAX: not known. */
struct koshu_memory_limits {
    uint64_t capacity;  /* that it can get, beside what it has, at most */
    uint64_t available; /* now; at most capacity */
    const char *owner;  /* of the capacity: "this machine" */
};

/*
 * The least of what the machine has, what its control groups (versions 1 and 2,
 * nested) and RLIMIT_AS allow; KOSHU_MEMORY (bytes, or "64G") over the machine.
 * Where a control group allows more than MemTotal it is believed: the memory of
 * some virtual machines grows with use. processes: so many need as much each,
 * on this machine. root: a folder with proc/ and sys/, NULL: those of the
 * system. Allocates nothing.
 */
struct koshu_memory_limits koshu_memory_limits(const char *root, int processes);

/* "64G", "64 GiB", "1.5t", or a number of so many bytes each; UINT64_MAX: it is
 * none of these. */
uint64_t koshu_bytes_of(const char *text, uint64_t unit);

/* KOSHU_ERROR_BAD_INPUT: KOSHU_MEMORY is set, and is no such number. */
koshu_status koshu_check_memory_given(void);

/*
 * Before work begins that needs so many bytes: KOSHU_ERROR_OUT_OF_MEMORY where
 * they are beyond the capacity, with both numbers and the remedy; a warning in
 * the log where they are beyond what is available. purpose: "particle arrays".
 */
koshu_status koshu_require_memory(struct koshu_context *context, uint64_t bytes,
                                  const char *purpose, const char *remedy);

/* The same against given limits: those of a device. */
koshu_status koshu_require_memory_of(struct koshu_context *context,
                                     struct koshu_memory_limits limits,
                                     uint64_t bytes, const char *purpose,
                                     const char *remedy);

/* Was the last KOSHU_ERROR_OUT_OF_MEMORY such a refusal? Then the input
 * requires too much. */
bool koshu_memory_was_refused(const struct koshu_context *context);
void koshu_context_refuse_memory(struct koshu_context *context, bool refused);

/* ---- machine ---------------------------------------------------------- */

/* OMP_NUM_THREADS where it is set to a number, else what koshu_fair_threads()
 * says of this machine. */
int koshu_default_threads(void);

/*
 * One for each of the cores (not hardware threads) that this process may run
 * on, of all there are; shared with the processes of the job beside it, where
 * these have more among them than there are; and no more than its part of what
 * a control group allows all of them. At least 1.
 */
int koshu_fair_threads(int cores, int total, int processes, double quota);

/* Cores whose time the control groups (versions 1 and 2, nested) of this
 * process allow; infinite: all. root: a folder with proc/ and sys/, NULL: those
 * of the system. */
double koshu_core_quota(const char *root);

/* ---- busy.c -------------------------------------------------------------- */

/* Before each region of several threads: where this thread is preempted again
 * and again, threads that wait sleep from then on, unless the environment says
 * how they wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT). */
void koshu_watch_preemption(int threads);
void koshu_let_waiting_threads_sleep(int threads);

/* Is that so, from involuntary switches in seconds of the processor's time? */
bool koshu_is_preempted(long switches, double seconds);

/* ---- threads.c ----------------------------------------------------------- */

/*
 * Threads for a parallel region: those of the context, less those left, where
 * it is worth their waking up (some 0.1 ms of work), else 1. On a busy machine
 * a region waits for the last of them to get a core. 1 too where
 * koshu_check_threads() fails: it would wait for threads that do not exist.
 */
int koshu_region_threads(const struct koshu_context *context, bool worth);

/* Regions get n threads fewer from now on: something else goes on beside. */
void koshu_leave_threads(struct koshu_context *context, int n);

/* KOSHU_ERROR_UNSUPPORTED: the context has several threads, and this one had a
 * team of threads before fork() made this process of it. To be called before
 * work in which the caller waits for threads. */
koshu_status koshu_check_threads(struct koshu_context *context);

/* Processes of one job that mpirun or srun has started on this machine; 1 where
 * the environment tells of none. */
int koshu_processes_here(void);

/* Of each thread. Tiles of the kernels on CPUs take 74 KB, buffers of readers
 * 75 KB; three times as much with sanitizers. */
enum { KOSHU_STACK_BYTES = 512 << 10 };

/* By RLIMIT_STACK, and OMP_STACKSIZE for the threads; false: the reason, with
 * the remedy. */
bool koshu_has_stack(char *reason, size_t size);

/* ---- descriptors: descriptor.c ------------------------------------------ */

/*
 * Calls that go on where a signal interrupts them (of a handler without
 * SA_RESTART, as the program that koshu works in may have), and where less was
 * written than was to be. Other calls: TEMP_FAILURE_RETRY().
 */

/* All n bytes, where the descriptor stands, or there. False: errno. */
bool koshu_write_all(int fd, const void *bytes, size_t n);
bool koshu_write_all_at(int fd, const void *bytes, size_t n, off_t at);

/* fsync(); 0 or an errno. Some file systems cannot sync: that is no error. */
int koshu_sync(int fd);

/* close(), which is not to be called again after EINTR; 0 or an errno. */
int koshu_close(int fd);

/* opendir(), again after EINTR. */
DIR *koshu_opendir(const char *path);

/* A stream that writes to the descriptor, by koshu_write_all(); *error is the
 * errno of the first write that failed. fclose() leaves the descriptor open.
 * NULL: out of memory. (What stdio itself has in its buffer when EINTR comes is
 * lost.) */
FILE *koshu_stream_on(int fd, int *error);

/* ---- processes: process.c ---------------------------------------------- */

/*
 * Those that koshu starts: programs (gnuplot, a C compiler) and copies of
 * itself (io/child.h). None outlives the thread that started it, however that
 * ends, and none has descriptors that are not for it.
 */
struct koshu_command {
    char *const *argv;        /* argv[0]: a path, or a name to find in PATH */
    char *const *environment; /* NULL: ours */
    int in, out, err;         /* descriptors of its three streams */
    int kept;                 /* one that it has besides; 0: none */
    /* It leads a group: kill(-pid) ends all that it started, and the end of
     * this process does. Otherwise it is of ours, which Ctrl-C reaches. */
    bool group;
};

struct koshu_process {
    pid_t pid;
    int lifeline; /* of a group: closes with this process; -1: none */
};

/* Starts a program, without a shell; 0 or an errno, ENOENT where there is no
 * such program. */
int koshu_process_start(const struct koshu_command *command,
                        struct koshu_process *process);

/* Waits for its end: what waitpid() says of it. 0 also where the program that
 * koshu works in has waited for it. */
int koshu_process_wait(struct koshu_process *process);
/* The same, into *result; false: it did not end within these seconds, and has
 * been killed. */
bool koshu_process_wait_for(struct koshu_process *process, double seconds,
                            int *result);

/* For the child of a fork(): signals do what they do by default, none is
 * blocked. Those that ask a process to end (HUP, INT, QUIT, TERM) get this
 * action where they are not ignored. */
void koshu_child_signals(void (*request_to_end)(int number));

/* The child is killed when the thread ends that made it, `parent` being its
 * process. Ends the child where it is gone already. */
void koshu_child_dies_with(pid_t parent);

/* Closes all descriptors but the three streams and these two. */
void koshu_child_keeps(int one, int other);

#ifdef __cplusplus
}
#endif

#endif
