/* SPDX-License-Identifier: MIT */
/*
 * Settings from environment variables. A variable that is not set, or empty,
 * leaves what is there. -1: an impossible value, with a message in `fault`,
 * which has room for KOSHU_COMPAT_LINE characters.
 */
#ifndef KOSHU_COMPAT_ENVIRONMENT_H
#define KOSHU_COMPAT_ENVIRONMENT_H

#include <koshu/context.h>
#include <koshu/force.h>

#include "compat/message.h"

/* NULL where it is not set, or empty. */
const char *koshu_compat_value(const char *name);

int
koshu_compat_int(const char *name, int min, int max, int *number, char *fault);

/*
 * A context on the backend that a variable names. -1: the backend, or what
 * KOSHU_DEVICES and KOSHU_EXCHANGE say, is impossible; or there is no memory.
 */
int koshu_compat_context(const char *variable,
                         const struct koshu_context_options *options,
                         struct koshu_context **context, char *fault);

/* single, mixed or double. */
int koshu_compat_precision(const char *name, enum koshu_precision *precision,
                           char *fault);

#endif
