/* SPDX-License-Identifier: MIT */
/*
 * The context: threads, the choice of backend, where messages go.
 *
 * Every object of koshu is made from a context and must be destroyed before
 * it. A context is used by one thread at a time; several contexts are
 * independent of each other. The library never prints: it calls the log
 * function, if one is given.
 *
 * Everywhere in koshu NULL for an object that a function needs is
 * KOSHU_ERROR_INVALID_ARGUMENT; a function that returns no status then does
 * nothing, and returns 0, "" or NULL.
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

/* Receives one message, without a newline. Called by one thread at a time. */
typedef void
koshu_log_function(void *user, enum koshu_log_level level, const char *message);

/* What OpenMP can be trusted with. */
enum { KOSHU_MAX_THREADS = 4096 };

struct koshu_context_options {
    /* CPU threads, at most KOSHU_MAX_THREADS; 0: OMP_NUM_THREADS where it is
     * set, else one per core that this process may run on and has the time of
     * (control groups); ranks on one machine share its cores. A child of fork()
     * has not inherited the threads of its parent: where the one that called
     * fork() had computed with several, its contexts there need threads = 1,
     * and others are KOSHU_ERROR_UNSUPPORTED whatever they compute. */
    int threads;
    /* "auto" (the fastest that answers), "cpu" (the same as "simd"), "cuda",
     * or "ref" (scalar double precision: slow, the truth). NULL: "auto". Only
     * "auto" falls back to another: whatever first uses a backend that is named
     * and not there fails with KOSHU_ERROR_NO_DEVICE. */
    const char *backend;
    /* GPUs by their numbers, "1", "0,1" or "all", which sum forces on stores
     * together; what else there is to do, the first of them does. The same one
     * may be named several times, to try this out. NULL or "": KOSHU_DEVICES of
     * the environment, else the first GPU. The CPU does not care. */
    const char *devices;
    /* How several GPUs exchange particles: "send-sync" or "sync-recv" (Miki13
     * Figs. 3 and 4), "mutual" (each pair of particles is computed once), or
     * "auto", the fastest. NULL or "": KOSHU_EXCHANGE of the environment, else
     * "auto". */
    const char *exchange;
    koshu_log_function *log; /* NULL: silent */
    void *log_user;
};

KOSHU_API struct koshu_context_options koshu_context_options_default(void);

/*
 * Makes a context. options may be NULL (defaults). The strings are copied.
 * KOSHU_ERROR_INVALID_ARGUMENT: threads < 0 or too many, an unknown name of a
 * backend or an exchange, no list of devices; KOSHU_ERROR_OUT_OF_MEMORY. Which
 * of them: koshu_context_message(NULL).
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_context_create(const struct koshu_context_options *options,
                     struct koshu_context **context);

/* NULL is allowed. */
KOSHU_API void koshu_context_destroy(struct koshu_context *context);

/*
 * The sentence of the last failure: what was expected, what came, where. Never
 * NULL; "" before the first failure. Valid until the next failure. NULL: of the
 * last failure in this thread that had no context, as that of
 * koshu_context_create(), or of a function that got NULL for an object.
 */
KOSHU_API const char *
koshu_context_message(const struct koshu_context *context);

KOSHU_API int koshu_context_threads(const struct koshu_context *context);
KOSHU_API const char *
koshu_context_backend(const struct koshu_context *context);
/* As it was asked for; "": not at all. */
KOSHU_API const char *
koshu_context_devices(const struct koshu_context *context);
KOSHU_API const char *
koshu_context_exchange(const struct koshu_context *context);

#ifdef __cplusplus
}
#endif

#endif
