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

/* For this process, in bytes. UINT64_MAX: unknown. */
struct koshu_memory_limits {
    uint64_t capacity;  /* most that it can get, beyond what it has */
    uint64_t available; /* what it can get now; at most capacity */
    const char *owner;  /* whose limit capacity is: "this machine" */
};

/*
 * The smallest of what the machine has and what its control groups (versions 1
 * and 2, nested) and RLIMIT_AS allow. KOSHU_MEMORY (bytes, or "64G") replaces
 * the limits of machine and groups. Where a control group allows more than
 * MemTotal, its limit is used: some virtual machines get memory as they use it.
 * processes: how many on this machine need as much each. root: a folder with
 * proc/ and sys/; NULL: those of the system. Allocates nothing.
 */
struct koshu_memory_limits koshu_memory_limits(const char *root, int processes);

/* Reads "64G", "64 GiB", "1.5t", or a plain number in units of `unit` bytes;
 * UINT64_MAX: the text is none of these. */
uint64_t koshu_bytes_of(const char *text, uint64_t unit);

/* KOSHU_ERROR_BAD_INPUT: KOSHU_MEMORY is set, but not to such a number. */
koshu_status koshu_check_memory_given(void);

/*
 * To be called before work that needs so many bytes. KOSHU_ERROR_OUT_OF_MEMORY
 * where they exceed the capacity, with both numbers and the remedy in the
 * message; a warning in the log where they exceed what is available. purpose:
 * "particle arrays".
 */
koshu_status koshu_require_memory(struct koshu_context *context, uint64_t bytes,
                                  const char *purpose, const char *remedy);

/* The same against given limits, such as those of a device. */
koshu_status koshu_require_memory_of(struct koshu_context *context,
                                     struct koshu_memory_limits limits,
                                     uint64_t bytes, const char *purpose,
                                     const char *remedy);

/* Was the last KOSHU_ERROR_OUT_OF_MEMORY such a refusal? Then the input needs
 * too much. */
bool koshu_memory_was_refused(const struct koshu_context *context);
void koshu_context_refuse_memory(struct koshu_context *context, bool refused);

/* ---- machine ---------------------------------------------------------- */

/* OMP_NUM_THREADS where it is set to a number, else koshu_fair_threads() of
 * this machine. */
int koshu_default_threads(void);

/*
 * One thread for each core (not hardware thread) that this process may run on.
 * Where `processes` of the job would together have more threads than the
 * machine has cores in total, they share the cores; and no process gets more
 * than its part of what a control group allows them all. At least 1.
 */
int koshu_fair_threads(int cores, int total, int processes, double quota);

/* The number of cores whose time the control groups (versions 1 and 2, nested)
 * of this process allow; infinite: no limit. root: a folder with proc/ and
 * sys/; NULL: those of the system. */
double koshu_core_quota(const char *root);

/* ---- busy.c -------------------------------------------------------------- */

/* To be called before each region of several threads. If this thread is
 * preempted often, waiting threads sleep from then on, unless the environment
 * says how they wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT). */
void koshu_watch_preemption(int threads);
void koshu_let_waiting_threads_sleep(int threads);

/* Is a thread preempted often, with so many involuntary context switches in so
 * many seconds of CPU time? */
bool koshu_is_preempted(long switches, double seconds);

/* ---- threads.c ----------------------------------------------------------- */

/*
 * The number of threads for a parallel region: those of the context, less those
 * that koshu_leave_threads() set aside, where the work is `worth` waking them
 * (some 0.1 ms of work), else 1: on a busy machine a region waits until the
 * last of them gets a core. Also 1 where koshu_check_threads() fails, as the
 * region would wait for threads that do not exist.
 */
int koshu_region_threads(const struct koshu_context *context, bool worth);

/* From now on parallel regions get n threads fewer, which are left to other
 * work at the same time. */
void koshu_leave_threads(struct koshu_context *context, int n);

