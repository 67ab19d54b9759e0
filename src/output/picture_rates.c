/* SPDX-License-Identifier: MIT */
/* Rates of many candidates against N, in panels beside each other. */
#include "base/base.h"
#include "output/gnuplot.h"
#include "output/output.h"

/* In pixels. */
enum { LEFT = 90, BOTTOM = 70, TOP = 60, GAP = 70, WIDE = 380, HIGH = 380 };

static const unsigned blue = 0x2b5c8a, grey = 0x9a9a9a;

static void
say_panel(struct koshu_gnuplot *g, const struct koshu_rates *r, size_t k)
{
    const double left = LEFT + (double)k * (WIDE + GAP);
    koshu_gnuplot_place(g, left, BOTTOM, WIDE, HIGH);
    koshu_gnuplot_title(g, r->name, left + 0.5 * WIDE, BOTTOM + HIGH + 16);
    koshu_gnuplot_say(g,
                      "plot '-' binary record=(%zu) format='%%float64' "
                      "using 1:2 with points pointtype 7 pointsize 0.5 "
                      "linecolor rgb '#%06x' notitle, "
                      "'-' binary record=(%zu) format='%%float64' "
                      "using 1:2 with linespoints pointtype 7 pointsize 0.9 "
                      "linewidth 1.8 linecolor rgb '#%06x' notitle\n",
                      r->n_all, grey, r->n_best, blue);
    koshu_gnuplot_data(g, r->all, 2 * r->n_all);
    koshu_gnuplot_data(g, r->best, 2 * r->n_best);
    koshu_gnuplot_say(g, "\nunset ylabel\nunset label 3\n");
}

koshu_status
koshu_picture_rates(struct koshu_context *context, const char *title,
                    const struct koshu_rates *panels, size_t n_panels,
                    const char *path)
{
    struct koshu_gnuplot g;
    const size_t width = LEFT + n_panels * (WIDE + GAP) - GAP + 30;
    KOSHU_TRY(koshu_gnuplot_begin(&g, context, width, BOTTOM + HIGH + TOP, 12));
    koshu_gnuplot_say(&g, "set multiplot\nset border linewidth 1.2\n"
                          "set label 3 ");
    koshu_gnuplot_quote(&g, title);
    koshu_gnuplot_say(&g, " noenhanced at screen 0.5,screen %.8f center\n",
                      1 - 16 / g.height);
    koshu_gnuplot_say(&g, "set logscale xy\nset xlabel 'N'\n"
                          "set format xy '10^{%%T}'\n"
                          "set ylabel 'interactions / s'\n"
                          "set xrange [700:400000]\n"
                          "set grid linecolor rgb '#e4e4e4'\n");
    for (size_t k = 0; k < n_panels; k++) say_panel(&g, &panels[k], k);
    koshu_gnuplot_say(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g, path);
}
