/* SPDX-License-Identifier: MIT */
/* Curves of a run's log against time, in panels below each other. */
#include <koshu/picture.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "output/gnuplot.h"
#include "output/palette.h"
#include "output/panel.h"

struct koshu_curves_options
koshu_curves_options_default(void)
{
    return (struct koshu_curves_options){.curves = KOSHU_CURVES_ALL};
}

/* ---- what the log holds ------------------------------------------------ */

struct log {
    struct koshu_context *context;
    struct koshu_table table;
    size_t time; /* column */
};

static double
value(const struct log *log, size_t row, size_t column)
{
    return log->table.values[row * log->table.n_columns + column];
}

static koshu_status
fill_series(const struct log *log, size_t column, struct koshu_series *series)
{
    KOSHU_TRY(koshu_series_create(log->context, log->table.n_rows, series));
    for (size_t row = 0; row < log->table.n_rows; row++)
        koshu_series_add(series, value(log, row, log->time),
                         value(log, row, column));
    return KOSHU_OK;
}

static bool
has_column(const struct koshu_table *t, const char *name)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (strcmp(t->names[c], name) == 0) return true;
    return false;
}

static const unsigned blue = 0x2b5c8a;

static koshu_status
energy_panel(const struct log *log, struct koshu_panel *panel)
{
    size_t total;
    KOSHU_TRY(koshu_table_find(log->context, &log->table, "total", &total));
    double first = value(log, 0, total);
    /* of a system without energy only the absolute error can be told */
    double scale = first != 0 ? fabs(first) : 1;
    const char *name = first != 0 ? "|{/:Italic E} − {/:Italic E}_0| / "
                                    "|{/:Italic E}_0|"
                                  : "|{/:Italic E} − {/:Italic E}_0|";
    KOSHU_TRY(koshu_panel_create(log->context, name, 1, panel));
    panel->log = true;
    struct koshu_series *s = panel->series;
    s->colour = blue;
    KOSHU_TRY(koshu_series_create(log->context, log->table.n_rows, s));
    for (size_t row = 0; row < log->table.n_rows; row++) {
        double error = fabs(value(log, row, total) - first) / scale;
        /* no error has no logarithm: the first row never has one */
        koshu_series_add(s, value(log, row, log->time),
                         error > 0 ? error : NAN);
    }
    return KOSHU_OK;
}

static koshu_status
virial_panel(const struct log *log, struct koshu_panel *panel)
{
    size_t ratio;
    KOSHU_TRY(koshu_table_find(log->context, &log->table, "virial_ratio",
                               &ratio));
    KOSHU_TRY(koshu_panel_create(log->context,
                                 "virial ratio  {/:Italic T} / |{/:Italic W}|",
                                 1, panel));
    panel->guide = 0.5; /* equilibrium */
    panel->series[0].colour = blue;
    return fill_series(log, ratio, panel->series);
}

/* "r05" is the radius of 5 % of the mass; 0: not such a name. */
static int
percentage(const char *name)
{
    if (name[0] != 'r' || strlen(name) != 3) return 0;
    if (!isdigit((unsigned char)name[1]) || !isdigit((unsigned char)name[2]))
        return 0;
    return atoi(name + 1);
}

/* Dark to light, without the palette's ends, which a white page swallows. */
static unsigned
series_colour(size_t k, size_t n)
{
    double part = n > 1 ? (double)k / (double)(n - 1) : 0.5;
    return koshu_palette[(size_t)(36 + 160 * part)];
}

/* The column of a percentage; n_columns: there is none. */
static size_t
find_radius(const struct koshu_table *t, int percent)
{
    size_t c = 0;
    while (c < t->n_columns && percentage(t->names[c]) != percent) c++;
    return c;
}

/* From the smallest to the largest, whatever the order of the columns. */
static koshu_status
lagrangian_panel(const struct log *log, struct koshu_panel *panel)
{
    const struct koshu_table *t = &log->table;
    size_t n = 0;
    for (int percent = 1; percent < 100; percent++)
        n += find_radius(t, percent) < t->n_columns;
    if (n == 0) {
        size_t median; /* fails, and lists what there is */
        return koshu_table_find(log->context, t, "r50", &median);
    }
    KOSHU_TRY(koshu_panel_create(log->context, "Lagrangian radius", n, panel));
    panel->log = true;
    size_t k = 0;
    for (int percent = 1; percent < 100; percent++) {
        size_t column = find_radius(t, percent);
        if (column == t->n_columns) continue;
        struct koshu_series *s = &panel->series[k];
        s->colour = series_colour(k++, n);
        snprintf(s->label, sizeof s->label, "%d %%", percent);
        KOSHU_TRY(fill_series(log, column, s));
    }
    return KOSHU_OK;
}

