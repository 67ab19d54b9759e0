/* SPDX-License-Identifier: MIT */
#include "compat/environment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/solver.h>

const char *
koshu_compat_value(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

int
koshu_compat_int(const char *name, int min, int max, int *number, char *fault)
{
    const char *value = koshu_compat_value(name);
    if (!value) return 0;
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (*end || end == value || errno || n < min || n > max) {
        snprintf(fault, KOSHU_COMPAT_LINE,
                 "%s=%s: expected a number from %d to %d", name, value, min,
                 max);
        return -1;
    }
    *number = (int)n;
    return 0;
}

static const char *
or_nothing(const char *text)
{
    return text ? text : "";
}

/* Would a context be made on another backend? */
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

/* Contexts open their backend when it is first used; whoever names one wants to
 * know at once that it is not there. */
static int
open_backend(const char *variable, struct koshu_context **context, char *fault)
{
    const struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    const koshu_status status =
            koshu_solver_create(*context, &options, &solver);
    koshu_solver_destroy(solver);
    if (status == KOSHU_OK) return 0;
    snprintf(fault, KOSHU_COMPAT_LINE, "%s=%s: %s", variable,
             koshu_context_backend(*context), koshu_context_message(*context));
    koshu_context_destroy(*context);
    *context = NULL;
    return -1;
}

int
koshu_compat_context(const char *variable,
                     const struct koshu_context_options *options,
                     struct koshu_context **context, char *fault)
{
    const koshu_status status = koshu_context_create(options, context);
    if (status == KOSHU_OK)
        return strcmp(options->backend, "auto") == 0
                       ? 0
                       : open_backend(variable, context, fault);
    if (status != KOSHU_ERROR_INVALID_ARGUMENT)
        snprintf(fault, KOSHU_COMPAT_LINE, "%s", koshu_status_text(status));
    else if (is_backend_to_blame(options))
        snprintf(fault, KOSHU_COMPAT_LINE,
                 "%s=%s: expected auto, cpu, cuda or ref", variable,
                 options->backend);
    else
        snprintf(
                fault, KOSHU_COMPAT_LINE,
                "KOSHU_DEVICES=%s, KOSHU_EXCHANGE=%s: expected numbers of GPUs "
                "(0,1 or all), and how these exchange particles (auto, "
                "send-sync, sync-recv or mutual)",
                or_nothing(koshu_compat_value("KOSHU_DEVICES")),
                or_nothing(koshu_compat_value("KOSHU_EXCHANGE")));
    return -1;
}

int
koshu_compat_precision(const char *name, enum koshu_precision *precision,
                       char *fault)
{
    const char *value = koshu_compat_value(name);
    if (!value) return 0;
    if (koshu_precision_find(NULL, value, precision) == KOSHU_OK) return 0;
    snprintf(fault, KOSHU_COMPAT_LINE,
             "%s=%s: expected single, mixed or double", name, value);
    return -1;
}
