/* SPDX-License-Identifier: MIT */
/* The costs of a machine's ranks, which `koshu bench scaling --save` writes and
 * `koshu predict` reads. */
#ifndef KOSHU_APP_RANK_COSTS_H
#define KOSHU_APP_RANK_COSTS_H

#include <jansson.h>

#include <koshu/context.h>

#include "internal.h"

struct rank_costs_file {
    char device[160], precision[16];
    int ranks; /* how many it was measured on */
    struct koshu_rank_costs costs;
};

/* KOSHU_ERROR_IO. */
koshu_status rank_costs_save(struct koshu_context *context, const char *path,
                             const struct rank_costs_file *file);
/* Reads the costs from what costs_load() has read. KOSHU_ERROR_BAD_INPUT, with
 * the place. */
koshu_status rank_costs_unpack(struct koshu_context *context, const char *path,
                               json_t *root, struct rank_costs_file *file);

/* ---- of any method ------------------------------------------------------- */

/* Writes an object, and releases it. NULL is KOSHU_ERROR_BAD_INPUT;
 * KOSHU_ERROR_IO. */
koshu_status
costs_save(struct koshu_context *context, const char *path, json_t *root);
/* Reads an object, which the caller releases. KOSHU_ERROR_NOT_FOUND;
 * KOSHU_ERROR_BAD_INPUT, with the line. */
koshu_status
costs_load(struct koshu_context *context, const char *path, json_t **root);

#endif
