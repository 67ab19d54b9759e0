/* SPDX-License-Identifier: MIT */
/*
 * What every module uses: errors with a message, what a context keeps, ranks,
 * compensated sums, sorting, aligned memory, shared libraries and time.
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

/* Returns the status of expr if it failed. The function that failed has already
 * set the message. */
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

/* For pointer arguments that a public function requires. The context may be
 * NULL, as for koshu_fail(). */
#define KOSHU_REQUIRE(context, pointer)                                \
    do {                                                               \
        if (!(pointer))                                                \
            return koshu_fail((context), KOSHU_ERROR_INVALID_ARGUMENT, \
                              "%s: %s is NULL", __func__, #pointer);   \
    } while (0)

/*
 * Stores the message in the context (with NULL: in the message of this thread,
 * which koshu_context_message(NULL) returns) and returns status, so that a
 * function can fail with `return koshu_fail(context, KOSHU_ERROR_IO, "...",
 * ...)`. The message is one line: what was expected, what was found, where, and
 * the remedy.
 */
koshu_status koshu_fail(struct koshu_context *context, koshu_status status,
                        const char *format, ...) KOSHU_PRINTF(3, 4);

/* The same, with the text of errno appended: "...: No space left on device". */
koshu_status koshu_fail_errno(struct koshu_context *context,
                              koshu_status status, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* KOSHU_ERROR_OUT_OF_MEMORY, naming what the bytes were for. */
koshu_status koshu_fail_memory(struct koshu_context *context, size_t bytes,
                               const char *purpose);

void koshu_log(struct koshu_context *context, enum koshu_log_level level,
               const char *format, ...) KOSHU_PRINTF(3, 4);

/* ---- what a context keeps ---------------------------------------------- */

/* One object of a module above this one (the open backend). It is destroyed
 * with the context. */
void koshu_context_keep(struct koshu_context *context, void *object,
                        void (*destroy)(void *object));
void *koshu_context_kept(const struct koshu_context *context);

/* The k-th backend name that a context accepts; NULL past the last. */
const char *koshu_context_backend_name(int k);

/* ---- devices.c ---------------------------------------------------------- */

enum { KOSHU_MAX_DEVICES = 64 };

/* Devices by number, or all. n = 0 without `all`: no device was given. */
struct koshu_device_list {
    bool all;
    size_t n;
    int number[KOSHU_MAX_DEVICES];
};

/* Reads "0,1", "all" or "". false: the text is none of these. */
bool koshu_device_list_read(const char *text, struct koshu_device_list *list);

/* The devices of a context. */
const struct koshu_device_list *
koshu_context_device_list(const struct koshu_context *context);

/* The number of values of enum koshu_exchange. */
enum { KOSHU_EXCHANGES = KOSHU_EXCHANGE_MUTUAL + 1 };

/* ---- ranks --------------------------------------------------------------- */

/* One of n_ranks that work as one, the local_rank-th of those on its host. */
struct koshu_rank_place {
    int rank, n_ranks, local_rank;
};

/* Sets the context's place among the ranks. The communicator is an object of
 * devices/; leave() is called before the context is destroyed. */
void koshu_context_set_ranks(struct koshu_context *context,
                             struct koshu_rank_place place, void *communicator,
                             void (*leave)(void *communicator));

/* 0, 1, 0 and NULL for a context without ranks. */
int koshu_context_rank(const struct koshu_context *context);
int koshu_context_ranks(const struct koshu_context *context);
int koshu_context_local_rank(const struct koshu_context *context);
void *koshu_context_communicator(const struct koshu_context *context);

/* The part of n items, in their order, that a rank keeps. */
struct koshu_slice {
    size_t first, n;
};

/* Parts that differ by one item at most, the longer ones first. With fewer
 * items than ranks, the last ranks have none. */
struct koshu_slice koshu_slice_of(size_t n, int rank, int n_ranks);

/* The intersection of both; n is 0 where it is empty. */
struct koshu_slice
koshu_slice_common(struct koshu_slice a, struct koshu_slice b);

/* ---- sums -------------------------------------------------------------- */

/* A compensated sum (Neumaier 1974): sum + rest. Initialise it with {0}. */
struct koshu_sum {
    double sum, rest;
};

/* Knuth's two-sum: rest collects the rounding error of each addition, which is
 * exact for any order of magnitudes and needs no branch. */
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

/* Sorts the keys, and with them the index of each, stably. key_other and
 * index_other are work space of n elements. */
void koshu_sort_keys(size_t n, uint64_t *key, uint32_t *index,
                     uint64_t *key_other, uint32_t *index_other, int threads);

static inline size_t
koshu_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t
koshu_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- memory ----------------------------------------------------------- */

#define KOSHU_ALIGNMENT 64

/* Blocks of at least this many bytes are checked against the memory that there
 * is: the system would grant more than that, and kill the program when it
 * touches it. */
#define KOSHU_LARGE_BLOCK ((size_t)1 << 26)

/* Aligned to 64 bytes, a multiple of 64 bytes long, zeroed. NULL when out of
 * memory or when count * size overflows. Freed by koshu_free(). */
void *koshu_alloc(size_t count, size_t size);
/* The same, not zeroed. The threads that will use the memory then zero it
 * themselves, which is faster for large blocks. */
void *koshu_alloc_unset(size_t count, size_t size);
void koshu_free(void *memory);
/* Gives the pages of a large range back to the system until they are used
 * again. Its contents are undefined afterwards. */
void koshu_give_back(void *memory, size_t bytes);

/* Grows o->a, whose capacity is o->capacity_a, to hold n elements, by at least
 * a quarter; the elements are kept. NULL context: no message is set.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
#define KOSHU_GROW(o, a, n, context, purpose)                        \
    koshu_grow((context), (void **)&(o)->a, &(o)->capacity_##a, (n), \
               sizeof *(o)->a, (purpose))

koshu_status koshu_grow(struct koshu_context *context, void **memory,
                        size_t *capacity, size_t n, size_t size,
                        const char *purpose);

/* ---- library.c ---------------------------------------------------------- */

/* Loads the library whose path is in the environment variable or, where that is
 * not set, the first of the names (NULL-terminated) that can be loaded. NULL:
 * none can; dlerror() has the reason. */
void *koshu_open_library(const char *variable, const char *const names[]);

/* A function to look up in a loaded library. */
struct koshu_function {
    const char *name; /* in the library */
    void *pointer;    /* to the pointer to it, which is set */
};

/* Looks up n functions in a library opened by dlopen(). Returns NULL, or the
 * name of the first function that the library does not have. */
const char *koshu_find_functions(void *library, size_t n,
                                 const struct koshu_function functions[]);

/* ---- time ------------------------------------------------------------- */

/* Seconds of a monotonic clock. */
double koshu_now(void);

#ifdef __cplusplus
}
#endif

#endif
