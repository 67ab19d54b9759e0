/* SPDX-License-Identifier: MIT */
/* Rates of many candidates against N, in panels beside each other. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/gnuplot.h"
#include "output/output.h"

/* In pixels. */
enum { KEY_SIZE = 64 };
enum { LEFT = 90, BOTTOM = 70, TOP = 60, GAP = 70, WIDE = 380, HIGH = 380 };

static const unsigned blue = 0x2b5c8a, grey = 0x9a9a9a;

/* Widens low ... high to the k-th of each pair. */
static void
widen(const double *pairs, size_t n, int k, double *low, double *high)
{
    for (size_t r = 0; r < n; r++) {
        *low = fmin(*low, pairs[2 * r + k]);
        *high = fmax(*high, pairs[2 * r + k]);
    }
}

/* The same axis in all panels, so that they can be compared. */
static void
print_range(struct koshu_gnuplot *g, char axis,
            const struct koshu_rates *panels, size_t n_panels)
{
    const int k = axis == 'y';
    const double margin = 1.4;
    double low = INFINITY, high = 0;
    for (size_t p = 0; p < n_panels; p++) {
        widen(panels[p].all, panels[p].n_all, k, &low, &high);
        widen(panels[p].best, panels[p].n_best, k, &low, &high);
    }
    koshu_gnuplot_print(g, "set %crange [%.8g:%.8g]\n", axis, low / margin,
                        high * margin);
}

/* What gnuplot is to write beside a curve: only in the first panel. */
static const char *
key_of(size_t panel, const char *name, const char *otherwise,
       char text[KEY_SIZE])
{
    if (panel > 0) return "notitle";
    snprintf(text, KEY_SIZE, "title '%s'", name ? name : otherwise);
    return text;
}

static void
print_panel(struct koshu_gnuplot *g, const struct koshu_rates *r, size_t k)
{
    const double left = LEFT + (double)k * (WIDE + GAP);
    char dots[KEY_SIZE], line[KEY_SIZE];
    koshu_gnuplot_place(g, left, BOTTOM, WIDE, HIGH);
    koshu_gnuplot_title(g, r->name, left + 0.5 * WIDE, BOTTOM + HIGH + 16);
    koshu_gnuplot_print(g,
                        "plot '-' binary record=(%zu) format='%%float64' "
                        "using 1:2 with points pointtype 7 pointsize %g "
                        "linecolor rgb '#%06x' %s, "
                        "'-' binary record=(%zu) format='%%float64' "
                        "using 1:2 with linespoints pointtype 7 pointsize %g "
                        "linewidth 1.8 linecolor rgb '#%06x' %s\n",
                        r->n_all, r->dots ? 1.4 : 0.5, grey,
                        key_of(k, r->dots, "each shape", dots), r->n_best,
                        r->line ? 0.4 : 0.9, blue,
                        key_of(k, r->line, "fastest", line));
    koshu_gnuplot_data(g, r->all, 2 * r->n_all);
    koshu_gnuplot_data(g, r->best, 2 * r->n_best);
    koshu_gnuplot_print(g, "\nunset ylabel\nunset label 3\n");
}

koshu_status
koshu_picture_rates(struct koshu_context *context, const char *title,
                    const struct koshu_rates *panels, size_t n_panels,
                    const char *path)
{
    struct koshu_gnuplot g;
    const size_t width = LEFT + n_panels * (WIDE + GAP) - GAP + 30;
    KOSHU_TRY(koshu_gnuplot_begin(&g, context, width, BOTTOM + HIGH + TOP, 12));
    koshu_gnuplot_print(&g, "set multiplot\nset border linewidth 1.2\n"
                            "set label 3 ");
    koshu_gnuplot_quote(&g, title);
    koshu_gnuplot_print(&g, " noenhanced at screen 0.5,screen %.8f center\n",
                        1 - 16 / g.height);
    koshu_gnuplot_print(&g, "set logscale xy\nset xlabel 'N'\n"
                            "set format xy '10^{%%T}'\n"
                            "set ylabel 'interactions / s'\n"
                            "set key bottom right Left reverse\n"
                            "set grid linetype 1 linecolor rgb '#e4e4e4'\n");
    print_range(&g, 'x', panels, n_panels);
    print_range(&g, 'y', panels, n_panels);
    for (size_t k = 0; k < n_panels; k++) print_panel(&g, &panels[k], k);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g, path);
}
