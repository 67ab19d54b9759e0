/* SPDX-License-Identifier: MIT */
/* Draws a panel of curves, with its ordinate and the names of the curves. */
#include "output/panel.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* A logarithmic axis covers at most this factor below the largest value: where
 * an error passes through zero, its logarithm is meaningless. */
static const double log_span = 1e6;

/* Names of curves are at least this far apart, in units: a line of text. */
static const double label_distance = 20;

/* The maximum number of names, and gnuplot's number of the first. */
enum { LABELS = 100, FIRST_LABEL = 10 };

koshu_status
koshu_panel_create(struct koshu_context *context, const char *name,
                   size_t n_series, struct koshu_panel *panel)
{
    *panel = (struct koshu_panel){.name = name, .guide = NAN};
    panel->series = calloc(n_series, sizeof *panel->series);
    if (!panel->series)
        return koshu_fail_memory(context, n_series * sizeof *panel->series,
                                 "curves of a picture");
    panel->n_series = n_series;
    return KOSHU_OK;
}

void
koshu_panel_free(struct koshu_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) free(panel->series[s].xy);
    free(panel->series);
    *panel = (struct koshu_panel){0};
}

koshu_status
koshu_series_create(struct koshu_context *context, size_t n,
                    struct koshu_series *series)
{
    series->xy = reallocarray(NULL, n, 2 * sizeof *series->xy);
    if (series->xy) return KOSHU_OK;
    return koshu_fail_memory(context, n * 2 * sizeof *series->xy,
                             "curve of a picture");
}

void
koshu_series_add(struct koshu_series *series, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) return;
    series->xy[2 * series->n] = x;
    series->xy[2 * series->n + 1] = y;
    series->n++;
}

/* ---- the ordinate ------------------------------------------------------ */

struct range {
    double low, high;
};

/* Does the range contain too few powers of ten for ticks at these alone? */
static bool
is_short(struct range r)
{
    return r.high <= 100 * r.low;
}

/* Is the range so far from 1 that numbers are written as powers of ten? */
static bool
in_powers(struct range r)
{
    return r.low < 1e-3 || r.high > 1e4;
}

/* The range of everything to be drawn, and of the guide; low > high where there
 * is nothing. */
static struct range
range_of_points(const struct koshu_panel *p)
{
    struct range r = {INFINITY, -INFINITY};
    for (size_t s = 0; s < p->n_series; s++)
        for (size_t k = 0; k < p->series[s].n; k++) {
            double y = p->series[s].xy[2 * k + 1];
            if (p->log && !(y > 0)) continue;
            r.low = fmin(r.low, y);
            r.high = fmax(r.high, y);
        }
    if (p->stacked) r.low = 0;
    r.low = fmin(r.low, p->guide); /* fmin() and fmax() ignore NaN */
    r.high = fmax(r.high, p->guide);
    return r;
}

/* Adds a margin; the result is never empty. A short logarithmic range gets
 * ticks within decades, or is widened to whole decades. */
static struct range
range_of(const struct koshu_panel *p)
{
    struct range r = range_of_points(p);
    if (r.low > r.high)
        r = p->log ? (struct range){1e-17, 1e-15} : (struct range){0, 1};
    if (p->log) {
        r.low = fmax(r.low, r.high / log_span) / 1.3;
        r.high *= 1.3;
        if (is_short(r) && in_powers(r)) {
            r.low = pow(10, floor(log10(r.low)));
            r.high = pow(10, ceil(log10(r.high)));
        }
    } else {
        double margin = 0.06 * (r.high - r.low);
        if (!(margin > 1e-12 * fabs(r.high)))
            margin = 0.1 * fmax(fabs(r.high), 1);
        r.low -= p->stacked ? 0 : margin;
        r.high += margin;
    }
    return r;
}

/* Is the axis long enough for ticks at 1, 2 and 5 alone? */
static bool
has_few_digits(struct range r)
{
    return r.high >= 5 * r.low;
}

/* Ticks at 1, 2 and 5 of each decade; at more digits on a shorter axis, so that
 * at least two are on it. */
