/* SPDX-License-Identifier: MIT */
/* Data files that come with koshu: in $KOSHU_DATA, if that is set, otherwise in
 * share/koshu beside the program's own folder, wherever that was moved to. */
#ifndef KOSHU_APP_DATA_FOLDER_H
#define KOSHU_APP_DATA_FOLDER_H

#include <limits.h>

#include <koshu/context.h>
#include <koshu/status.h>

/* The path of a folder in it, which may not exist. KOSHU_ERROR_IO: the
 * program's own path is unknown; KOSHU_ERROR_BAD_INPUT: the path is too
 * long. */
koshu_status data_folder(struct koshu_context *context, const char *name,
                         char path[PATH_MAX]);

#endif
