/* SPDX-License-Identifier: MIT */
/* Draws particles as stars: a glowing disc for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "output/grid.h"
#include "output/output.h"
#include "output/palette.h"
#include "output/picture_format.h"
#include "output/scale.h"
#include "output/stars.h"

/* Radii of discs as fractions of a panel: of the mean star (before division by
 * the root of their number), and the smallest and largest allowed. */
static const double mean_radius = 0.085, radius_min = 0.0011,
                    radius_max = 0.016;

/* A star is drawn as discs on top of each other, the widest first: the radius
 * of each, and its transparency (255: invisible). Together they look like a
 * glow. */
static const struct layer {
    double radius;
    unsigned alpha;
} layers[] = {{4.5, 248}, {3.4, 244},  {2.5, 236},
              {1.8, 220}, {1.35, 170}, {1, 0}};
enum { N_LAYERS = sizeof layers / sizeof layers[0] };

struct picture {
    struct koshu_grid grid;
    const struct koshu_density_options *options;
    const struct koshu_star_panel *panels;
    size_t n_panels;
    bool by_mass; /* colours show the mass, else the speed */
    struct koshu_grid_axis colours;
    unsigned palette[KOSHU_PALETTE_COUNT];
    double scale; /* radius = scale * size_of() */
};

/* ---- sizes and colours --------------------------------------------------- */

/* A disc's radius, but for a factor: its area is proportional to the mass, or
 * to the root of the light. */
static double
size_of(const struct picture *p, const struct koshu_star *star)
{
    const enum koshu_weight weight = p->options->view->weight;
    const double w = koshu_weight_of(weight, star->mass);
    return weight == KOSHU_WEIGHT_LIGHT ? sqrt(sqrt(w)) : sqrt(w);
}

/* The mean area of discs decreases with the number of stars, down to where they
 * would be too small to see. */
static void
choose_scale(struct picture *p)
{
    double area = 0, n = 0, largest = 1;
    for (size_t k = 0; k < p->n_panels; k++) {
        largest = fmax(largest, (double)p->panels[k].n);
        for (size_t i = 0; i < p->panels[k].n; i++, n++)
            area += pow(size_of(p, &p->panels[k].star[i]), 2);
    }
    const double root = sqrt(area / n);
    const double radius = fmax(mean_radius / sqrt(largest), radius_min);
    p->scale = root > 0 ? fmin(radius, radius_max / 1.6) / root : 0;
}

static double
radius_of(const struct picture *p, const struct koshu_star *star)
{
    const double radius = p->scale * size_of(p, star);
    return fmin(fmax(radius, radius_min), radius_max);
}

/* The smallest and largest mass or speed in all panels. */
static void
find_range(struct picture *p, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t k = 0; k < p->n_panels; k++)
        for (size_t i = 0; i < p->panels[k].n; i++) {
            const struct koshu_star *s = &p->panels[k].star[i];
            const double value = p->by_mass ? s->mass : s->speed;
            if (p->by_mass && !(value > 0)) continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
}

/* Colours show masses where these differ, else speeds. */
static void
choose_colours(struct picture *p)
{
    struct koshu_grid_axis *c = &p->colours;
    p->by_mass = true;
    find_range(p, &c->low, &c->high);
    p->by_mass = c->high > 1.001 * c->low;
    c->log = p->by_mass;
    if (p->by_mass) {
        c->low = log10(c->low);
        c->high = log10(c->high);
        koshu_name_mass(&p->options->units, c);
    } else {
        find_range(p, &c->low, &c->high);
        c->low = 0;
        koshu_name_speed(&p->options->units, c);
    }
    /* a single value: any range will do */
    if (c->high == c->low) c->high = c->low + 1;
}

static koshu_status
choose_range(struct koshu_context *context, struct picture *p)
{
    struct koshu_grid_axis *c = &p->colours;
    if (!isnan(p->options->min)) c->low = p->options->min;
    if (!isnan(p->options->max)) c->high = p->options->max;
    return koshu_check_range(context, c->low, c->high);
}

