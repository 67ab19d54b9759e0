/* SPDX-License-Identifier: MIT */
/*
 * What environment variables say, and a context as they say it. A variable that
 * is not set, or empty, leaves what is there. -1: an impossible value, with a
 * message in `fault`, which has room for KOSHU_COMPAT_LINE characters.
 */
#ifndef KOSHU_COMPAT_ENVIRONMENT_H
#define KOSHU_COMPAT_ENVIRONMENT_H

#include <stdbool.h>

#include <koshu/context.h>
#include <koshu/force.h>

#include "compat/message.h"

/* The variable PREFIX_NAME. */
int koshu_compat_text(const char *prefix, const char *name, char *text,
                      size_t size, char *fault);
int koshu_compat_int(const char *prefix, const char *name, int min, int max,
                     int *number, char *fault);

/* What each library is told: PREFIX_BACKEND and so on. */
struct koshu_compat_settings {
    const char *prefix;
    char backend[64]; /* not checked */
    enum koshu_precision precision;
    int threads; /* 0: as koshu decides */
    int verbose; /* 0 or 1 */
};

int
koshu_compat_settings_read(struct koshu_compat_settings *settings, char *fault);

/* Does a library tell of what koshu logs? Of warnings always: that a GPU is
 * missing, for one. */
bool koshu_compat_tells(const struct koshu_compat_settings *settings,
                        enum koshu_log_level level);

/*
 * A context on the backend of the settings; log and log_user are its options.
 * -1: the backend, or what KOSHU_DEVICES and KOSHU_EXCHANGE say, is impossible;
 * or there is no memory.
 */
int koshu_compat_context(const struct koshu_compat_settings *settings,
                         koshu_log_function *log, void *log_user,
                         struct koshu_context **context, char *fault);

/* "BACKEND, DEVICE, PRECISION precision": what sums run on. false: there is no
 * memory to find out. */
bool koshu_compat_describe(struct koshu_context *context,
                           const struct koshu_compat_settings *settings,
                           char line[KOSHU_COMPAT_LINE]);

/* What went wrong in a call of koshu. */
const char *
koshu_compat_reason(const struct koshu_context *context, koshu_status status);

#endif