static void
print_digits(struct koshu_gnuplot *g, struct range r)
{
    static const double few[] = {1, 2, 5},
                        all[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9};
    const bool enough = has_few_digits(r);
    const double *digit = enough ? few : all;
    const size_t n =
            enough ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    const char *separator = "";
    koshu_gnuplot_print(g, "set ytics (");
    double power = pow(10, floor(log10(r.low)));
    for (; power <= r.high; power *= 10)
        for (size_t k = 0; k < n; k++, separator = ",")
            koshu_gnuplot_print(g, "%s%g", separator, power * digit[k]);
    koshu_gnuplot_print(g, ")\n");
}

/* Would numbers of the usual size reach the axis's name? Their resolution is
 * about a seventh of the axis, or a tenth of the lowest digit. */
static bool
has_long_numbers(bool log, struct range r)
{
    const double size = fmax(fabs(r.low), fabs(r.high)),
                 step = log ? r.low / 10 : (r.high - r.low) / 7;
    if (log ? in_powers(r) || has_few_digits(r) : r.high > 1e4) return false;
    const int decimals = (int)fmax(0, -floor(log10(step))),
              whole = (int)fmax(1, 1 + floor(log10(size)));
    return (r.low < 0) + whole + (decimals > 0) + decimals > 5;
}

static void
print_ticks(struct koshu_gnuplot *g, bool log, struct range r)
{
    koshu_gnuplot_print(
            g,
            "set ytics autofreq font ',%g'\nset mytics %s\n"
            "set format y '%s'\n",
            has_long_numbers(log, r) ? 0.77 * g->canvas.font : g->canvas.font,
            log ? "10" : "default",
            log && in_powers(r)    ? "10^{%T}"
            : !log && r.high > 1e4 ? "%.3s%c" /* 20 k instead of long numbers */
                                   : "%g");
    if (log && !in_powers(r) && is_short(r)) print_digits(g, r);
}

/* The name has the same position at every panel, however wide the numbers of
 * its ticks are. */
static void
print_ordinate(struct koshu_gnuplot *g, const struct koshu_panel *p,
               struct range r)
{
    koshu_gnuplot_print(g,
                        "%s logscale y\nset yrange [%.17g:%.17g]\nset label 2 "
                        "'%s%s' at graph -0.14,graph 0.5 center rotate by 90 "
                        "textcolor rgb '%s'\n",
                        p->log ? "set" : "unset", r.low, r.high, p->name,
                        p->unit, g->ink);
    print_ticks(g, p->log, r);
}

/* ---- names at the right end of curves ---------------------------------- */

/* Where the curve ends, as a fraction of the axis. */
static double
end_of(const struct koshu_series *s, bool log, struct range r)
{
    double y = s->xy[2 * s->n - 1];
    double part = log ? log10(y / r.low) / log10(r.high / r.low)
                      : (y - r.low) / (r.high - r.low);
    return fmin(fmax(part, 0), 1);
}

/*
 * Labels are wanted at place[0 ... n-1], in ascending order, but must be at
 * least `distance` apart. Moves them as little as possible in the sense of
 * least squares: isotonic regression of place[k] - k distance, by pooling
 * adjacent violators (Ayer et al. 1955).
 */
static void
spread_labels(size_t n, double *place, double distance)
{
    size_t size[LABELS], pools = 0;
    double mean[LABELS];
    for (size_t k = 0; k < n; k++) {
        mean[pools] = place[k] - (double)k * distance;
        size[pools++] = 1;
        while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
            double low = (double)size[pools - 2],
                   high = (double)size[pools - 1];
            mean[pools - 2] = (mean[pools - 2] * low + mean[pools - 1] * high) /
                              (low + high);
            size[pools - 2] += size[pools - 1];
            pools--;
        }
    }
    for (size_t p = 0, k = 0; p < pools; p++)
        for (size_t end = k + size[p]; k < end; k++)
            place[k] = mean[p] + (double)k * distance;
}

/* Where the name of a curve is wanted: at its end; of an area, halfway between
 * the ends of its top and of the area below. */
