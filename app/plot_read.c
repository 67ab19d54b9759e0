/* SPDX-License-Identifier: MIT */
/* The snapshots of a picture, one after the other. */
#include <stdio.h>

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
    return koshu_snapshot_read(plot->context, plot->a->files.word[k],
                               &plot->panels[k].info, &plot->particles);
}

koshu_status
plot_name_file(struct plot *plot, size_t k, koshu_status status)
{
    if (status == KOSHU_OK) return status;
    char message[1024];
    snprintf(message, sizeof message, "%s",
             koshu_context_message(plot->context));
    return koshu_fail(plot->context, status, "%s: %s", plot->a->files.word[k],
                      message);
}
