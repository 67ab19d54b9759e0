/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>

#include "app.h"
#include "base/base.h"

static void
log_to_stderr(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level >= KOSHU_LOG_WARNING) fprintf(stderr, "koshu: %s\n", message);
}

/* "a, b, c" of names that a function has, NULL past the last. */
static void
print_names(const char *(*name)(unsigned))
{
    for (unsigned k = 0; name(k); k++)
        fprintf(stderr, "%s %s", k ? "," : "", name(k));
    fputc('\n', stderr);
}

static const char *
backend_name(unsigned k)
{
    return koshu_context_backend_name((int)k);
}

static bool
is_backend(const char *name)
{
    for (unsigned k = 0; backend_name(k); k++)
        if (strcmp(backend_name(k), name) == 0) return true;
    return false;
}

/* What a context takes: the option, else the environment's. */
static const char *
asked_for(const char *option, const char *variable, const char *otherwise)
{
    const char *text = option && *option ? option : getenv(variable);
    return text && *text ? text : otherwise;
}

/* Which of them is it that no context can have? */
static void
refuse_options(const struct koshu_context_options *o)
{
    if (o->threads < 0 || o->threads > KOSHU_MOST_THREADS) {
        fprintf(stderr, "koshu: %d threads: give 1 ... %d\n", o->threads,
                KOSHU_MOST_THREADS);
    } else if (o->backend && !is_backend(o->backend)) {
        fprintf(stderr, "koshu: no backend is called '%s'; there are",
                o->backend);
        print_names(backend_name);
    } else if (koshu_exchange_named(asked_for(o->exchange, "KOSHU_EXCHANGE",
                                              "auto")) == KOSHU_EXCHANGES) {
        fprintf(stderr, "koshu: no exchange is called '%s'; there are",
                asked_for(o->exchange, "KOSHU_EXCHANGE", ""));
        print_names(koshu_exchange_name);
    } else {
        fprintf(stderr,
                "koshu: devices '%s': give the numbers of GPUs, at most %d, "
                "with commas between them, or 'all'\n",
                asked_for(o->devices, "KOSHU_DEVICES", ""), KOSHU_MOST_DEVICES);
    }
}

/* With the other ranks, where there are some. */
static struct koshu_context *
join_ranks(struct koshu_context *context)
{
    if (!koshu_ranks_launched()) return context;
    koshu_status status = koshu_ranks_join_world(context);
    if (status == KOSHU_OK) return context;
    report(context, status);
    koshu_context_destroy(context);
    return NULL;
}

struct koshu_context *
make_context_with(const struct koshu_context_options *options)
{
    struct koshu_context_options o = *options;
    struct koshu_context *context;
    o.log = log_to_stderr;
    koshu_status status = koshu_context_create(&o, &context);
    if (status == KOSHU_OK) return join_ranks(context);
    if (status == KOSHU_INVALID_ARGUMENT)
        refuse_options(&o);
    else
        fprintf(stderr, "koshu: %s\n", koshu_status_text(status));
    return NULL;
}

struct koshu_context *
make_context(const char *backend, int threads)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = backend;
    options.threads = threads;
    return make_context_with(&options);
}

int
report(const struct koshu_context *context, koshu_status status)
{
    if (status == KOSHU_OK) return EXIT_DONE;
    const char *message = koshu_context_message(context);
    fprintf(stderr, "koshu: %s\n",
            message[0] ? message : koshu_status_text(status));
    switch (status) {
    case KOSHU_INVALID_ARGUMENT:
    case KOSHU_BAD_INPUT:
    case KOSHU_BAD_FORMAT:
    case KOSHU_NOT_FOUND:
    case KOSHU_NO_DEVICE: return EXIT_USAGE;
    case KOSHU_OUT_OF_MEMORY:
        return koshu_memory_was_refused(context) ? EXIT_USAGE : EXIT_FAILED;
    default: return EXIT_FAILED;
    }
}
