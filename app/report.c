/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "app.h"

static void
log_to_stderr(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level >= KOSHU_LOG_WARNING) fprintf(stderr, "koshu: %s\n", message);
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
    if (status == KOSHU_OK) return context;
    fprintf(stderr, "koshu: backend '%s', %d threads: %s\n",
            backend ? backend : "auto", threads, koshu_status_text(status));
    return NULL;
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
