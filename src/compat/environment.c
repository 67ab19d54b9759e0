/* SPDX-License-Identifier: MIT */
/* Environment variables of the compatibility libraries, and their context. */
#include "compat/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/solver.h>

/* ---- variables ----------------------------------------------------------- */

enum { VARIABLE = 64 };

/* The value of PREFIX_NAME, and the variable's name; NULL where it is not set,
 * or empty. */
static const char *
value_of(const char *prefix, const char *name, char variable[VARIABLE])
{
    snprintf(variable, VARIABLE, "%s_%s", prefix, name);
    const char *value = getenv(variable);
    return value && value[0] ? value : NULL;
}

int
koshu_compat_text(const char *prefix, const char *name, char *text, size_t size,
                  char *fault)
{
    char variable[VARIABLE];
    const char *value = value_of(prefix, name, variable);
    if (!value || (size_t)snprintf(text, size, "%s", value) < size) return 0;
    snprintf(fault, KOSHU_COMPAT_LINE,
             "%s=%.20s...: %zu characters: at most %zu can be", variable, value,
             strlen(value), size - 1);
    return -1;
}

int
koshu_compat_int(const char *prefix, const char *name, int min, int max,
                 int *number, char *fault)
{
    char variable[VARIABLE];
    const char *value = value_of(prefix, name, variable);
    if (!value) return 0;
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (*end || end == value || errno || n < min || n > max) {
        snprintf(fault, KOSHU_COMPAT_LINE,
                 "%s=%s: expected a number from %d to %d", variable, value, min,
                 max);
        return -1;
    }
    *number = (int)n;
    return 0;
}

static int
read_precision(struct koshu_compat_settings *s, char *fault)
{
    char variable[VARIABLE];
    const char *value = value_of(s->prefix, "PRECISION", variable);
    if (!value || koshu_precision_find(NULL, value, &s->precision) == KOSHU_OK)
        return 0;
    snprintf(fault, KOSHU_COMPAT_LINE,
             "%s=%s: expected single, mixed or double", variable, value);
    return -1;
}

int
koshu_compat_settings_read(struct koshu_compat_settings *s, char *fault)
{
    snprintf(s->backend, sizeof s->backend, "auto");
    if (koshu_compat_text(s->prefix, "BACKEND", s->backend, sizeof s->backend,
                          fault) ||
        read_precision(s, fault) ||
        koshu_compat_int(s->prefix, "THREADS", 0, KOSHU_MAX_THREADS,
                         &s->threads, fault))
        return -1;
    return koshu_compat_int(s->prefix, "VERBOSE", 0, 1, &s->verbose, fault);
}

bool
koshu_compat_tells(const struct koshu_compat_settings *settings,
                   enum koshu_log_level level)
{
    return level == KOSHU_LOG_LEVEL_WARNING ||
           (level == KOSHU_LOG_LEVEL_INFO && settings->verbose);
}

/* ---- a context ----------------------------------------------------------- */

static const char *
or_nothing(const char *text)
{
    return text ? text : "";
}

/* Could a context be created with another backend? */
static bool
is_backend_to_blame(const struct koshu_context_options *options)
{
    struct koshu_context_options other = *options;
    struct koshu_context *context;
    other.backend = "auto";
    if (koshu_context_create(&other, &context) != KOSHU_OK) return false;
    koshu_context_destroy(context);
    return true;
}

/* A context opens its backend at first use. Whoever has named a backend should
 * learn at once that it is missing. */
static int
open_backend(const char *prefix, struct koshu_context **context, char *fault)
{
    const struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    const koshu_status status =
            koshu_solver_create(*context, &options, &solver);
    koshu_solver_destroy(solver);
    if (status == KOSHU_OK) return 0;
    snprintf(fault, KOSHU_COMPAT_LINE, "%s_BACKEND=%s: %s", prefix,
             koshu_context_backend(*context), koshu_context_message(*context));
    koshu_context_destroy(*context);
    *context = NULL;
    return -1;
}

int
koshu_compat_context(const struct koshu_compat_settings *s,
                     koshu_log_function *log, void *log_user,
                     struct koshu_context **context, char *fault)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = s->threads;
    options.backend = s->backend;
    options.log = log;
    options.log_user = log_user;
    const koshu_status status = koshu_context_create(&options, context);
    if (status == KOSHU_OK)
        return strcmp(s->backend, "auto") == 0
                       ? 0
                       : open_backend(s->prefix, context, fault);
    if (status != KOSHU_ERROR_INVALID_ARGUMENT)
        snprintf(fault, KOSHU_COMPAT_LINE, "%s", koshu_status_text(status));
    else if (is_backend_to_blame(&options))
        snprintf(fault, KOSHU_COMPAT_LINE,
                 "%s_BACKEND=%s: expected auto, cpu, cuda or ref", s->prefix,
                 s->backend);
    else
        snprintf(
                fault, KOSHU_COMPAT_LINE,
                "KOSHU_DEVICES=%s, KOSHU_EXCHANGE=%s: expected numbers of GPUs "
                "(0,1 or all), and how these exchange particles (auto, "
                "send-sync, sync-recv or mutual)",
                or_nothing(getenv("KOSHU_DEVICES")),
                or_nothing(getenv("KOSHU_EXCHANGE")));
    return -1;
}

/* Creates a solver, as only that knows its device. */
bool
koshu_compat_describe(struct koshu_context *context,
                      const struct koshu_compat_settings *settings,
                      char line[KOSHU_COMPAT_LINE])
{
    const struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    const koshu_status status = koshu_solver_create(context, &options, &solver);
    if (status == KOSHU_OK)
        snprintf(line, KOSHU_COMPAT_LINE, "%s, %s, %s precision",
                 koshu_solver_backend(solver), koshu_solver_device(solver),
                 koshu_precision_name(settings->precision));
    koshu_solver_destroy(solver);
    return status == KOSHU_OK;
}

const char *
koshu_compat_reason(const struct koshu_context *context, koshu_status status)
{
    const char *message = koshu_context_message(context);
    return message[0] ? message : koshu_status_text(status);
}
