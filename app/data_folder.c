/* SPDX-License-Identifier: MIT */
/* Finds the data files that come with koshu. */
#include "data_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

/* The folder of the running program. */
static bool
program_directory(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n < 0) return false;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

koshu_status
data_folder(struct koshu_context *context, const char *name,
            char path[PATH_MAX])
{
    char here[PATH_MAX];
    const char *data = getenv("KOSHU_DATA");
    int n;
    if (data && data[0])
        n = snprintf(path, PATH_MAX, "%s/%s", data, name);
    else if (program_directory(here))
        n = snprintf(path, PATH_MAX, "%s/" KOSHU_PROGRAM_TO_DATA "/%s", here,
                     name);
    else
        return koshu_fail_errno(context, KOSHU_ERROR_IO,
                                "cannot find the folder of the program; set "
                                "KOSHU_DATA");
    if (n < PATH_MAX) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "the name of koshu's data folder is longer than %d",
                      PATH_MAX);
}
