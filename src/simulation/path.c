/* SPDX-License-Identifier: MIT */
/* The paths and names of the files of a run. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "simulation/simulation.h"

const char *const koshu_log_names[KOSHU_LOGS] = {
        [KOSHU_ENERGY_LOG] = "energy.csv",
        [KOSHU_PERFORMANCE_LOG] = "performance.csv",
        [KOSHU_ERRORS_LOG] = "errors.csv",
        [KOSHU_CLUSTER_LOG] = "cluster.csv",
        [KOSHU_EVENTS_LOG] = "events.csv"};

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
