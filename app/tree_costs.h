/* SPDX-License-Identifier: MIT */
/* What trees cost on ranks of a machine, as `koshu bench scaling --method tree
 * --save` keeps it and `koshu predict` reads it. */
#ifndef KOSHU_APP_TREE_COSTS_H
#define KOSHU_APP_TREE_COSTS_H

#include <stdbool.h>

#include <jansson.h>

#include <koshu/context.h>

#include "internal.h"

struct tree_costs_file {
    char device[160], precision[16], model[32];
    char source[256]; /* where numbers come from, if by hand; else "" */
    int ranks;        /* on how many it was measured */
    struct koshu_tree_costs costs;
};

/* Is what costs_load() has read of trees? */
bool tree_costs_are(const json_t *root);

/* KOSHU_ERROR_IO. */
koshu_status tree_costs_save(struct koshu_context *context, const char *path,
                             const struct tree_costs_file *file);
/* Of what costs_load() has read. KOSHU_ERROR_BAD_INPUT: naming the place. */
koshu_status tree_costs_unpack(struct koshu_context *context, const char *path,
                               json_t *root, struct tree_costs_file *file);

#endif
