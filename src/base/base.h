/* SPDX-License-Identifier: MIT */
/*
 * What every module uses: failure with a message, aligned memory, time, text.
 */
#ifndef KOSHU_BASE_BASE_H
#define KOSHU_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <koshu/context.h>
#include <koshu/status.h>

#include "base/system.h"
#include "base/text.h"
#include "kernels/kernels.h"

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

/* The context's place among the ranks. Its communicator belongs to devices/;
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

/* What is in both; n is 0 where nothing is. */
struct koshu_slice
koshu_slice_common(struct koshu_slice a, struct koshu_slice b);

/* ---- sums -------------------------------------------------------------- */

/* A compensated sum (Neumaier 1974): sum + rest, begun as {0}. */
struct koshu_sum {
    double sum, rest;
};

/* Knuth's two-sum: what the addition rounds off is kept, exactly, in any order
 * of magnitudes and without a branch. */
KOSHU_HD void
koshu_sum_add(struct koshu_sum *s, double x)
{
    double sum = s->sum + x;
    double x_part = sum - s->sum;
    s->rest += (s->sum - (sum - x_part)) + (x - x_part);
    s->sum = sum;
}

KOSHU_HD void
koshu_sum_merge(struct koshu_sum *s, struct koshu_sum part)
{
    koshu_sum_add(s, part.sum);
    s->rest += part.rest;
}

KOSHU_HD double
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
/* The same, not zeroed: by the threads that use it, which takes a part of the
 * time where it is large. */
void *koshu_alloc_unset(size_t count, size_t size);
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

/* ---- library.c ---------------------------------------------------------- */

/* The library whose path the environment variable has, else the first of these
 * names, NULL-ended, that can be loaded; NULL: none, as dlerror() says. */
void *koshu_open_library(const char *variable, const char *const names[]);

/* A function of a library that is loaded. */
struct koshu_function {
    const char *name; /* in the library */
    void *pointer;    /* to the pointer to it, which is set */
};

/* n functions of a library that was opened by dlopen(). NULL; or the name of
 * the first that it does not have. */
const char *koshu_find_functions(void *library, size_t n,
                                 const struct koshu_function functions[]);

/* ---- time ------------------------------------------------------------- */

/* Seconds of a clock that never goes back. */
double koshu_now(void);

#ifdef __cplusplus
}
#endif

#endif
