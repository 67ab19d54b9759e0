/* SPDX-License-Identifier: MIT */
/* Error messages, and messages of the log. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/context.h"

/* For failures without a context, such as that of creating one. */
static _Thread_local char without_context[KOSHU_MESSAGE];

const char *
koshu_context_message(const struct koshu_context *context)
{
    return context ? context->message : without_context;
}

/* Keeps the message on one line: control characters of names and file contents
 * must not reach a terminal. */
static void
write_message(char message[KOSHU_MESSAGE], const char *format,
              va_list arguments, const char *suffix)
{
    char text[KOSHU_MESSAGE];
    int n = vsnprintf(text, KOSHU_MESSAGE, format, arguments);
    if (suffix && n >= 0 && n < KOSHU_MESSAGE)
        snprintf(text + n, KOSHU_MESSAGE - (size_t)n, ": %s", suffix);
    koshu_printable(message, KOSHU_MESSAGE, text, "");
}

static void
keep_message(struct koshu_context *context, const char *format,
             va_list arguments, const char *suffix)
{
    if (!context) {
        write_message(without_context, format, arguments, suffix);
        return;
    }
    pthread_mutex_lock(&context->lock);
    write_message(context->message, format, arguments, suffix);
    pthread_mutex_unlock(&context->lock);
}

koshu_status
koshu_fail(struct koshu_context *context, koshu_status status,
           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_message(context, format, arguments, NULL);
    va_end(arguments);
    return status;
}

koshu_status
koshu_fail_errno(struct koshu_context *context, koshu_status status,
                 const char *format, ...)
{
    const char *reason = strerror(errno);
    va_list arguments;
    va_start(arguments, format);
    keep_message(context, format, arguments, reason);
    va_end(arguments);
    return status;
}

bool
koshu_memory_was_refused(const struct koshu_context *context)
{
    return context && context->memory_refused;
}

void
koshu_context_refuse_memory(struct koshu_context *context, bool refused)
{
    if (context) context->memory_refused = refused;
}

void
koshu_log(struct koshu_context *context, enum koshu_log_level level,
          const char *format, ...)
{
    if (!context || !context->log) return;
    char text[KOSHU_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    write_message(text, format, arguments, NULL);
    va_end(arguments);
    pthread_mutex_lock(&context->lock);
    context->log(context->log_user, level, text);
    pthread_mutex_unlock(&context->lock);
}
