/* SPDX-License-Identifier: MIT */
/* Contexts: making them from options and the environment, their settings,
 * what they keep, and their place among the ranks. */
#include <koshu/context.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/context.h"

static const char *const backend_names[] = {"auto", "cpu", "simd", "cuda",
                                            "ref"};
enum { N_BACKENDS = sizeof backend_names / sizeof backend_names[0] };

static const char *const log_levels[] = {"debug", "info", "warning"};

KOSHU_DEFINE_DEFAULT(koshu_context_options, .backend = "auto",
                     .exchange = KOSHU_EXCHANGE_DEFAULT)

KOSHU_ENUM_NAMES(koshu_log_level, "a log level", log_levels)

const char *
koshu_context_backend_name(int k)
{
    return k < N_BACKENDS ? backend_names[k] : NULL;
}

static const char *
known_backend(const char *name)
{
    for (int k = 0; k < N_BACKENDS; k++)
        if (strcmp(name, backend_names[k]) == 0) return backend_names[k];
    return NULL;
}

/* The given text or, without one, that of the environment, or "". */
static const char *
or_environment(const char *given, const char *variable)
{
    const char *text = given && *given ? given : getenv(variable);
    return text ? text : "";
}

static koshu_status
take_devices(struct koshu_context *c, const char *devices)
{
    const char *text = or_environment(devices, "KOSHU_DEVICES");
    int n = snprintf(c->devices, sizeof c->devices, "%s", text);
    if ((size_t)n < sizeof c->devices &&
        koshu_device_list_read(text, &c->device_list))
        return KOSHU_OK;
    return koshu_fail(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                      "devices '%s': give the numbers of GPUs, at most %d, "
                      "with commas between them, or 'all'",
                      text, KOSHU_MAX_DEVICES);
}

static koshu_status
refuse_backend(const char *name)
{
    char list[256];
    koshu_join_names(list, sizeof list, backend_names, N_BACKENDS);
    return koshu_fail(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                      "no backend is called '%s'; there are %s", name, list);
}

/* AUTO: as the environment says. */
static koshu_status
take_exchange(struct koshu_context *c, enum koshu_exchange given)
{
    c->exchange = given;
    if (!koshu_exchange_name(given))
        return koshu_fail(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                          "exchange %d: it is none of enum koshu_exchange",
                          (int)given);
    if (given != KOSHU_EXCHANGE_DEFAULT) return KOSHU_OK;
    c->exchange = KOSHU_EXCHANGE_AUTO;
    const char *text = getenv("KOSHU_EXCHANGE");
    if (!text || !*text || strcmp(text, "default") == 0) return KOSHU_OK;
    if (koshu_exchange_find(NULL, text, &c->exchange) == KOSHU_OK)
        return KOSHU_OK;
    return koshu_fail(NULL, KOSHU_ERROR_INVALID_ARGUMENT, "KOSHU_EXCHANGE: %s",
                      koshu_context_message(NULL));
}

static koshu_status
take_threads(struct koshu_context *c, int threads)
{
    c->threads = threads > 0 ? threads : koshu_default_threads();
    if (threads >= 0 && threads <= KOSHU_MAX_THREADS) return KOSHU_OK;
    return koshu_fail(NULL, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%d threads: give 1 ... %d, or 0 for as many as there "
                      "are cores",
                      threads, KOSHU_MAX_THREADS);
}

static koshu_status
take_options(struct koshu_context *c, const struct koshu_context_options *o)
{
    const char *backend = o->backend ? o->backend : "auto";
    c->backend = known_backend(backend);
    c->log = o->log;
    c->log_user = o->log_user;
    KOSHU_TRY(take_threads(c, o->threads));
    if (!c->backend) return refuse_backend(backend);
    KOSHU_TRY(take_exchange(c, o->exchange));
    KOSHU_TRY(take_devices(c, o->devices));
    return koshu_check_memory_given();
}

koshu_status
koshu_context_create(const struct koshu_context_options *options,
                     struct koshu_context **context)
{
    KOSHU_REQUIRE(NULL, context);
    struct koshu_context_options o;
    *context = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(NULL, koshu_context_options, options, &o));
    struct koshu_context *c = calloc(1, sizeof *c);
    if (!c) return koshu_fail_memory(NULL, sizeof *c, "context");
    const koshu_status status = take_options(c, &o);
    if (status != KOSHU_OK) {
        free(c);
        return status;
    }
    c->place.n_ranks = 1;
    pthread_mutex_init(&c->lock, NULL);
    *context = c;
    return KOSHU_OK;
}

void
koshu_context_destroy(struct koshu_context *context)
{
    if (!context) return;
    if (context->kept) context->destroy_kept(context->kept);
    if (context->communicator) context->leave(context->communicator);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

int
koshu_context_threads(const struct koshu_context *context)
{
    if (!context) return 0;
    return context->threads;
}

const char *
koshu_context_backend(const struct koshu_context *context)
{
    if (!context) return "";
    return context->backend;
}

const char *
koshu_context_devices(const struct koshu_context *context)
{
    if (!context) return "";
    return context->devices;
}

const struct koshu_device_list *
koshu_context_device_list(const struct koshu_context *context)
{
    return &context->device_list;
}

enum koshu_exchange
koshu_context_exchange(const struct koshu_context *context)
{
    if (!context) return KOSHU_EXCHANGE_AUTO;
    return context->exchange;
}

void
koshu_context_keep(struct koshu_context *context, void *object,
                   void (*destroy)(void *object))
{
    context->kept = object;
    context->destroy_kept = destroy;
}

void *
koshu_context_kept(const struct koshu_context *context)
{
    return context->kept;
}

/* ---- ranks --------------------------------------------------------------- */

void
koshu_context_set_ranks(struct koshu_context *context,
                        struct koshu_rank_place place, void *communicator,
                        void (*leave)(void *communicator))
{
    if (context->communicator) context->leave(context->communicator);
    context->place = place;
    context->communicator = communicator;
    context->leave = leave;
}

int
koshu_context_rank(const struct koshu_context *context)
{
    return context->place.rank;
}

int
koshu_context_ranks(const struct koshu_context *context)
{
    return context->place.n_ranks;
}

int
koshu_context_local_rank(const struct koshu_context *context)
{
    return context->place.local_rank;
}

void *
koshu_context_communicator(const struct koshu_context *context)
{
    return context->communicator;
}

struct koshu_slice
koshu_slice_of(size_t n, int rank, int n_ranks)
{
    size_t r = (size_t)rank, each = n / (size_t)n_ranks;
    size_t longer = n % (size_t)n_ranks;
    return (struct koshu_slice){r * each + (r < longer ? r : longer),
                                each + (r < longer)};
}

struct koshu_slice
koshu_slice_common(struct koshu_slice a, struct koshu_slice b)
{
    const size_t first = a.first > b.first ? a.first : b.first,
                 end_a = a.first + a.n, end_b = b.first + b.n,
                 end = end_a < end_b ? end_a : end_b;
    return (struct koshu_slice){first, end > first ? end - first : 0};
}
