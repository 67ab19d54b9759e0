/* SPDX-License-Identifier: MIT */
/* The costs of trees on a machine's ranks, which `koshu bench scaling --method
 * tree --save` writes and `koshu predict` reads. */
#ifndef KOSHU_APP_TREE_COSTS_H
#define KOSHU_APP_TREE_COSTS_H

#include <stdbool.h>

#include <jansson.h>

#include <koshu/context.h>

#include "internal.h"

struct tree_costs_file {
    char device[160], precision[16], model[32];
    char source[256]; /* of numbers entered by hand; otherwise "" */
    int ranks;        /* how many it was measured on */
    struct koshu_tree_costs costs;
};

/* Has costs_load() read costs of trees? */
bool tree_costs_are(const json_t *root);

/* KOSHU_ERROR_IO. */
koshu_status tree_costs_save(struct koshu_context *context, const char *path,
                             const struct tree_costs_file *file);
/* Reads the costs from what costs_load() has read. KOSHU_ERROR_BAD_INPUT, with
 * the place. */
koshu_status tree_costs_unpack(struct koshu_context *context, const char *path,
                               json_t *root, struct tree_costs_file *file);

#endif
