/* SPDX-License-Identifier: MIT */
/* Curves against N or another number, in panels beside each other. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/gnuplot.h"
#include "output/output.h"

/* In units. KEY: for the names of many curves, right of a single panel. */
enum { LEFT = 90, BOTTOM = 70, TOP = 60, GAP = 70, WIDE = 380, HIGH = 380 };
enum { FEW_CURVES = 2, KEY = 400 };

static const unsigned grey = 0x9a9a9a;
static const unsigned colours[] = {0x2b5c8a, 0xc0562b, 0x4c8a4a, 0x8a5fa3,
                                   0xb8952f, 0x3d9aa1, 0x7a4a32, 0x5a5a5a};
enum { N_COLOURS = sizeof colours / sizeof colours[0] };

/* Widens low ... high to the k-th of each pair. */
static void
widen(const struct koshu_curve *c, int k, double *low, double *high)
{
    for (size_t r = 0; r < c->n; r++) {
        *low = fmin(*low, c->xy[2 * r + (size_t)k]);
        *high = fmax(*high, c->xy[2 * r + (size_t)k]);
    }
}

/* The same axis in all panels, so that they can be compared. */
static void
print_range(struct koshu_gnuplot *g, char axis,
            const struct koshu_rates *panels, size_t n_panels)
{
    const double margin = 1.4;
    double low = INFINITY, high = 0;
    for (size_t p = 0; p < n_panels; p++)
        for (size_t c = 0; c < panels[p].n_curves; c++)
            widen(&panels[p].curves[c], axis == 'y', &low, &high);
    koshu_gnuplot_print(g, "set %crange [%.8g:%.8g]\n", axis, low / margin,
                        high * margin);
}

static void
print_style(struct koshu_gnuplot *g, enum koshu_curve_style style,
            unsigned colour)
{
    if (style == KOSHU_CURVE_DOTS)
        koshu_gnuplot_print(g,
                            "points pointtype 7 pointsize 0.7 linecolor rgb "
                            "'#%06x'",
                            grey);
    else if (style == KOSHU_CURVE_BESIDE)
        koshu_gnuplot_print(g,
                            "lines linewidth 1.2 dashtype 2 linecolor rgb "
                            "'#%06x'",
                            colour);
    else
        koshu_gnuplot_print(g,
                            "linespoints pointtype 7 pointsize %g linewidth "
                            "1.8 %slinecolor rgb '#%06x'",
                            style == KOSHU_CURVE_LINE ? 0.9 : 0.5,
                            style == KOSHU_CURVE_LINE ? "" : "dashtype 2 ",
                            colour);
}

/* Has it a colour of its own? */
static bool
is_new_line(enum koshu_curve_style style)
{
    return style == KOSHU_CURVE_LINE || style == KOSHU_CURVE_DASHED;
}

static void
print_curves(struct koshu_gnuplot *g, const struct koshu_rates *r, bool names)
{
    const char *before = "plot ";
    for (size_t c = 0, line = 0; c < r->n_curves; c++) {
        const struct koshu_curve *curve = &r->curves[c];
        if (curve->n == 0) continue;
        koshu_gnuplot_print(g,
                            "%s'-' binary record=(%zu) format='%%float64' "
                            "using 1:2 with ",
                            before, curve->n);
        line += is_new_line(curve->style);
        print_style(g, curve->style,
                    colours[(line + N_COLOURS - 1) % N_COLOURS]);
        koshu_gnuplot_print(g, names ? " title " : " notitle");
        if (names) koshu_gnuplot_quote(g, curve->name);
        if (names) koshu_gnuplot_print(g, " noenhanced");
        before = ", ";
    }
    koshu_gnuplot_print(g, "\n");
    for (size_t c = 0; c < r->n_curves; c++)
        koshu_gnuplot_data(g, r->curves[c].xy, 2 * r->curves[c].n);
}

static void
print_panel(struct koshu_gnuplot *g, const struct koshu_rates *r, size_t k)
{
    const double left = LEFT + (double)k * (WIDE + GAP);
    koshu_gnuplot_place(g, left, BOTTOM, WIDE, HIGH);
    koshu_gnuplot_title(g, r->name, left + 0.5 * WIDE, BOTTOM + HIGH + 16);
    print_curves(g, r, k == 0);
    koshu_gnuplot_print(g, "\nunset ylabel\nunset label 3\n");
}

static void
print_axes(struct koshu_gnuplot *g, const char *title, const char *abscissa,
           const char *ordinate, bool key)
{
    koshu_gnuplot_print(g, "set multiplot\n"
                           "set label 3 ");
    koshu_gnuplot_quote(g, title);
    koshu_gnuplot_print(g, " noenhanced at screen 0.5,screen %.8f center\n",
                        1 - 16 / g->canvas.height);
    koshu_gnuplot_print(g, "set logscale xy\nset xlabel ");
    koshu_gnuplot_quote(g, abscissa ? abscissa : "N");
    koshu_gnuplot_print(g, " noenhanced\nset format xy '10^{%%T}'\n"
                           "set ylabel ");
    koshu_gnuplot_quote(g, ordinate);
    koshu_gnuplot_print(g, " noenhanced\nset grid linetype 1 linecolor rgb "
                           "'#e4e4e4'\nset key Left reverse ");
    if (key)
        koshu_gnuplot_print(g, "left top at screen %.8f,screen %.8f\n",
                            (LEFT + WIDE + 12) / g->canvas.width,
                            (BOTTOM + HIGH) / g->canvas.height);
    else
        koshu_gnuplot_print(g, "bottom right\n");
}

koshu_status
koshu_picture_rates(struct koshu_context *context, const char *title,
                    const char *abscissa, const char *ordinate,
                    const struct koshu_rates *panels, size_t n_panels,
                    const char *path)
{
    struct koshu_gnuplot g;
    const bool key = n_panels == 1 && panels[0].n_curves > FEW_CURVES;
    const struct koshu_canvas canvas = {
            .path = path,
            .width = LEFT + (double)n_panels * (WIDE + GAP) - GAP +
                     (key ? KEY : 30),
            .height = BOTTOM + HIGH + TOP,
            .font = 12};
    KOSHU_TRY(koshu_gnuplot_begin(&g, context, &canvas));
    print_axes(&g, title, abscissa, ordinate, key);
    print_range(&g, 'x', panels, n_panels);
    print_range(&g, 'y', panels, n_panels);
    for (size_t k = 0; k < n_panels; k++) print_panel(&g, &panels[k], k);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g);
}
