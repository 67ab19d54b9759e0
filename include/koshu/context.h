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

/* "debug", "info", "warning"; NULL past the last. */
KOSHU_API const char *koshu_log_level_name(enum koshu_log_level value);
/* The level of that name. context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: there is none;
 *   KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_log_level_find(struct koshu_context *context, const char *name,
                     enum koshu_log_level *value);

/* How several GPUs of one process exchange particles. */
enum koshu_exchange {
    KOSHU_EXCHANGE_AUTO, /* KOSHU_EXCHANGE of the environment where it is set,
                            else the fastest */
    KOSHU_EXCHANGE_SEND_SYNC, /* Miki13 Fig. 3 */
    KOSHU_EXCHANGE_SYNC_RECV, /* Miki13 Fig. 4 */
    KOSHU_EXCHANGE_MUTUAL     /* each pair of particles is computed once */
};

/* "auto", "send-sync", "sync-recv", "mutual"; NULL past the last. */
KOSHU_API const char *koshu_exchange_name(enum koshu_exchange value);
/* The exchange of that name. context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: there is none;
 *   KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_exchange_find(struct koshu_context *context, const char *name,
                    enum koshu_exchange *value);

/* Receives one message, without a newline. Called by one thread at a time. */
typedef void
koshu_log_function(void *user, enum koshu_log_level level, const char *message);

/* What OpenMP can be trusted with. */
enum { KOSHU_MAX_THREADS = 4096 };

struct koshu_context_options {
    size_t size;
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
    enum koshu_exchange exchange; /* how several GPUs exchange particles */
    koshu_log_function *log;      /* NULL: silent */
    void *log_user;
};

KOSHU_DECLARE_DEFAULT(koshu_context_options)

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
/* As given, or as the environment has it. */
KOSHU_API enum koshu_exchange
koshu_context_exchange(const struct koshu_context *context);

#ifdef __cplusplus
}
#endif

#endif
