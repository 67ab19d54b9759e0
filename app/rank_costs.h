/* SPDX-License-Identifier: MIT */
/* What ranks of a machine cost, as `koshu bench scaling --save` keeps it and
 * `koshu predict` reads it. */
#ifndef KOSHU_APP_RANK_COSTS_H
#define KOSHU_APP_RANK_COSTS_H

#include <jansson.h>

#include <koshu/context.h>

#include "internal.h"

struct rank_costs_file {
    char device[160], precision[16];
    int ranks; /* on how many it was measured */
    struct koshu_rank_costs costs;
};

/* KOSHU_ERROR_IO. */
koshu_status rank_costs_save(struct koshu_context *context, const char *path,
                             const struct rank_costs_file *file);
/* Of what costs_load() has read. KOSHU_ERROR_BAD_INPUT: naming the place. */
koshu_status rank_costs_unpack(struct koshu_context *context, const char *path,
                               json_t *root, struct rank_costs_file *file);

/* ---- of any method ------------------------------------------------------- */

/* Writes an object, and gives it up. NULL is KOSHU_ERROR_BAD_INPUT;
 * KOSHU_ERROR_IO. */
koshu_status
costs_save(struct koshu_context *context, const char *path, json_t *root);
/* An object, for the caller to give up. KOSHU_ERROR_NOT_FOUND,
 * KOSHU_ERROR_BAD_INPUT: naming the line. */
koshu_status
costs_load(struct koshu_context *context, const char *path, json_t **root);

#endif
