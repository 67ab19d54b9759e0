/* SPDX-License-Identifier: MIT */
/* koshu info: its arguments, and the part about files. */
#ifndef KOSHU_APP_INFO_H
#define KOSHU_APP_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct info_arguments {
    const char **files;
    size_t n_files;
    bool json, stats, parameters;
};

/* Prints what this file holds. */
koshu_status info_file(struct koshu_context *context, const char *path,
                       const struct info_arguments *arguments);

#endif
