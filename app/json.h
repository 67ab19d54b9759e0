/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_APP_JSON_H
#define KOSHU_APP_JSON_H

#include <jansson.h>

#include <koshu/context.h>
#include <koshu/status.h>

/* Prints an object on one line of standard output, in the order in which it
 * was put together, and gives it up. NULL (what jansson makes of a text that
 * is not UTF-8) is KOSHU_ERROR_BAD_INPUT. */
koshu_status print_json(struct koshu_context *context, json_t *object);

#endif
