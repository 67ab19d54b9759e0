/* SPDX-License-Identifier: MIT */
/* What ranks of a machine cost, as `koshu bench scaling --save` keeps it and
 * `koshu predict` reads it. */
#ifndef KOSHU_APP_RANK_COSTS_H
#define KOSHU_APP_RANK_COSTS_H

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
/* KOSHU_ERROR_NOT_FOUND, KOSHU_ERROR_BAD_INPUT: naming the place. */
koshu_status rank_costs_load(struct koshu_context *context, const char *path,
                             struct rank_costs_file *file);

#endif
