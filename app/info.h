/* SPDX-License-Identifier: MIT */
/* koshu info: its arguments, and the part about files. */
#ifndef KOSHU_APP_INFO_H
#define KOSHU_APP_INFO_H

#include <stdbool.h>

#include <koshu/context.h>
#include <koshu/status.h>

#include "fields.h"

struct info_arguments {
    struct word_list files;
    bool json, stats, energy, parameters;
};

/* Prints what this file holds. */
koshu_status info_file(struct koshu_context *context, const char *path,
                       const struct info_arguments *arguments);

#endif
