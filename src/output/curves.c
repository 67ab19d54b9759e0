/* SPDX-License-Identifier: MIT */
/* Draws curves of a panel with two logarithmic axes. */
#include "output/curves.h"

#include <math.h>

static const unsigned grey = 0x9a9a9a;
static const unsigned colours[] = {0x2b5c8a, 0xc0562b, 0x4c8a4a, 0x8a5fa3,
                                   0xb8952f, 0x3d9aa1, 0x7a4a32, 0x5a5a5a};
enum { N_COLOURS = sizeof colours / sizeof colours[0] };

/* Widens low ... high to the k-th number of each point. */
static void
widen(const struct koshu_curve *c, int k, double *low, double *high)
{
    for (size_t r = 0; r < c->n; r++) {
        *low = fmin(*low, c->xy[2 * r + (size_t)k]);
        *high = fmax(*high, c->xy[2 * r + (size_t)k]);
    }
}

void
koshu_curves_span(size_t n, const struct koshu_curve *curves, char axis,
                  double *low, double *high)
{
    for (size_t c = 0; c < n; c++) widen(&curves[c], axis == 'y', low, high);
}

void
koshu_curves_range(struct koshu_gnuplot *g, char axis,
                   const struct koshu_rates *panels, size_t n_panels)
{
    const double margin = 1.4;
    double low = INFINITY, high = 0;
    for (size_t p = 0; p < n_panels; p++)
        if (axis == 'x' || panels[p].ordinate == panels[0].ordinate)
            koshu_curves_span(panels[p].n_curves, panels[p].curves, axis, &low,
                              &high);
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

/* Does a curve of this style get a colour of its own? */
static bool
is_new_line(enum koshu_curve_style style)
{
    return style == KOSHU_CURVE_LINE || style == KOSHU_CURVE_DASHED;
}

void
koshu_curves_draw(struct koshu_gnuplot *g, size_t n,
                  const struct koshu_curve *curves, bool names)
{
    const char *before = "plot ";
    for (size_t c = 0, line = 0; c < n; c++) {
        const struct koshu_curve *curve = &curves[c];
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
    for (size_t c = 0; c < n; c++)
        koshu_gnuplot_data(g, curves[c].xy, 2 * curves[c].n);
}
