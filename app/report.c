/* SPDX-License-Identifier: MIT */
#include <stdio.h>
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

/* Which of the two is it that no context can have? */
static void
refuse_options(const char *backend, int threads)
{
    if (threads < 0) {
        fprintf(stderr, "koshu: %d threads: give 1 or more\n", threads);
        return;
    }
    fprintf(stderr, "koshu: no backend is called '%s'; there are", backend);
    const char *name;
    for (int k = 0; (name = koshu_context_backend_name(k)); k++)
        fprintf(stderr, "%s %s", k ? "," : "", name);
    fputc('\n', stderr);
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
make_context(const char *backend, int threads)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = backend;
    options.threads = threads;
    options.log = log_to_stderr;
    struct koshu_context *context;
    koshu_status status = koshu_context_create(&options, &context);
    if (status == KOSHU_OK) return join_ranks(context);
    if (status == KOSHU_INVALID_ARGUMENT)
        refuse_options(backend, threads);
    else
        fprintf(stderr, "koshu: %s\n", koshu_status_text(status));
    return NULL;
}

const char *
backend_for(enum koshu_method method, const char *backend)
{
    bool automatic = !backend || strcmp(backend, "auto") == 0;
    return automatic && method == KOSHU_METHOD_TREE ? "cpu" : backend;
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
    case KOSHU_NOT_FOUND: return EXIT_USAGE;
    default: return EXIT_FAILED;
    }
}
