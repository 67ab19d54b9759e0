/* SPDX-License-Identifier: MIT */
/*
 * What every module uses: failure with a message, aligned memory, time, text.
 */
#ifndef KOSHU_BASE_BASE_H
#define KOSHU_BASE_BASE_H

#include <dirent.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <koshu/context.h>
#include <koshu/status.h>
#include <koshu/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- failure ---------------------------------------------------------- */

/* Returns the status of expr if it failed; it has set the message. */
#define KOSHU_TRY(expr)                                            \
    do {                                                           \
        koshu_status koshu_try_status = (expr);                    \
        if (koshu_try_status != KOSHU_OK) return koshu_try_status; \
    } while (0)

/* The same for functions with a label `cleanup` and a variable `status`. */
#define KOSHU_TRY_CLEANUP(expr)               \
    do {                                      \
        status = (expr);                      \
        if (status != KOSHU_OK) goto cleanup; \
    } while (0)

/* For the pointers that a public function cannot do without. The context may be
 * NULL, as koshu_fail()'s. */
#define KOSHU_REQUIRE(context, pointer)                                \
    do {                                                               \
        if (!(pointer))                                                \
            return koshu_fail((context), KOSHU_ERROR_INVALID_ARGUMENT, \
                              "%s: %s is NULL", __func__, #pointer);   \
    } while (0)

/*
 * Keeps the message in the context (NULL: this thread has one of its own, of
 * koshu_context_message(NULL)) and returns status, so that a function
 * fails with `return koshu_fail(context, KOSHU_ERROR_IO, "...", ...)`. The
 * message is one line: what was expected, what came, where, and the remedy.
 */
koshu_status koshu_fail(struct koshu_context *context, koshu_status status,
                        const char *format, ...) KOSHU_PRINTF(3, 4);

/* The same with the text of errno: "...: No space left on device". */
koshu_status koshu_fail_errno(struct koshu_context *context,
                              koshu_status status, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* KOSHU_ERROR_OUT_OF_MEMORY, naming what the bytes were for. */
koshu_status koshu_fail_memory(struct koshu_context *context, size_t bytes,
                               const char *purpose);

void koshu_log(struct koshu_context *context, enum koshu_log_level level,
               const char *format, ...) KOSHU_PRINTF(3, 4);

/* ---- what a context keeps ---------------------------------------------- */

/* One object of a module above (the open backend), destroyed with the
 * context. */
void koshu_context_keep(struct koshu_context *context, void *object,
                        void (*destroy)(void *object));
void *koshu_context_kept(const struct koshu_context *context);

/* The names that a context takes for its backend; NULL past the last. */
const char *koshu_context_backend_name(int k);

/* ---- devices.c ---------------------------------------------------------- */

enum { KOSHU_MAX_DEVICES = 64 };

/* Devices by their numbers, or all; n = 0: none is given. */
struct koshu_device_list {
    bool all;
    size_t n;
    int number[KOSHU_MAX_DEVICES];
};

/* "0,1", "all", "". false: it is no such text. */
bool koshu_device_list_read(const char *text, struct koshu_device_list *list);

/* What a context's devices are. */
const struct koshu_device_list *
koshu_context_device_list(const struct koshu_context *context);

/* How many values enum koshu_exchange has. */
enum { KOSHU_EXCHANGES = KOSHU_EXCHANGE_MUTUAL + 1 };

/* ---- ranks --------------------------------------------------------------- */

/* One of n_ranks that work as one, the local_rank-th of those on its host. */
struct koshu_rank_place {
    int rank, n_ranks, local_rank;
};

/* The context's place among the ranks. Its communicator belongs to domain/;
 * leave() is called before the context is destroyed. */
void koshu_context_set_ranks(struct koshu_context *context,
                             struct koshu_rank_place place, void *communicator,
                             void (*leave)(void *communicator));

/* 0, 1, 0 and NULL for a context without ranks. */
int koshu_context_rank(const struct koshu_context *context);
int koshu_context_ranks(const struct koshu_context *context);
int koshu_context_local_rank(const struct koshu_context *context);
void *koshu_context_communicator(const struct koshu_context *context);

/* Which of n things, in their order, a rank keeps. */
struct koshu_slice {
    size_t first, n;
};

/* Parts as equal as can be, the longer ones first: where there are fewer things
 * than ranks, the last ranks have none. */
struct koshu_slice koshu_slice_of(size_t n, int rank, int n_ranks);

/* ---- sums -------------------------------------------------------------- */

/* A compensated sum (Neumaier 1974): sum + rest, begun as {0}. */
struct koshu_sum {
    double sum, rest;
};

/* Knuth's two-sum: what the addition rounds off is kept, exactly, in any order
 * of magnitudes and without a branch. */
static inline void
koshu_sum_add(struct koshu_sum *s, double x)
{
    double sum = s->sum + x;
    double x_part = sum - s->sum;
    s->rest += (s->sum - (sum - x_part)) + (x - x_part);
    s->sum = sum;
}

static inline void
koshu_sum_merge(struct koshu_sum *s, struct koshu_sum part)
{
    koshu_sum_add(s, part.sum);
    s->rest += part.rest;
}

static inline double
koshu_sum_value(struct koshu_sum s)
{
    return s.sum + s.rest;
}

/* ---- order -------------------------------------------------------------- */

/* Sorts keys, and the index beside each, stably; *_other: n elements. */
void koshu_sort_keys(size_t n, uint64_t *key, uint32_t *index,
                     uint64_t *key_other, uint32_t *index_other, int threads);

/* ---- memory ----------------------------------------------------------- */

#define KOSHU_ALIGNMENT 64

/* Blocks of so many bytes are compared with what there is of memory: the
 * system would give more than that, and end the program when it is used. */
#define KOSHU_LARGE_BLOCK ((size_t)1 << 26)

/* Aligned to 64 bytes, a multiple of 64 bytes long, zeroed. NULL when out of
 * memory or when count * size overflows. Freed by koshu_free(). */
void *koshu_alloc(size_t count, size_t size);
void koshu_free(void *memory);

/* Reserves memory for n elements of o->a, which has o->capacity_a, or for a
 * quarter more; the elements are kept. NULL context: without a message.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
#define KOSHU_GROW(o, a, n, context, purpose)                        \
    koshu_grow((context), (void **)&(o)->a, &(o)->capacity_##a, (n), \
               sizeof *(o)->a, (purpose))

koshu_status koshu_grow(struct koshu_context *context, void **memory,
                        size_t *capacity, size_t n, size_t size,
                        const char *purpose);

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

/* ---- time ------------------------------------------------------------- */

/* Seconds of a clock that never goes back. */
double koshu_now(void);

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
 * Threads for a parallel region: those of the context where it is worth their
 * waking up (some 0.1 ms of work), else 1. On a busy machine a region waits for
 * the last of its threads to get a core. 1 too where koshu_check_threads()
 * fails, so that the region does not wait for threads that do not exist.
 */
int koshu_region_threads(const struct koshu_context *context, bool worth);

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

/* ---- units.c ------------------------------------------------------------ */

/* koshu_units_henon(), as an expression. */
#define KOSHU_HENON_UNITS ((struct koshu_units){1.0, 1.0, 1.0})

/* ---- numbers in texts -------------------------------------------------- */

/* From the one call to the other, this thread reads and writes numbers with a
 * point, whatever the program's locale says. */
locale_t koshu_plain_numbers(void);
void koshu_users_numbers(locale_t users);

/* ---- texts of others --------------------------------------------------- */

/* A text from a file, or its name, as a terminal may have it: control
 * characters, and bytes that are not UTF-8, become "\x1b"; but for those in
 * `but`. Cut at size, between characters. */
void koshu_printable(char *to, size_t size, const char *from, const char *but);

/* ---- names ------------------------------------------------------------ */

/* The entry of names (n of them) nearest to word in edit distance, NULL where
 * none is near enough to be a slip of the pen. */
const char *
koshu_nearest_name(const char *word, const char *const *names, size_t n);

/* "; did you mean 'name'?" with that name; "" where none is near. */
enum { KOSHU_HINT = 96 };
const char *koshu_name_hint(char hint[KOSHU_HINT], const char *word,
                            const char *const *names, size_t n);

/* For the public _name() of an enum, whose values count up from 0: NULL past
 * the last, so that a caller can list them. */
const char *koshu_enum_name(const char *const *names, size_t n, unsigned value);

/* For its _find(): KOSHU_ERROR_NOT_FOUND where no name is `name`; the message
 * has what the enum is ("an axis"), the nearest name and all of them. */
koshu_status koshu_enum_find(struct koshu_context *context, const char *what,
                             const char *const *names, size_t n,
                             const char *name, unsigned *value);

/*
 * Defines both of an enum whose names are an array:
 * KOSHU_ENUM_NAMES(koshu_axis, "an axis", axes) is koshu_axis_name() and
 * koshu_axis_find().
 */
#define KOSHU_ENUM_NAMES(enumeration, what, names)                             \
    const char *enumeration##_name(enum enumeration value)                     \
    {                                                                          \
        return koshu_enum_name(names, sizeof(names) / sizeof *(names),         \
                               (unsigned)value);                               \
    }                                                                          \
                                                                               \
    koshu_status enumeration##_find(struct koshu_context *context,             \
                                    const char *name, enum enumeration *value) \
    {                                                                          \
        unsigned number;                                                       \
        KOSHU_REQUIRE(context, name);                                          \
        KOSHU_REQUIRE(context, value);                                         \
        KOSHU_TRY(koshu_enum_find(context, what, names,                        \
                                  sizeof(names) / sizeof *(names), name,       \
                                  &number));                                   \
        *value = (enum enumeration)number;                                     \
        return KOSHU_OK;                                                       \
    }

/* The same of an enum whose values are single bits, counted from 1u << 0. */
#define KOSHU_BIT_NAMES(enumeration, what, names)                              \
    const char *enumeration##_name(enum enumeration value)                     \
    {                                                                          \
        for (size_t k = 0; k < sizeof(names) / sizeof *(names); k++)           \
            if (value == 1u << k) return (names)[k];                           \
        return NULL;                                                           \
    }                                                                          \
                                                                               \
    koshu_status enumeration##_find(struct koshu_context *context,             \
                                    const char *name, enum enumeration *value) \
    {                                                                          \
        unsigned number;                                                       \
        KOSHU_REQUIRE(context, name);                                          \
        KOSHU_REQUIRE(context, value);                                         \
        KOSHU_TRY(koshu_enum_find(context, what, names,                        \
                                  sizeof(names) / sizeof *(names), name,       \
                                  &number));                                   \
        *value = (enum enumeration)(1u << number);                             \
        return KOSHU_OK;                                                       \
    }

