/* SPDX-License-Identifier: MIT */
/* The surface density of snapshots: one panel for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/snapshot.h>

#include "app.h"
#include "plot.h"

/* The automatic width is the radius of this fraction of the mass, and a margin
 * about it: in a model with an edge, all of it. */
static const double shown_fraction = 0.9, margin = 1.2;

enum { LABEL = 64 };

struct panel {
    struct koshu_snapshot_info info;
    double radius, *sigma;
    char label[LABEL];
};

struct plot {
    struct koshu_context *context;
    const struct plot_arguments *a;
    struct panel *panels;
    struct koshu_density_panel *shown; /* of them */
    /* The snapshot read last: a single one is not read twice. */
    struct koshu_particles *particles;
    size_t read;
    struct koshu_picture_view view;
    struct koshu_density_options options;
};

static koshu_status
read_snapshot(struct plot *p, size_t k)
{
    if (p->particles && p->read == k) return KOSHU_OK;
    koshu_particles_destroy(p->particles);
    p->particles = NULL;
    p->read = k;
    p->panels[k].info.size = sizeof p->panels[k].info;
    return koshu_snapshot_read(p->context, p->a->files.word[k],
                               &p->panels[k].info, &p->particles);
}

/* The library knows particles, not files: puts the name before its message. */
static koshu_status
name_file(struct plot *p, size_t k, koshu_status status)
{
    if (status == KOSHU_OK) return status;
    char message[1024];
    snprintf(message, sizeof message, "%s", koshu_context_message(p->context));
    return koshu_fail(p->context, status, "%s: %s", p->a->files.word[k],
                      message);
}

/* ---- the view --------------------------------------------------------- */

static koshu_status
measure(struct plot *p, size_t k)
{
    double *centre = p->shown[k].centre;
    memcpy(centre, p->a->centre, sizeof p->a->centre);
    if (isnan(centre[0]))
        KOSHU_TRY(koshu_picture_view_centre(p->particles, centre));
    return koshu_picture_view_radius(p->particles, centre, shown_fraction,
                                     &p->panels[k].radius);
}

/* Up to the next of the round numbers. */
static double
round_up(double x)
{
    static const double digits[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double power = pow(10, floor(log10(x)));
    size_t k = 0;
    while (digits[k] * power < x && k + 1 < sizeof digits / sizeof digits[0])
        k++;
    return digits[k] * power;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One width for all panels: the median of what each would have alone, so that
 * neither a dense beginning nor a wide end makes the rest small. 1 where all
 * mass sits in points. */
static koshu_status
choose_width(struct plot *p, double *half_width)
{
    size_t n = p->a->files.n;
    *half_width = p->a->half_width;
    if (*half_width > 0) return KOSHU_OK;
    double *radii = reallocarray(NULL, n, sizeof *radii);
    if (!radii)
        return koshu_fail_memory(p->context, n * sizeof *radii,
                                 "radii of a picture");
    for (size_t k = 0; k < n; k++) radii[k] = p->panels[k].radius;
    qsort(radii, n, sizeof *radii, compare);
    double median = radii[n / 2];
    free(radii);
    *half_width = median > 0 ? round_up(margin * median) : 1;
    return KOSHU_OK;
}

static size_t
common_pixels(const struct plot_arguments *a)
{
    if (a->pixels) return a->pixels;
    return a->files.n == 1 ? 640 : a->files.n <= 4 ? 400 : 320;
}

static koshu_status
choose_view(struct plot *p)
{
    for (size_t k = 0; k < p->a->files.n; k++) {
        KOSHU_TRY(read_snapshot(p, k));
        KOSHU_TRY(name_file(p, k, measure(p, k)));
    }
    p->options = koshu_density_options_default();
    p->options.view = &p->view;
    p->view = koshu_picture_view_default();
    p->view.axis = p->a->axis;
    KOSHU_TRY(choose_width(p, &p->view.half_width));
    p->view.pixels = common_pixels(p->a);
    p->options.min = p->a->min;
    p->options.max = p->a->max;
    p->options.units = p->panels[0].info.units;
    return KOSHU_OK;
}

/* ---- the panels -------------------------------------------------------- */

static koshu_status
fill_panel(struct plot *p, size_t k)
{
    struct panel *panel = &p->panels[k];
    struct koshu_picture_view view = p->view;
    size_t n = view.pixels * view.pixels;
    memcpy(view.centre, p->shown[k].centre, sizeof view.centre);
    panel->sigma = reallocarray(NULL, n, sizeof *panel->sigma);
    if (!panel->sigma)
        return koshu_fail_memory(p->context, n * sizeof *panel->sigma,
                                 "pixels of a picture");
    KOSHU_TRY(read_snapshot(p, k));
    return name_file(p, k,
                     koshu_surface_density(p->particles, &view, panel->sigma));
}

static bool
same_number(const struct plot *p)
{
    for (size_t k = 1; k < p->a->files.n; k++)
        if (p->panels[k].info.n != p->panels[0].info.n) return false;
    return true;
}

/* Time and number of particles stand in the title where they are those of all
 * panels and the user gave no other title, otherwise in each panel. */
static void
write_texts(struct plot *p, char title[LABEL])
{
    const struct koshu_snapshot_info *first = &p->panels[0].info;
    bool free_title = !p->a->title, n_in_title = free_title && same_number(p);
    p->options.title = p->a->title;
    if (n_in_title) p->options.title = title;
    if (free_title && p->a->files.n == 1) {
        snprintf(title, LABEL, "t = %.6g, N = %llu", first->time,
                 (unsigned long long)first->n);
        return;
    }
    snprintf(title, LABEL, "N = %llu", (unsigned long long)first->n);
    for (size_t k = 0; k < p->a->files.n; k++) {
        const struct koshu_snapshot_info *info = &p->panels[k].info;
        char *label = p->panels[k].label;
        if (n_in_title)
            snprintf(label, LABEL, "t = %.6g", info->time);
        else
            snprintf(label, LABEL, "t = %.6g, N = %llu", info->time,
                     (unsigned long long)info->n);
    }
}

static koshu_status
draw(struct plot *p)
{
    char title[LABEL];
    write_texts(p, title);
    for (size_t k = 0; k < p->a->files.n; k++) {
        p->shown[k].sigma = p->panels[k].sigma;
        p->shown[k].label = p->panels[k].label;
    }
    return koshu_picture_density(p->context, p->a->files.n, p->shown,
                                 p->a->output, &p->options);
}

koshu_status
plot_snapshots(struct koshu_context *context,
               const struct plot_arguments *arguments)
{
    const size_t n = arguments->files.n;
    struct plot p = {.context = context,
                     .a = arguments,
                     .panels = calloc(n, sizeof *p.panels),
                     .shown = calloc(n, sizeof *p.shown)};
    koshu_status status =
            p.panels && p.shown
                    ? choose_view(&p)
                    : koshu_fail_memory(context, n * sizeof *p.panels,
                                        "panels of a picture");
    for (size_t k = 0; k < n && status == KOSHU_OK; k++)
        status = fill_panel(&p, k);
    if (status == KOSHU_OK) status = draw(&p);
    for (size_t k = 0; p.panels && k < n; k++) free(p.panels[k].sigma);
    free(p.panels);
    free(p.shown);
    koshu_particles_destroy(p.particles);
    return status;
}
