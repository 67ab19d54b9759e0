/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_APP_JSON_H
#define KOSHU_APP_JSON_H

#include <jansson.h>

#include <koshu/context.h>
#include <koshu/status.h>

/* Prints an object on one line of standard output, with its members in the
 * order in which they were added, and releases it. NULL (which jansson returns
 * for a text that is not UTF-8) is KOSHU_ERROR_BAD_INPUT. */
koshu_status print_json(struct koshu_context *context, json_t *object);

#endif