koshu_status
koshu_stars_range(struct koshu_context *context, size_t n_panels,
                  const struct koshu_star_panel *panels,
                  const struct koshu_density_options *options,
                  struct koshu_scale *range)
{
    struct picture p = {
            .options = options, .panels = panels, .n_panels = n_panels};
    choose_colours(&p);
    KOSHU_TRY(choose_range(context, &p));
    *range = (struct koshu_scale){p.colours.low, p.colours.high};
    return KOSHU_OK;
}

static unsigned
colour_of(const struct picture *p, const struct koshu_star *star)
{
    const struct koshu_grid_axis *c = &p->colours;
    const double value = p->by_mass ? log10(star->mass) : star->speed;
    const double part = (value - c->low) / (c->high - c->low);
    const double k = fmin(fmax(part, 0), 1) * (KOSHU_PALETTE_COUNT - 1);
    return p->palette[(int)k];
}

/* ---- drawing ------------------------------------------------------------- */

static void
print_layer(struct picture *p, const struct koshu_star_panel *panel,
            const struct layer *layer)
{
    const struct koshu_canvas *c = &p->grid.g.canvas;
    const enum koshu_picture_format format = koshu_picture_format_of(c->path);
    const double x = (p->grid.o.x.high + p->grid.o.x.low) / 2,
                 y = (p->grid.o.y.high + p->grid.o.y.low) / 2;
    for (size_t i = 0; i < panel->n; i++) {
        const struct koshu_star *s = &panel->star[i];
        const double radius = radius_of(p, s) * p->grid.panel * layer->radius;
        const double row[4] = {
                x + s->x, y + s->y,
                koshu_picture_point_size(format, radius, c->font),

                colour_of(p, s) | layer->alpha << 24};
        koshu_gnuplot_data(&p->grid.g, row, 4);
    }
}

static void
print_stars(struct picture *p, const struct koshu_star_panel *panel)
{
    static const char *const style =
            "'-' binary record=(%zu) format='%%float64' using 1:2:3:4 with "
            "points pointtype 7 pointsize variable linecolor rgb variable "
            "notitle%s";
    koshu_gnuplot_print(&p->grid.g,
                        "set object 2 rectangle from graph 0,graph 0 to graph "
                        "1,graph 1 behind fillcolor rgb 'black' fillstyle "
                        "solid noborder\nplot ");
    for (int k = 0; k < N_LAYERS; k++)
        koshu_gnuplot_print(&p->grid.g, style, panel->n,
                            k + 1 < N_LAYERS ? ", " : "\n");
    for (int k = 0; k < N_LAYERS; k++) print_layer(p, panel, &layers[k]);
    koshu_gnuplot_print(&p->grid.g, "\n");
}

static koshu_status
begin(struct picture *p, struct koshu_context *context, const char *path,
      const struct koshu_plane *plane)
{
    const struct koshu_density_options *o = p->options;
    struct koshu_plane own;
    if (!plane)
        koshu_place_plane(p->n_panels, p->panels->centre, sizeof *p->panels, o,
                          &own);
    const struct koshu_grid_options grid = {.path = path,
                                            .title = o->title,
                                            .n = p->n_panels,
                                            .pixels = o->view->pixels,
                                            .x = (plane ? plane : &own)->x,
                                            .y = (plane ? plane : &own)->y,
                                            .palette = p->palette,
                                            .dark = o->dark};
    koshu_star_palette(p->palette);
    choose_scale(p);
    choose_colours(p);
    KOSHU_TRY(choose_range(context, p));
    KOSHU_TRY(koshu_grid_begin(&p->grid, context, &grid));
    koshu_grid_colours(&p->grid, &p->colours);
    return KOSHU_OK;
}

koshu_status
koshu_picture_stars(struct koshu_context *context, size_t n_panels,
                    const struct koshu_star_panel *panels, const char *path,
                    const struct koshu_density_options *options,
                    const struct koshu_plane *plane)
{
    struct koshu_density_options o;
    struct koshu_picture_view view;
    KOSHU_TRY(
            koshu_picture_options_read(context, n_panels, options, &o, &view));
    struct picture p = {.options = &o, .panels = panels, .n_panels = n_panels};
    KOSHU_TRY(begin(&p, context, path, plane));
    for (size_t k = 0; k < n_panels; k++) {
        koshu_grid_panel(&p.grid, k, panels[k].label);
        print_stars(&p, &panels[k]);
    }
    return koshu_grid_finish(&p.grid);
}
