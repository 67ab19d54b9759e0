/* SPDX-License-Identifier: MIT */
/*
 * Environment variables of a compatibility library, and the context they
 * describe. A variable that is not set, or empty, changes nothing. Functions
 * return -1 for an impossible value, with a message in `fault`, which must have
 * KOSHU_COMPAT_LINE characters.
 */
#ifndef KOSHU_COMPAT_ENVIRONMENT_H
#define KOSHU_COMPAT_ENVIRONMENT_H

#include <stdbool.h>

#include <koshu/context.h>
#include <koshu/force.h>

#include "compat/message.h"

/* Reads the variable PREFIX_NAME. */
int koshu_compat_text(const char *prefix, const char *name, char *text,
                      size_t size, char *fault);
int koshu_compat_int(const char *prefix, const char *name, int min, int max,
                     int *number, char *fault);

/* The settings of a library: PREFIX_BACKEND and so on. */
struct koshu_compat_settings {
    const char *prefix;
    char backend[64]; /* not checked yet */
    enum koshu_precision precision;
    int threads; /* 0: koshu decides */
    int verbose; /* 0 or 1 */
};

int
koshu_compat_settings_read(struct koshu_compat_settings *settings, char *fault);

/* Does the library pass on a log message of koshu? Always if it is a warning,
 * such as that a GPU is missing. */
bool koshu_compat_tells(const struct koshu_compat_settings *settings,
                        enum koshu_log_level level);

/*
 * Creates a context on the backend of the settings; log and log_user are its
 * options. -1: the backend, or the value of KOSHU_DEVICES or KOSHU_EXCHANGE, is
 * impossible; or out of memory.
 */
int koshu_compat_context(const struct koshu_compat_settings *settings,
                         koshu_log_function *log, void *log_user,
                         struct koshu_context **context, char *fault);

/* Writes "BACKEND, DEVICE, PRECISION precision", what sums run on. false: out
 * of memory. */
bool koshu_compat_describe(struct koshu_context *context,
                           const struct koshu_compat_settings *settings,
                           char line[KOSHU_COMPAT_LINE]);

/* The reason why a call of koshu failed. */
const char *
koshu_compat_reason(const struct koshu_context *context, koshu_status status);

#endif
