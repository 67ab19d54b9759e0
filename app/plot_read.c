/* SPDX-License-Identifier: MIT */
/* Reads the snapshots of a picture, one after the other. */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "plot.h"

/* ---- units --------------------------------------------------------------- */

static koshu_status
refuse_units(struct plot *p, size_t k)
{
    char first[128], other[128];
    koshu_units_text(&p->panels[0].info.units, sizeof first, first);
    koshu_units_text(&p->panels[k].info.units, sizeof other, other);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "%s is in %s, and %s in %s: there is no scale for both; "
                      "draw them apart, or give one units (koshu convert "
                      "--from)",
                      p->panels[0].path, first, p->panels[k].path, other);
}

static void
tell(struct plot *p, size_t k)
{
    char from[128], to[128];
    struct plot_panel *panel = &p->panels[k];
    koshu_units_text(&panel->info.units, sizeof from, from);
    koshu_units_text(&p->panels[0].info.units, sizeof to, to);
    if (!panel->converted)
        koshu_log(p->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: converted from %s to %s, as %s is", panel->path, from,
                  to, p->panels[0].path);
    panel->converted = true;
}

/* Converts all panels to the units of the first. */
static koshu_status
convert(struct plot *p, size_t k)
{
    const struct koshu_units *to = &p->panels[0].info.units;
    struct koshu_snapshot_info *info = &p->panels[k].info;
    const struct koshu_units from = info->units;
    const double length = koshu_units_factor(&from, to, KOSHU_QUANTITY_LENGTH);
    const double time = koshu_units_factor(&from, to, KOSHU_QUANTITY_TIME);
    if (length == 0) return refuse_units(p, k);
    if (length == 1 && time == 1 &&
        koshu_units_factor(&from, to, KOSHU_QUANTITY_MASS) == 1)
        return KOSHU_OK;
    tell(p, k);
    /* otherwise it is the scale factor */
    if (!(info->hubble > 0)) info->time *= time;
    info->softening *= length;
    info->box_size *= length;
    info->units = *to;
    return plot_name_file(p, k,
                          koshu_particles_convert(p->particles, &from, to));
}

koshu_status
plot_read(struct plot *plot, size_t k)
{
    if (plot->particles && plot->read == k) return KOSHU_OK;
    koshu_particles_destroy(plot->particles);
    plot->particles = NULL;
    plot->read = k;
    plot->panels[k].info.size = sizeof plot->panels[k].info;
    KOSHU_TRY(koshu_snapshot_read(plot->context, plot->panels[k].path,
                                  &plot->panels[k].info, &plot->particles));
    if (k > 0) KOSHU_TRY(convert(plot, k));
    return plot_wrap(plot, k);
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
