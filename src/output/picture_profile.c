/* SPDX-License-Identifier: MIT */
/* Draws density profiles of snapshots in one panel. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/gnuplot.h"
#include "output/panel.h"
#include "output/profile.h"
#include "output/run_log.h"
#include "output/scale.h"
#include "output/ticks.h"
#include "particles/particles.h"

/* In units. */
enum {
    LEFT = 108,
    RIGHT = 30,
    BOTTOM = 76,
    NAME = 22,
    TOP = 18,
    TITLE = 30,
    SIDE = 520,
    LABELS = 8
};

/* The range of all radii with a margin, in log10. */
static void
find_radii(size_t n, const struct koshu_profile *profiles, double *low,
           double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        *low = fmin(*low, log10(profiles[k].radius[0]));
        *high = fmax(*high, log10(profiles[k].radius[profiles[k].n - 1]));
    }
    *low -= 0.05;
    *high += 0.05;
}

static void
print_radius(struct koshu_gnuplot *g, size_t n,
             const struct koshu_profile *profiles,
             const struct koshu_units *units)
{
    struct koshu_log_ticks ticks;
    double low, high;
    char unit[KOSHU_AXIS_TEXT];
    find_radii(n, profiles, &low, &high);
    koshu_log_ticks_choose(low, high, &ticks);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_LENGTH, sizeof unit, unit);
    koshu_gnuplot_print(g,
                        "set logscale x\nset xrange [%.17g:%.17g]\n"
                        "set label 3 'radius {/:Italic r}%s%s%s' at graph "
                        "0.5,screen %.8f center textcolor rgb '%s'\n"
                        "set xtics (",
                        pow(10, low), pow(10, high), unit[0] ? "  [" : "", unit,
                        unit[0] ? "]" : "", NAME / g->canvas.height, g->ink);
    for (size_t k = 0; k < ticks.n; k++)
        koshu_gnuplot_print(g, "%s'%s' %.17g %d", k ? "," : "", ticks.text[k],
                            pow(10, ticks.at[k]), !ticks.text[k][0]);
    koshu_gnuplot_print(g, ")\n");
}

static void
name_density(const struct koshu_density_options *o, char *text, size_t size)
{
    const enum koshu_weight weight = o->view->weight;
    char unit[KOSHU_AXIS_TEXT] = "";
    if (weight != KOSHU_WEIGHT_LIGHT)
        koshu_units_drawn_label(&o->units,
                                weight == KOSHU_WEIGHT_NUMBER
                                        ? KOSHU_QUANTITY_NUMBER_DENSITY
                                        : KOSHU_QUANTITY_DENSITY,
                                sizeof unit, unit);
    snprintf(text, size, "%s%s%s%s",
             weight == KOSHU_WEIGHT_NUMBER  ? "number density"
             : weight == KOSHU_WEIGHT_LIGHT ? "light density"
                                            : "density {/:Italic ρ}",
             unit[0] ? "  [" : "", unit, unit[0] ? "]" : "");
}

static koshu_status
fill_panel(struct koshu_context *context, size_t n,
           const struct koshu_profile *profiles, struct koshu_panel *panel)
{
    panel->log = true;
    for (size_t k = 0; k < n; k++) {
        struct koshu_series *s = &panel->series[k];
        KOSHU_TRY(koshu_series_create(context, profiles[k].n, s));
        for (size_t i = 0; i < profiles[k].n; i++)
            koshu_series_add(s, profiles[k].radius[i], profiles[k].density[i]);
        s->colour = koshu_curve_colour(k, n);
    }
    return KOSHU_OK;
}

/* Names the profiles in the lower left corner, where no profile goes, from the
 * first (lowest) to the last; only every so many where there are more than
 * LABELS. */
static void
print_labels(struct koshu_gnuplot *g, size_t n,
             const struct koshu_profile *profiles, const struct koshu_panel *p)
{
    const size_t every = (n + LABELS - 1) / LABELS;
    for (size_t k = 0, line = 0; k < n; k += every, line++) {
        koshu_gnuplot_print(g, "set label %zu ", 200 + k);
        koshu_gnuplot_quote(g, profiles[k].label);
        koshu_gnuplot_print(g,
                            " noenhanced at graph 0.035,graph %.6f left "
                            "textcolor rgb '#%06x'\n",
                            (24 + 24 * (double)line) / SIDE,
                            koshu_panel_ink(g, p->series[k].colour));
    }
}

static koshu_status
draw(struct koshu_context *context, size_t n,
     const struct koshu_profile *profiles, const char *path,
     const struct koshu_density_options *o, const struct koshu_panel *panel)
{
    struct koshu_gnuplot g;
    const double top = TOP + (o->title ? TITLE : 0);
    const struct koshu_canvas canvas = {.path = path,
                                        .width = LEFT + SIDE + RIGHT,
                                        .height = BOTTOM + SIDE + top,
                                        .font = 13,
                                        .scale = (double)o->view->pixels / SIDE,
                                        .dark = o->dark};
    KOSHU_TRY(koshu_gnuplot_begin(&g, context, &canvas));
    koshu_gnuplot_print(&g, "set multiplot\nset tics out nomirror scale "
                            "0.7,0.4\n");
    koshu_gnuplot_title(&g, o->title, LEFT + SIDE / 2, canvas.height - top / 2);
    koshu_gnuplot_place(&g, LEFT, BOTTOM, SIDE, SIDE);
    print_radius(&g, n, profiles, &o->units);
    print_labels(&g, n, profiles, panel);
    koshu_panel_draw(&g, panel);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g);
}

koshu_status
koshu_picture_profiles(struct koshu_context *context, size_t n,
                       const struct koshu_profile *profiles, const char *path,
                       const struct koshu_density_options *options)
{
    struct koshu_panel panel;
    char name[2 * KOSHU_AXIS_TEXT];
    name_density(options, name, sizeof name);
    KOSHU_TRY(koshu_panel_create(context, name, n, &panel));
    koshu_status status = fill_panel(context, n, profiles, &panel);
    if (status == KOSHU_OK)
        status = draw(context, n, profiles, path, options, &panel);
    koshu_panel_free(&panel);
    return status;
}
