/* SPDX-License-Identifier: MIT */
/*
 * The context: the number of threads, the backend, and where messages go.
 *
 * Every object of koshu is created from a context and must be destroyed before
 * it. The library never prints: it calls the log function, if there is one.
 *
 * Everywhere in koshu NULL for an object or a result that a function needs is
 * KOSHU_ERROR_INVALID_ARGUMENT; a function that returns no status then does
 * nothing, and returns 0, "" or NULL. NULL for options means their defaults.
 *
 * Options begin with their own size, `size_t size`. koshu_..._options_default()
 * sets it, and all members; a program that was compiled with an earlier or a
 * later header, whose struct has fewer or more members, still runs: members
 * that it lacks have their defaults. In all functions that take such a struct,
 * KOSHU_ERROR_INVALID_ARGUMENT: its size is not set; KOSHU_ERROR_UNSUPPORTED:
 * it has a member that this koshu does not know, and that is not 0.
 *
 * Threads: a context, and all objects created from it, are used by one thread
 * at a time; different contexts by different threads at once.
 */
#ifndef KOSHU_CONTEXT_H
#define KOSHU_CONTEXT_H

#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_context;

enum koshu_log_level {
    KOSHU_LOG_LEVEL_DEBUG,
    KOSHU_LOG_LEVEL_INFO,
    KOSHU_LOG_LEVEL_WARNING
};

/* Name ("debug", "info", "warning"); NULL past the last. */
KOSHU_API const char *koshu_log_level_name(enum koshu_log_level value);

/*
 * Log level of a name. context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it; the message lists the names;
 *   KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_log_level_find(struct koshu_context *context, const char *name,
                     enum koshu_log_level *value);

/* How several GPUs of one process exchange particles. */
enum koshu_exchange {
    KOSHU_EXCHANGE_DEFAULT,   /* KOSHU_EXCHANGE from the environment if set,
                                 else auto */
    KOSHU_EXCHANGE_AUTO,      /* the fastest */
    KOSHU_EXCHANGE_SEND_SYNC, /* Miki13 Fig. 3 */
    KOSHU_EXCHANGE_SYNC_RECV, /* Miki13 Fig. 4 */
    KOSHU_EXCHANGE_MUTUAL     /* each pair of particles is computed once */
};

/* Name ("default", "auto", "send-sync", "sync-recv", "mutual"); NULL past the
 * last. */
KOSHU_API const char *koshu_exchange_name(enum koshu_exchange value);

/*
 * Finds the exchange with a name. context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it; the message lists the names;
 *   KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_exchange_find(struct koshu_context *context, const char *name,
                    enum koshu_exchange *value);

/* Receives one message, without a newline. Calls do not overlap. */
typedef void
koshu_log_function(void *user, enum koshu_log_level level, const char *message);

/* The maximum number of threads of a context. */
enum { KOSHU_MAX_THREADS = 4096 };

struct koshu_context_options {
    size_t size;
    /* CPU threads, at most KOSHU_MAX_THREADS. 0: OMP_NUM_THREADS where it is
     * set, else one for each core that this process may run on and has CPU time
     * for (control groups); ranks on one machine divide its cores. A child of
     * fork() has not inherited the threads of its parent: if the thread that
     * called fork() had computed with several threads, contexts in the child
     * need threads = 1; others fail with KOSHU_ERROR_UNSUPPORTED when they
     * compute. */
    int threads;
    /* "auto" (the fastest that works on this machine), "cpu" (the same as
     * "simd"), "cuda", or "ref" (scalar double precision: slow, the reference).
     * NULL: "auto". Only "auto" falls back to another backend: with any other
     * name that is not available, the first function that needs the backend
     * fails with KOSHU_ERROR_NO_DEVICE. */
    const char *backend;
    /* GPUs by their numbers, "1", "0,1" or "all". Several make the sums of
     * stores and of j-particle stores; all else runs on the first. A number may
     * occur several times, for tests. NULL or "": KOSHU_DEVICES of the
     * environment, else the first GPU. Ignored by the CPU backends. */
    const char *devices;
    enum koshu_exchange exchange; /* how several GPUs exchange particles */
    koshu_log_function *log;      /* NULL: no messages */
    void *log_user;               /* passed to log */
};

/* 0 threads, "auto", no devices, default exchange, no log */
KOSHU_DECLARE_DEFAULT(koshu_context_options)

/*
 * Creates a context. The backend is opened by the first function that needs it.
 * Ownership: *context belongs to the caller, who destroys it after all objects
 *   created from it; NULL on failure. The strings of options are copied.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an impossible number of threads, an
 *   unknown backend or exchange, devices that are not a list of numbers;
 *   KOSHU_ERROR_UNSUPPORTED: options of a later koshu; KOSHU_ERROR_BAD_INPUT:
 *   KOSHU_MEMORY of the environment is not a number of bytes;
 *   KOSHU_ERROR_OUT_OF_MEMORY. The message is koshu_context_message(NULL).
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_context_create(const struct koshu_context_options *options,
                     struct koshu_context **context);

/* Destroys a context and closes its backend. NULL is allowed. */
KOSHU_API void koshu_context_destroy(struct koshu_context *context);

/*
 * Message of the last failure: what was expected, what was found, and where.
 * Never NULL; "" before the first failure. With context NULL: of the last
 * failure in this thread that had no context, such as that of
 * koshu_context_create(), or of a function that got NULL for an object.
 * Ownership: the text belongs to the context, and is valid until the next
 *   failure.
 */
KOSHU_API const char *
koshu_context_message(const struct koshu_context *context);

/*
 * Settings of the context, after the environment has been applied: number of
 * threads; backend ("auto" as given); devices ("" for the first GPU); exchange.
 * Ownership: texts belong to the context.
 */
KOSHU_API int koshu_context_threads(const struct koshu_context *context);
KOSHU_API const char *
koshu_context_backend(const struct koshu_context *context);
KOSHU_API const char *
koshu_context_devices(const struct koshu_context *context);
KOSHU_API enum koshu_exchange
koshu_context_exchange(const struct koshu_context *context);

#ifdef __cplusplus
}
#endif

#endif
