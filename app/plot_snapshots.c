/* SPDX-License-Identifier: MIT */
/* Pictures of snapshots: a panel for each. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "plot.h"

static koshu_status
fill_stars(struct plot *p, size_t k)
{
    struct plot_panel *panel = &p->panels[k];
    return p->in_phase_space
                   ? koshu_phase_stars(p->particles, &p->phase, &panel->stars)
                   : koshu_stars_collect(p->particles, &p->view, &panel->stars);
}

static koshu_status
fill_density(struct plot *p, size_t k)
{
    const size_t n = p->view.pixels * p->view.pixels;
    struct plot_panel *panel = &p->panels[k];
    panel->sigma = reallocarray(NULL, n, sizeof *panel->sigma);
    if (!panel->sigma)
        return koshu_fail_memory(p->context, n * sizeof *panel->sigma,
                                 "pixels of a picture");
    return p->in_phase_space
                   ? koshu_phase_density(p->particles, &p->phase, panel->sigma)
                   : koshu_surface_density(p->particles, &p->view,
                                           panel->sigma);
}

koshu_status
plot_fill(struct plot *plot, size_t k)
{
    const struct plot_panel *panel = &plot->panels[k];
    memcpy(plot->view.centre, panel->centre, sizeof panel->centre);
    memcpy(plot->phase.centre, panel->centre, sizeof panel->centre);
    memcpy(plot->phase.velocity, panel->velocity, sizeof panel->velocity);
    KOSHU_TRY(plot_read(plot, k));
    return plot_name_file(
            plot, k, plot->stars ? fill_stars(plot, k) : fill_density(plot, k));
}

static koshu_status
draw_stars(struct plot *p, struct koshu_star_panel *shown)
{
    for (size_t k = 0; k < p->n; k++) {
        shown[k] = p->panels[k].stars;
        shown[k].label = p->panels[k].label;
        memcpy(shown[k].centre, p->panels[k].centre, sizeof shown[k].centre);
    }
    return koshu_picture_stars(p->context, p->n, shown, p->a->output,
                               &p->options,
                               p->in_phase_space ? &p->plane : NULL);
}

static koshu_status
draw_density(struct plot *p, struct koshu_density_panel *shown)
{
    for (size_t k = 0; k < p->n; k++) {
        shown[k].sigma = p->panels[k].sigma;
        shown[k].label = p->panels[k].label;
        memcpy(shown[k].centre, p->panels[k].centre, sizeof shown[k].centre);
    }
    return koshu_picture_density_in(p->context, p->n, shown, p->a->output,
                                    &p->options,
                                    p->in_phase_space ? &p->plane : NULL);
}

static koshu_status
draw(struct plot *p)
{
    const size_t size = p->stars ? sizeof(struct koshu_star_panel)
                                 : sizeof(struct koshu_density_panel);
    void *shown = calloc(p->n, size);
    if (!shown)
        return koshu_fail_memory(p->context, p->n * size,
                                 "panels of a picture");
    const koshu_status status =
            p->stars ? draw_stars(p, shown) : draw_density(p, shown);
    free(shown);
    return status;
}

koshu_status
plot_snapshots(struct koshu_context *context,
               const struct plot_arguments *arguments)
{
    struct plot p;
    koshu_status status = plot_begin(context, arguments, &p);
    if (status == KOSHU_OK) status = plot_choose_view(&p);
    for (size_t k = 0; k < p.n && status == KOSHU_OK; k++)
        status = plot_fill(&p, k);
    if (status == KOSHU_OK) {
        plot_write_texts(&p);
        status = draw(&p);
    }
    plot_free(&p);
    return status;
}