/* KOSHU_ERROR_UNSUPPORTED: the context has several threads, and the calling
 * thread had already used a team of threads when fork() created this process.
 * To be called before work in which the caller waits for threads. */
koshu_status koshu_check_threads(struct koshu_context *context);

/* The number of processes of this job that mpirun or srun has started on this
 * machine; 1 where the environment does not say. */
int koshu_processes_here(void);

/* Stack that each thread needs. Tiles of the CPU kernels take 74 KB, buffers of
 * readers 75 KB; three times as much with sanitizers. */
enum { KOSHU_STACK_BYTES = 512 << 10 };

/* Checks RLIMIT_STACK and, for the threads, OMP_STACKSIZE. false: `reason` gets
 * the reason and the remedy. */
bool koshu_has_stack(char *reason, size_t size);

/* ---- descriptors: descriptor.c ------------------------------------------ */

/*
 * Calls that resume where a signal interrupts them (whose handler was installed
 * without SA_RESTART, as the host program may do) and after a partial write.
 * For other calls use TEMP_FAILURE_RETRY().
 */

/* Writes all n bytes at the current position, or at the given one. false: see
 * errno. */
bool koshu_write_all(int fd, const void *bytes, size_t n);
bool koshu_write_all_at(int fd, const void *bytes, size_t n, off_t at);

/* fsync(); 0 or an errno. It is no error where the file system cannot sync. */
int koshu_sync(int fd);

/* close(), which must not be repeated after EINTR; 0 or an errno. */
int koshu_close(int fd);

/* opendir(), repeated after EINTR. */
DIR *koshu_opendir(const char *path);

/* A stream that writes to the descriptor by koshu_write_all(); *error becomes
 * the errno of the first write that failed. fclose() leaves the descriptor
 * open. NULL: out of memory. (stdio's own writes would lose their buffer on
 * EINTR.) */
FILE *koshu_stream_on(int fd, int *error);

/* ---- processes: process.c ---------------------------------------------- */

/*
 * Processes that koshu starts: programs (gnuplot, a C compiler) and copies of
 * itself (io/child.h). None outlives the thread that started it, however that
 * ends, and none inherits descriptors that are not meant for it.
 */
struct koshu_command {
    char *const *argv;        /* argv[0]: a path, or a name to find in PATH */
    char *const *environment; /* NULL: that of this process */
    int in, out, err;         /* descriptors of its three streams */
    /* one more descriptor that it inherits; 0: none */
    int kept;
    /* true: it leads a process group, so that kill(-pid), or the end of this
     * process, also ends all that it has started. false: it is in our group,
     * which Ctrl-C reaches. */
    bool group;
};

struct koshu_process {
    pid_t pid;
    /* of a group: its end of a pipe, closed when this process ends; -1: none */
    int lifeline;
};

/* Starts a program, without a shell. Returns 0 or an errno; ENOENT: there is no
 * such program. */
int koshu_process_start(const struct koshu_command *command,
                        struct koshu_process *process);

/* Waits until it ends and returns the status of waitpid(); 0 also where the
 * host program has already reaped it. */
int koshu_process_wait(struct koshu_process *process);
/* The same, into *result. false: it did not end within so many seconds, and was
 * killed. */
bool koshu_process_wait_for(struct koshu_process *process, double seconds,
                            int *result);

/* For the child of a fork(): resets signals to their defaults and unblocks them
 * all. Those that ask a process to end (HUP, INT, QUIT, TERM) get this handler
 * unless they are ignored. */
void koshu_child_signals(void (*request_to_end)(int number));

/* The child is killed when the thread that created it ends; `parent` is the
 * process of that thread. If the parent has already ended, the child ends at
 * once. */
void koshu_child_dies_with(pid_t parent);

/* Closes all descriptors except the three streams and these two. */
void koshu_child_keeps(int one, int other);

#ifdef __cplusplus
}
#endif

#endif
