/* SPDX-License-Identifier: MIT */
/* Draws curves against N or another number, in panels side by side. */
#include "base/base.h"
#include "output/curves.h"
#include "output/output.h"

/* In units. KEY: for the names of many curves, to the right of a single
 * panel. */
enum { LEFT = 90, BOTTOM = 70, TOP = 60, GAP = 70, WIDE = 380, HIGH = 380 };
enum { FEW_CURVES = 2, KEY = 400 };

static void
print_ordinate(struct koshu_gnuplot *g, const char *ordinate)
{
    koshu_gnuplot_print(g, "set ylabel ");
    koshu_gnuplot_quote(g, ordinate);
    koshu_gnuplot_print(g, " noenhanced\n");
}

static void
print_panel(struct koshu_gnuplot *g, const struct koshu_rates *r, size_t k)
{
    const double left = LEFT + (double)k * (WIDE + GAP);
    koshu_gnuplot_place(g, left, BOTTOM, WIDE, HIGH);
    koshu_gnuplot_title(g, r->name, left + 0.5 * WIDE, BOTTOM + HIGH + 16);
    if (r->ordinate) {
        koshu_curves_range(g, 'y', r, 1);
        print_ordinate(g, r->ordinate);
    }
    koshu_curves_draw(g, r->n_curves, r->curves, k == 0 || r->ordinate);
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
    koshu_gnuplot_print(g, " noenhanced\nset format xy '10^{%%T}'\n");
    print_ordinate(g, ordinate);
    koshu_gnuplot_print(g, "set grid linetype 1 linecolor rgb "
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
    koshu_curves_range(&g, 'x', panels, n_panels);
    koshu_curves_range(&g, 'y', panels, n_panels);
    for (size_t k = 0; k < n_panels; k++) print_panel(&g, &panels[k], k);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g);
}