static double
label_place(const struct koshu_panel *p, size_t s, struct range r)
{
    const double end = end_of(&p->series[s], p->log, r);
    if (!p->stacked) return end;
    return (end + (s > 0 ? end_of(&p->series[s - 1], p->log, r) : 0)) / 2;
}

unsigned
koshu_panel_ink(const struct koshu_gnuplot *g, unsigned colour)
{
    return g->canvas.dark ? (colour >> 1 & 0x7f7f7f) + 0x7f7f7f : colour;
}

/* The curves with names, from the one that ends lowest to the one that ends
 * highest. */
static size_t
order_labels(const struct koshu_panel *p, struct range r, double *place,
             size_t *series)
{
    size_t n = 0;
    for (size_t s = 0; s < p->n_series && n < LABELS; s++) {
        if (p->series[s].n == 0 || !p->series[s].label[0]) continue;
        const double wanted = label_place(p, s, r);
        size_t k = n++;
        for (; k > 0 && place[k - 1] > wanted; k--) {
            place[k] = place[k - 1];
            series[k] = series[k - 1];
        }
        place[k] = wanted;
        series[k] = s;
    }
    return n;
}

static void
print_labels(struct koshu_gnuplot *g, const struct koshu_panel *p,
             struct range r)
{
    double place[LABELS];
    size_t series[LABELS];
    const size_t n = order_labels(p, r, place, series);
    spread_labels(n, place, label_distance / g->high);
    for (size_t k = 0; k < n; k++) {
        koshu_gnuplot_print(g, "set label %zu ", FIRST_LABEL + series[k]);
        koshu_gnuplot_quote(g, p->series[series[k]].label);
        koshu_gnuplot_print(g,
                            " noenhanced at graph 1.012,graph %.4f left "
                            "textcolor rgb '#%06x'\n",
                            place[k],
                            koshu_panel_ink(g, p->series[series[k]].colour));
    }
}

/* ---- the panel --------------------------------------------------------- */

static void
print_guide(struct koshu_gnuplot *g, double y)
{
    koshu_gnuplot_print(g, "unset arrow 1\n");
    if (isnan(y)) return;
    koshu_gnuplot_print(g,
                        "set arrow 1 from graph 0,first %.17g to graph 1,first "
                        "%.17g nohead back dashtype (6,6) linewidth 1.2 "
                        "linecolor rgb '#707070'\n",
                        y, y);
}

static const char *
style_of(const struct koshu_panel *p, const struct koshu_series *s)
{
    if (p->stacked) return "filledcurves y1=0 fillstyle solid noborder";
    return s->n > 1 ? "lines linewidth 1.8" : "points pointtype 7";
}

/* The k-th series to draw: areas hide what is below them, so the highest comes
 * first. */
static const struct koshu_series *
drawn(const struct koshu_panel *p, size_t k)
{
    return &p->series[p->stacked ? p->n_series - 1 - k : k];
}

/* gnuplot needs something to plot even where no curve has a point. */
static void
print_curves(struct koshu_gnuplot *g, const struct koshu_panel *p)
{
    koshu_gnuplot_print(g, "plot NaN notitle");
    for (size_t k = 0; k < p->n_series; k++)
        if (drawn(p, k)->n > 0)
            koshu_gnuplot_print(
                    g,
                    ", '-' binary record=(%zu) format='%%float64' using 1:2 "
                    "with %s linecolor rgb '#%06x' notitle",
                    drawn(p, k)->n, style_of(p, drawn(p, k)),
                    koshu_panel_ink(g, drawn(p, k)->colour));
    koshu_gnuplot_print(g, "\n");
    for (size_t k = 0; k < p->n_series; k++)
        koshu_gnuplot_data(g, drawn(p, k)->xy, 2 * drawn(p, k)->n);
    koshu_gnuplot_print(g, "\n");
}

void
koshu_panel_draw(struct koshu_gnuplot *g, const struct koshu_panel *panel)
{
    struct range r = range_of(panel);
    print_ordinate(g, panel, r);
    print_guide(g, panel->guide);
    print_labels(g, panel, r);
    print_curves(g, panel);
    for (size_t s = 0; s < panel->n_series; s++)
        koshu_gnuplot_print(g, "unset label %zu\n", FIRST_LABEL + s);
}
