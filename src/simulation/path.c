/* SPDX-License-Identifier: MIT */
/* Where the files of a run are. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "simulation/simulation.h"

koshu_status
koshu_output_path(struct koshu_context *context, const char *directory,
                  const char *name, char path[KOSHU_PATH_SIZE])
{
    int n = snprintf(path, KOSHU_PATH_SIZE, "%s/%s", directory, name);
    if (n < KOSHU_PATH_SIZE) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "output.directory: %zu characters; a path has at most "
                      "%d",
                      strlen(directory), KOSHU_PATH_SIZE - 1);
}
