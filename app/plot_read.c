/* SPDX-License-Identifier: MIT */
/* The snapshots of a picture, one after the other. */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "plot.h"

koshu_status
plot_read(struct plot *plot, size_t k)
{
    if (plot->particles && plot->read == k) return KOSHU_OK;
    koshu_particles_destroy(plot->particles);
    plot->particles = NULL;
    plot->read = k;
    plot->panels[k].info.size = sizeof plot->panels[k].info;
    return koshu_snapshot_read(plot->context, plot->panels[k].path,
                               &plot->panels[k].info, &plot->particles);
}

koshu_status
plot_name_file(struct plot *plot, size_t k, koshu_status status)
{
    if (status == KOSHU_OK) return status;
    char message[1024];
    snprintf(message, sizeof message, "%s",
             koshu_context_message(plot->context));
    return koshu_fail(plot->context, status, "%s: %s", plot->panels[k].path,
                      message);
}

koshu_status
plot_begin(struct koshu_context *context,
           const struct plot_arguments *arguments, struct plot *plot)
{
    const size_t n = arguments->files.n;
    *plot = (struct plot){.context = context,
                          .a = arguments,
                          .n = n,
                          .panels = calloc(n, sizeof *plot->panels)};
    if (!plot->panels)
        return koshu_fail_memory(context, n * sizeof *plot->panels,
                                 "panels of a picture");
    for (size_t k = 0; k < n; k++)
        plot->panels[k].path = arguments->files.word[k];
    return KOSHU_OK;
}

void
plot_empty(struct plot *plot, size_t k)
{
    free(plot->panels[k].sigma);
    free(plot->panels[k].stars.star);
    plot->panels[k].sigma = NULL;
    plot->panels[k].stars = (struct koshu_star_panel){0};
}

void
plot_free(struct plot *plot)
{
    for (size_t k = 0; plot->panels && k < plot->n; k++) plot_empty(plot, k);
    free(plot->panels);
    koshu_particles_destroy(plot->particles);
}
