/* SPDX-License-Identifier: MIT */
/* Creates contexts for commands, and reports their failures. */
#include <stdio.h>

#include <koshu/ranks.h>

#include "app.h"

/* ---- contexts ------------------------------------------------------------ */

static void
log_to_stderr(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level >= KOSHU_LOG_LEVEL_WARNING)
        fprintf(stderr, "koshu: %s\n", message);
}

/* Creates a context, with the other ranks where there are some. */
static struct koshu_context *
initialise_ranks(struct koshu_context *context)
{
    if (!koshu_ranks_launched()) return context;
    koshu_status status = koshu_ranks_initialise(context);
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
    if (status == KOSHU_OK) return initialise_ranks(context);
    report(NULL, status);
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
    case KOSHU_ERROR_INVALID_ARGUMENT:
    case KOSHU_ERROR_BAD_INPUT:
    case KOSHU_ERROR_BAD_FORMAT:
    case KOSHU_ERROR_NOT_FOUND:
    case KOSHU_ERROR_NO_DEVICE: return EXIT_USAGE;
    case KOSHU_ERROR_OUT_OF_MEMORY:
        return koshu_memory_was_refused(context) ? EXIT_USAGE : EXIT_FAILED;
    default: return EXIT_FAILED;
    }
}

int
end_command(struct koshu_context *context, koshu_status status)
{
    int code = report(context, status);
    koshu_context_destroy(context);
    return code;
}