/* "a, b, c" of n names into text; cut at size. */
void
koshu_join_names(char *text, size_t size, const char *const *names, size_t n);

/* ---- structs that begin with their own size (options.c) ------------------ */

/*
 * Public options begin with `size_t size`, so that a program that was compiled
 * when they had fewer members, or with a later koshu that has more, still runs.
 * A new member begins where the struct ended before, not in the padding at its
 * end, whose bytes earlier programs leave undefined.
 * Reads those of a caller into `options`, which holds the defaults and has the
 * `size` that this koshu knows. given NULL: the defaults.
 * KOSHU_ERROR_INVALID_ARGUMENT: no size is set; KOSHU_ERROR_UNSUPPORTED: a
 * member that this koshu does not know is not 0.
 */
koshu_status koshu_options_read(struct koshu_context *context, const char *name,
                                const void *given, void *options, size_t size);

/* For the exported koshu_..._set_defaults(): the defaults, as far as the
 * caller's struct of `stated` bytes has them. */
void koshu_options_write_defaults(void *options, size_t stated,
                                  const void *defaults, size_t size);

/* A report into a caller's struct, as far as that has it; its size stays.
 * KOSHU_ERROR_INVALID_ARGUMENT: no size is set. */
koshu_status koshu_report_write(struct koshu_context *context, const char *name,
                                void *given, const void *report, size_t size);

#ifdef __cplusplus
}
#endif

#endif
