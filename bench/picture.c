/* SPDX-License-Identifier: MIT */
/* --plot: draws the rows of a table, and numbers of papers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/harness.h"

enum { CURVES = 24, NAME = 96 };

struct picture {
    const struct bench *b;
    const struct bench_figure *figure;
    size_t n;
    bool one_series; /* all rows are one series, which needs no name */
    struct koshu_curve curves[CURVES];
    char names[CURVES][2 * NAME];
    double *points[CURVES];
    size_t n_panels;
    struct koshu_rates panels[CURVES];
    char panel_names[CURVES][NAME];
};

/* The name of a row's curve; "": there is only one. */
static void
name_of_series(const struct picture *p, const void *row, char name[NAME])
{
    json_t *value = bench_value(p->b, &p->figure->series, row);
    name[0] = '\0';
    if (json_is_string(value))
        snprintf(name, NAME, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(name, NAME, "%s %g", p->figure->series_name,
                 json_number_value(value));
    json_decref(value);
}

static double *
add_curve(struct picture *p, const char *name, enum koshu_curve_style style,
          size_t n, double *points)
{
    if (p->n == CURVES) {
        free(points);
        return NULL;
    }
    const size_t k = p->n++;
    snprintf(p->names[k], sizeof p->names[k], "%s", name);
    p->points[k] = points;
    p->curves[k] = (struct koshu_curve){p->names[k], style, n, points};
    return points;
}

/* ---- what was measured --------------------------------------------------- */

/* The number in a field; NaN: none. */
static double
number_of(const struct picture *p, const struct field *f, const void *row)
{
    json_t *value = bench_value(p->b, f, row);
    const double x = json_is_number(value) ? json_number_value(value) : NAN;
    json_decref(value);
    return x;
}

/* The points of a series, from its first row on. */
static void
add_series(struct picture *p, const struct bench_curve *curve, size_t first)
{
    const size_t n_rows = p->b->output->n;
    const struct bench_figure *f = p->figure;
    char series[NAME], other[NAME], name[2 * NAME];
    double *xy = calloc(n_rows, 2 * sizeof *xy);
    size_t n = 0;
    name_of_series(p, bench_row_at(p->b, first), series);
    for (size_t k = first; xy && k < n_rows; k++) {
        const struct bench_row *row = bench_row_at(p->b, k);
        const double y = number_of(p, &curve->y, row);
        name_of_series(p, row, other);
        if (strcmp(series, other) != 0 || !(y > 0)) continue;
        const double x = f->x.type ? number_of(p, &f->x, row) : (double)row->n;
        if (!(x > 0)) continue;
        xy[2 * n] = x;
        xy[2 * n++ + 1] = y;
    }
    if (xy) qsort(xy, n, 2 * sizeof *xy, bench_ascending); /* by ascending x */
    if (p->one_series || f->panels) series[0] = '\0';
    snprintf(name, sizeof name, "%s%s%s", curve->name,
             curve->name[0] && series[0] ? ", " : "", series);
    if (xy) add_curve(p, name, KOSHU_CURVE_LINE, n, xy);
}

/* Is this the first row of its series? */
static bool
is_first(const struct picture *p, size_t row)
{
    char series[NAME], other[NAME];
    name_of_series(p, bench_row_at(p->b, row), series);
    for (size_t k = 0; k < row; k++) {
        name_of_series(p, bench_row_at(p->b, k), other);
        if (strcmp(series, other) == 0) return false;
    }
    return true;
}

/* ---- what papers print --------------------------------------------------- */

/* The beginning of the legend, "H07: Hamada & Iitaka 2007, Table 3", and the
 * column. */
static void
name_of_paper(const struct picture *p, const char *printed, char name[NAME])
{
    const char *legend = bench_paper_legend(p->b, printed),
               *column = strchr(printed, '.') + 1;
    legend += strcspn(legend, ":");
    legend += 2 * (*legend == ':');
    size_t n = strcspn(legend, ":");
    snprintf(name, NAME, "%.*s", (int)n, legend);
    if (strcmp(column, "seconds") == 0) return;
    n = strlen(name);
    snprintf(name + n, NAME - n, ", %s", column);
}

static void
add_paper(struct picture *p, const char *printed)
{
    const struct bench_row *first = bench_row_at(p->b, 0);
    double *xy;
    char name[NAME];
    const size_t n = bench_paper_points(p->b, printed, first->eps, &xy);
    for (size_t k = 0; k < n && p->figure->rates; k++)
        xy[2 * k + 1] = xy[2 * k] * xy[2 * k] / xy[2 * k + 1];
    name_of_paper(p, printed, name);
    if (n > 0)
        add_curve(p, name, KOSHU_CURVE_DASHED, n, xy);
    else
        free(xy);
}

/* ---- the picture --------------------------------------------------------- */

/* Adds the curves of the row's series, to the one panel or to a panel of its
 * own. */
static void
add_curves(struct picture *p, size_t first)
{
    const struct bench_curve *curves = p->figure->curves;
    const size_t before = p->n;
    for (size_t c = 0; c < 2 && curves[c].name; c++)
        add_series(p, &curves[c], first);
    if (!p->figure->panels || p->n == before) return;
    struct koshu_rates *panel = &p->panels[p->n_panels++];
    panel->curves = &p->curves[before];
    panel->n_curves = p->n - before;
    name_of_series(p, bench_row_at(p->b, first), p->panel_names[before]);
    panel->name = p->panel_names[before];
    p->curves[before].style = KOSHU_CURVE_DOTS;
}

static void
add_all(struct picture *p)
{
    const size_t n_rows = p->b->output->n;
    for (size_t k = 1; k < n_rows; k++)
        if (is_first(p, k)) p->one_series = false;
    for (size_t k = 0; k < n_rows; k++)
        if (is_first(p, k)) add_curves(p, k);
    if (p->figure->panels) return;
    for (size_t k = 0; k < 4 && p->figure->papers[k] && n_rows > 0; k++)
        add_paper(p, p->figure->papers[k]);
    p->panels[p->n_panels++] = (struct koshu_rates){"", p->n, p->curves};
}

koshu_status
bench_draw(struct bench *b)
{
    const struct bench_figure *f = &b->output->table->figure;
    struct picture *p = calloc(1, sizeof *p);
    char title[256];
    if (!p) return koshu_fail_memory(b->context, sizeof *p, "picture");
    p->b = b;
    p->figure = f;
    p->one_series = true;
    add_all(p);
    snprintf(title, sizeof title, "koshu bench %s: %s", b->which->name,
             bench_row(b, 0).device);
    koshu_status status =
            koshu_picture_rates(b->context, title, f->x_label, f->y_label,
                                p->panels, p->n_panels, b->options->plot);
    for (size_t k = 0; k < p->n; k++) free(p->points[k]);
    free(p);
    return status;
}
