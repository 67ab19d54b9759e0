/* SPDX-License-Identifier: MIT */
/* The title of a run, from the parameters in its snapshots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <koshu/parameters.h>

#include "app.h"
#include "plot.h"

static koshu_status
read_title(struct koshu_context *context, const char *snapshot, char *title,
           size_t size)
{
    struct koshu_parameters *parameters;
    const char *given;
    char *text;
    KOSHU_TRY(koshu_snapshot_parameters(context, snapshot, &text));
    if (!text) return KOSHU_OK;
    koshu_status status = koshu_parameters_create(context, &parameters);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse(parameters, snapshot, text);
    if (status == KOSHU_OK)
        status = koshu_parameters_get(parameters, "title", &given);
    if (status == KOSHU_OK) snprintf(title, size, "%s", given);
    koshu_parameters_destroy(parameters);
    free(text);
    return status;
}

/* A snapshot that cannot be read has no title; that is no reason not to
 * draw. */
void
plot_title_of(struct koshu_context *context, const char *snapshot, char *title,
              size_t size)
{
    title[0] = '\0';
    if (read_title(context, snapshot, title, size) != KOSHU_OK) title[0] = '\0';
}

void
plot_title_of_log(struct koshu_context *context, const char *log, char *title,
                  size_t size)
{
    const char *slash = strrchr(log, '/');
    char snapshot[4096];
    snprintf(snapshot, sizeof snapshot, "%.*ssnapshot_0000.hdf5",
             slash ? (int)(slash - log) + 1 : 0, log);
    title[0] = '\0';
    if (access(snapshot, R_OK) == 0)
        plot_title_of(context, snapshot, title, size);
}