/* ---- logs of a tree ------------------------------------------------------ */

enum { MOST_CURVES = 9 };

/* A column, and the name of its curve. */
struct curve {
    const char *column, *label;
};

struct found_curve {
    size_t column;
    double last; /* its value in the last row */
    const char *label;
};

/* Is there something to draw, on a logarithmic scale? */
static bool
is_drawn(const struct log *log, size_t column)
{
    for (size_t row = 0; row < log->table.n_rows; row++)
        if (value(log, row, column) > 0) return true;
    return false;
}

/* Those that the log has, from the lowest at the end to the highest, as names
 * stand beside the ends. */
static size_t
find_curves(const struct log *log, const struct curve *curve, size_t n,
            struct found_curve *found)
{
    const struct koshu_table *t = &log->table;
    size_t there = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < t->n_columns; c++) {
            if (strcmp(t->names[c], curve[k].column) != 0 || !is_drawn(log, c))
                continue;
            const double last = value(log, t->n_rows - 1, c);
            size_t at = there++;
            for (; at > 0 && found[at - 1].last > last; at--)
                found[at] = found[at - 1];
            found[at] = (struct found_curve){c, last, curve[k].label};
        }
    return there;
}

/* The first of the columns must be there. */
static koshu_status
columns_panel(const struct log *log, const char *name,
              const struct curve *curve, size_t n, struct koshu_panel *panel)
{
    struct found_curve found[MOST_CURVES];
    size_t needed;
    KOSHU_TRY(koshu_table_find(log->context, &log->table, curve[0].column,
                               &needed));
    const size_t there = find_curves(log, curve, n, found);
    KOSHU_TRY(koshu_panel_create(log->context, name, there, panel));
    panel->log = true;
    for (size_t k = 0; k < there; k++) {
        struct koshu_series *s = &panel->series[k];
        s->colour = series_colour(k, there);
        snprintf(s->label, sizeof s->label, "%s", found[k].label);
        KOSHU_TRY(fill_series(log, found[k].column, s));
    }
    return KOSHU_OK;
}

static koshu_status
stages_panel(const struct log *log, struct koshu_panel *panel)
{
    static const struct curve stages[] = {
            {"force", "force"},       {"walk", "walk"},
            {"transfer", "transfer"}, {"sort", "sort"},
            {"moments", "moments"},   {"build", "build"},
            {"integration", "steps"}, {"groups", "groups"},
            {"keys", "keys"}};
    return columns_panel(log, "seconds of a step", stages,
                         sizeof stages / sizeof stages[0], panel);
}

static koshu_status
lists_panel(const struct log *log, struct koshu_panel *panel)
{
    static const struct curve lists[] = {{"list_length", "lists"},
                                         {"list_cells", "cells"},
                                         {"original_length", "original"}};
    return columns_panel(log, "interactions of a particle", lists,
                         sizeof lists / sizeof lists[0], panel);
}

static koshu_status
errors_panel(const struct log *log, struct koshu_panel *panel)
{
    static const struct curve errors[] = {{"err_median", "median"},
                                          {"err_p90", "90 %"},
                                          {"err_p99", "99 %"},
                                          {"err_max", "largest"}};
    return columns_panel(log,
                         "|{/:Bold a} − {/:Bold a}_{direct}| / "
                         "|{/:Bold a}_{direct}|",
                         errors, sizeof errors / sizeof errors[0], panel);
}

/* ---- layout, in pixels ------------------------------------------------- */

enum {
    LEFT = 108,
    RIGHT = 96, /* names of the curves */
    BOTTOM = 66,
    TOP = 16,
    TITLE = 34,
    GAP = 18, /* between panels */
    WIDTH = 608,
    N_KINDS = 6
};

static const struct kind {
    unsigned flag;
    int height;
    koshu_status (*make)(const struct log *log, struct koshu_panel *panel);
} kinds[N_KINDS] = {{KOSHU_CURVES_ENERGY, 210, energy_panel},
                    {KOSHU_CURVES_VIRIAL, 210, virial_panel},
                    {KOSHU_CURVES_LAGRANGIAN, 340, lagrangian_panel},
                    {KOSHU_CURVES_STAGES, 340, stages_panel},
                    {KOSHU_CURVES_LISTS, 210, lists_panel},
                    {KOSHU_CURVES_ERRORS, 260, errors_panel}};

