/* SPDX-License-Identifier: MIT */
/* Pictures of snapshots: a panel for each. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "plot.h"

static koshu_status
fill_density(struct plot *p, const struct koshu_picture_view *view, size_t k)
{
    const size_t n = view->pixels * view->pixels;
    struct plot_panel *panel = &p->panels[k];
    panel->sigma = reallocarray(NULL, n, sizeof *panel->sigma);
    if (!panel->sigma)
        return koshu_fail_memory(p->context, n * sizeof *panel->sigma,
                                 "pixels of a picture");
    return koshu_surface_density(p->particles, view, panel->sigma);
}

static koshu_status
fill_panel(struct plot *p, size_t k)
{
    struct plot_panel *panel = &p->panels[k];
    struct koshu_picture_view view = p->view;
    memcpy(view.centre, panel->centre, sizeof view.centre);
    KOSHU_TRY(plot_read(p, k));
    return plot_name_file(
            p, k,
            p->stars ? koshu_stars_collect(p->particles, &view, &panel->stars)
                     : fill_density(p, &view, k));
}

static koshu_status
fail_memory(struct plot *p)
{
    return koshu_fail_memory(p->context, p->n * sizeof *p->panels,
                             "panels of a picture");
}

static koshu_status
draw_stars(struct plot *p)
{
    struct koshu_star_panel *shown = calloc(p->n, sizeof *shown);
    if (!shown) return fail_memory(p);
    for (size_t k = 0; k < p->n; k++) {
        shown[k] = p->panels[k].stars;
        shown[k].label = p->panels[k].label;
        memcpy(shown[k].centre, p->panels[k].centre, sizeof shown[k].centre);
    }
    const koshu_status status = koshu_picture_stars(p->context, p->n, shown,
                                                    p->a->output, &p->options);
    free(shown);
    return status;
}

static koshu_status
draw_density(struct plot *p)
{
    struct koshu_density_panel *shown = calloc(p->n, sizeof *shown);
    if (!shown) return fail_memory(p);
    for (size_t k = 0; k < p->n; k++) {
        shown[k].sigma = p->panels[k].sigma;
        shown[k].label = p->panels[k].label;
        memcpy(shown[k].centre, p->panels[k].centre, sizeof shown[k].centre);
    }
    const koshu_status status = koshu_picture_density(
            p->context, p->n, shown, p->a->output, &p->options);
    free(shown);
    return status;
}

static void
free_plot(struct plot *p)
{
    for (size_t k = 0; p->panels && k < p->n; k++) {
        free(p->panels[k].sigma);
        free(p->panels[k].stars.star);
    }
    free(p->panels);
    koshu_particles_destroy(p->particles);
}

koshu_status
plot_snapshots(struct koshu_context *context,
               const struct plot_arguments *arguments)
{
    struct plot p = {.context = context,
                     .a = arguments,
                     .n = arguments->files.n,
                     .panels = calloc(arguments->files.n, sizeof *p.panels)};
    koshu_status status = p.panels ? plot_choose_view(&p) : fail_memory(&p);
    for (size_t k = 0; k < p.n && status == KOSHU_OK; k++)
        status = fill_panel(&p, k);
    if (status == KOSHU_OK) {
        plot_write_texts(&p);
        status = p.stars ? draw_stars(&p) : draw_density(&p);
    }
    free_plot(&p);
    return status;
}
