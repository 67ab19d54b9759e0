/* SPDX-License-Identifier: MIT */
/* Draws a page of panels, each with axes of its own or with an image. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/curves.h"

/* In units. */
enum { LEFT = 90, BOTTOM = 70, TOP = 60, GAP = 100, SIDE = 380, COLUMNS = 3 };

static void
print_axis(struct koshu_gnuplot *g, char axis, const char *name)
{
    koshu_gnuplot_print(g, "set %clabel ", axis);
    koshu_gnuplot_quote(g, name);
    koshu_gnuplot_print(g, " noenhanced\n");
}

/* Ticks at 1, 2 and 5 of each decade where there are few decades. */
static void
print_numbers(struct koshu_gnuplot *g, char axis, double low, double high)
{
    const double few = 30;
    static const int digits[] = {1, 2, 5};
    const char *before = "";
    if (!(low > 0) || !(high < few * low)) return;
    koshu_gnuplot_print(g, "set format %c '%%g'\nset %ctics (", axis, axis);
    for (int decade = (int)floor(log10(low)); decade <= (int)log10(high) + 1;
         decade++)
        for (int d = 0; d < 3; d++) {
            const double at = digits[d] * pow(10, decade);
            if (at < low / 1.4 || at > high * 1.4) continue;
            koshu_gnuplot_print(g, "%s%.8g", before, at);
            before = ",";
        }
    koshu_gnuplot_print(g, ")\n");
}

/* The range of a linear ordinate, with a margin of a tenth above and below. */
static void
print_linear(struct koshu_gnuplot *g, double low, double high)
{
    const double margin = high > low ? 0.1 * (high - low) : 1;
    koshu_gnuplot_print(g,
                        "unset logscale y\nset format y '%%g'\n"
                        "set yrange [%.8g:%.8g]\n",
                        low - margin, high + margin);
}

static void
print_curves(struct koshu_gnuplot *g, const struct koshu_page_panel *p)
{
    const struct koshu_rates all = {p->name, p->n_curves, p->curves, NULL};
    koshu_gnuplot_print(g, "set logscale xy\nset format xy '10^{%%T}'\n"
                           "unset xtics\nunset ytics\nset xtics auto\nset "
                           "ytics auto\nset border 31\nset grid linetype 1 "
                           "linecolor rgb '#e4e4e4'\n");
    print_axis(g, 'x', p->abscissa);
    print_axis(g, 'y', p->ordinate);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    koshu_curves_span(p->n_curves, p->curves, 'x', &low[0], &high[0]);
    koshu_curves_span(p->n_curves, p->curves, 'y', &low[1], &high[1]);
    koshu_curves_range(g, 'x', &all, 1);
    print_numbers(g, 'x', low[0], high[0]);
    if (p->linear) {
        print_linear(g, low[1], high[1]);
    } else {
        koshu_curves_range(g, 'y', &all, 1);
        print_numbers(g, 'y', low[1], high[1]);
    }
    koshu_gnuplot_print(g, "set key %s Left reverse samplen 2\n",
                        p->rises ? "bottom right" : "bottom left");
    koshu_curves_draw(g, p->n_curves, p->curves, true);
}

static void
print_image(struct koshu_gnuplot *g, const struct koshu_page_panel *p)
{
    koshu_gnuplot_print(g,
                        "unset logscale\nunset tics\nunset border\nunset grid\n"
                        "unset xlabel\nunset ylabel\nset xrange [-0.5:%zu.5]\n"
                        "set yrange [-0.5:%zu.5]\nplot '-' binary "
                        "array=(%zu,%zu) format='%%float64' using 1:2:3 with "
                        "rgbimage notitle\n",
                        p->pixels - 1, p->pixels - 1, p->pixels, p->pixels);
    koshu_gnuplot_data(g, p->image, 3 * p->pixels * p->pixels);
}

static void
print_panel(struct koshu_gnuplot *g, const struct koshu_page_panel *p, size_t k,
            size_t rows)
{
    const double left = LEFT + (double)(k % COLUMNS) * (SIDE + GAP),
                 bottom = BOTTOM +
                          (double)(rows - 1 - k / COLUMNS) * (SIDE + GAP);
    koshu_gnuplot_place(g, left, bottom, SIDE, SIDE);
    koshu_gnuplot_title(g, p->name, left + 0.5 * SIDE, bottom + SIDE + 14);
    if (p->pixels > 0)
        print_image(g, p);
    else
        print_curves(g, p);
    koshu_gnuplot_print(g, "\nunset label 3\n");
}

koshu_status
koshu_picture_page(struct koshu_context *context, const char *title,
                   const struct koshu_page_panel *panels, size_t n_panels,
                   const char *path)
{
    const size_t rows = (n_panels + COLUMNS - 1) / COLUMNS,
                 columns = n_panels < COLUMNS ? n_panels : COLUMNS;
    struct koshu_gnuplot g;
    const struct koshu_canvas canvas = {
            .path = path,
            .width = LEFT + (double)columns * (SIDE + GAP) - GAP + 30,
            .height = BOTTOM + (double)rows * (SIDE + GAP) - GAP + TOP,
            .font = 12};
    KOSHU_TRY(koshu_gnuplot_begin(&g, context, &canvas));
    koshu_gnuplot_print(&g, "set multiplot\nset label 3 ");
    koshu_gnuplot_quote(&g, title);
    koshu_gnuplot_print(&g, " noenhanced at screen 0.5,screen %.8f center\n",
                        1 - 16 / g.canvas.height);
    for (size_t k = 0; k < n_panels; k++) print_panel(&g, &panels[k], k, rows);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    return koshu_gnuplot_finish(&g);
}