/* All that the log has. */
static unsigned
curves_of(const struct log *log)
{
    if (has_column(&log->table, "walk"))
        return KOSHU_CURVES_STAGES | KOSHU_CURVES_LISTS;
    if (has_column(&log->table, "err_median"))
        return KOSHU_CURVES_LISTS | KOSHU_CURVES_ERRORS;
    return KOSHU_CURVES_ENERGY | KOSHU_CURVES_VIRIAL | KOSHU_CURVES_LAGRANGIAN;
}

static int
figure_height(const struct koshu_curves_options *options)
{
    int height = BOTTOM + TOP - GAP + (options->title ? TITLE : 0);
    for (int k = 0; k < N_KINDS; k++)
        if (options->curves & kinds[k].flag) height += kinds[k].height + GAP;
    return height;
}

/* The time axis, common to all panels, is not empty even for one row. */
static void
say_time(struct koshu_gnuplot *g, const struct log *log)
{
    double begin = INFINITY, end = -INFINITY;
    for (size_t row = 0; row < log->table.n_rows; row++) {
        begin = fmin(begin, value(log, row, log->time));
        end = fmax(end, value(log, row, log->time));
    }
    if (!(end > begin)) { /* one time, or none that is a number */
        begin = isfinite(begin) ? begin - 0.5 : 0;
        end = begin + 1;
    }
    koshu_gnuplot_say(g,
                      "set xrange [%.17g:%.17g]\nset format x '%%g'\n"
                      "set xlabel 'time  {/:Italic t}'\n",
                      begin, end);
}

/* From the lowest panel up. */
static koshu_status
say_panels(struct koshu_gnuplot *g, const struct log *log,
           const struct koshu_curves_options *options)
{
    double bottom = BOTTOM;
    for (int k = N_KINDS - 1; k >= 0; k--) {
        if (!(options->curves & kinds[k].flag)) continue;
        struct koshu_panel panel = {0};
        koshu_status status = kinds[k].make(log, &panel);
        if (status == KOSHU_OK) {
            koshu_gnuplot_place(g, LEFT, bottom, WIDTH, kinds[k].height);
            if (bottom > BOTTOM) /* the time stands below the lowest alone */
                koshu_gnuplot_say(g, "set format x ''\nunset xlabel\n");
            koshu_panel_draw(g, &panel);
            koshu_gnuplot_say(g, "unset label 1\n");
        }
        koshu_panel_free(&panel);
        KOSHU_TRY(status);
        bottom += kinds[k].height + GAP;
    }
    return KOSHU_OK;
}

static koshu_status
draw(const struct log *log, const struct koshu_curves_options *options,
     const char *path)
{
    struct koshu_gnuplot g;
    int height = figure_height(options);
    KOSHU_TRY(koshu_gnuplot_begin(&g, log->context, LEFT + WIDTH + RIGHT,
                                  (size_t)height, 13));
    koshu_gnuplot_say(&g, "set multiplot\nset border linewidth 1.2\n"
                          "set tics out nomirror scale 0.7,0.4\n");
    koshu_gnuplot_title(&g, options->title, LEFT + WIDTH / 2,
                        height - (TOP + TITLE) / 2);
    say_time(&g, log);
    koshu_status status = say_panels(&g, log, options);
    koshu_gnuplot_say(&g, "unset multiplot\n");
    if (status == KOSHU_OK) return koshu_gnuplot_finish(&g, path);
    koshu_gnuplot_abandon(&g);
    return status;
}

koshu_status
koshu_picture_curves(struct koshu_context *context,
                     const struct koshu_curves_options *options,
                     const char *log_path, const char *path)
{
    if (options->curves == 0 || (options->curves & ~KOSHU_CURVES_ALL))
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "the curves of a picture must be some of energy, "
                          "virial ratio, Lagrangian radii, stages, lists, "
                          "errors; got flags %#x",
                          options->curves);
    struct log log = {.context = context};
    KOSHU_TRY(koshu_table_read(context, log_path, KOSHU_TABLE_LOG, &log.table));
    koshu_status status =
            koshu_table_find(context, &log.table, "time", &log.time);
    struct koshu_curves_options chosen = *options;
    if (chosen.curves == KOSHU_CURVES_ALL) chosen.curves = curves_of(&log);
    if (status == KOSHU_OK) status = draw(&log, &chosen, path);
    koshu_table_free(&log.table);
    return status;
}
