/* SPDX-License-Identifier: MIT */
/* Panels of performance.csv and errors.csv of runs with the tree. */
#include <math.h>

#include "base/base.h"
#include "output/run_log.h"

enum { MAX_CURVES = 9 };

/* A column, and the name of its curve. */
struct curve {
    const char *column, *label;
};

struct found_curve {
    size_t column;
    double last; /* its value in the last row */
    const char *label;
};

/* Is any number of the column above zero? */
static bool
is_drawn(const struct koshu_run_log *log, size_t column)
{
    for (size_t row = 0; row < log->table.n_rows; row++)
        if (koshu_run_log_value(log, row, column) > 0) return true;
    return false;
}

/* Finds the columns that the log has, in their order; the first is required. */
static koshu_status
find_curves(const struct koshu_run_log *log, const struct curve *curve,
            struct found_curve *found, size_t *there)
{
    const struct koshu_table *t = &log->table;
    size_t needed;
    *there = 0;
    KOSHU_TRY(koshu_table_find(log->context, t, curve[0].column, &needed));
    for (size_t k = 0; curve[k].column; k++) {
        const size_t c = koshu_run_log_column(log, curve[k].column);
        if (c < t->n_columns && is_drawn(log, c))
            found[(*there)++] = (struct found_curve){
                    c, koshu_run_log_value(log, t->n_rows - 1, c),
                    curve[k].label};
    }
    return KOSHU_OK;
}

/* Areas get lighter from top to bottom; the large ones are below. */
static void
name_series(struct koshu_panel *panel, size_t k, const char *label)
{
    const size_t n = panel->n_series;
    struct koshu_series *s = &panel->series[k];
    s->colour = koshu_curve_colour(panel->stacked ? n - 1 - k : k, n);
    snprintf(s->label, sizeof s->label, "%s", label);
}

/* ---- curves beside each other -------------------------------------------- */

/* Sorts curves from the lowest to the highest end, in the order of their
 * names. */
static void
sort_by_last(struct found_curve *found, size_t n)
{
    for (size_t k = 1; k < n; k++)
        for (size_t at = k; at > 0 && found[at - 1].last > found[at].last;
             at--) {
            const struct found_curve higher = found[at - 1];
            found[at - 1] = found[at];
            found[at] = higher;
        }
}

/* ---- stages on top of each other ----------------------------------------- */

/* The sum of stages 0 ... k in a row; those that are not numbers count as 0. */
static double
stacked(const struct koshu_run_log *log, size_t row,
        const struct found_curve *found, size_t k)
{
    double sum = 0;
    for (size_t s = 0; s <= k; s++) {
        const double y = koshu_run_log_value(log, row, found[s].column);
        if (y > 0 && isfinite(y)) sum += y;
    }
    return sum;
}

/* The top of stage k in each row. A single row fills the axis. */
static koshu_status
stack(const struct koshu_run_log *log, const struct found_curve *found,
      size_t k, struct koshu_series *series)
{
    const size_t rows = log->table.n_rows;
    KOSHU_TRY(koshu_series_create(log->context, rows > 1 ? rows : 2, series));
    for (size_t row = 0; row < rows; row++) {
        const double time = koshu_run_log_value(log, row, log->time),
                     top = stacked(log, row, found, k);
        koshu_series_add(series, rows > 1 ? time : time - 0.5, top);
        if (rows == 1) koshu_series_add(series, time + 0.5, top);
    }
    return KOSHU_OK;
}

/* ---- the panels --------------------------------------------------------- */

/* What a panel shows; the curves end with one without a name. */
static const struct content {
    enum koshu_curves kind;
    const char *name;
    bool log, stacked;
    struct curve curve[MAX_CURVES + 1];
} contents[] = {
        {.kind = KOSHU_CURVES_RATES,
         .name = "Gflop/s",
         .curve = {{"gflops_38", "at 38"}, {"gflops_corrected", "corrected"}}},
        {.kind = KOSHU_CURVES_LISTS,
         .name = "interactions of a particle",
         .log = true,
         .curve = {{"list_length", "lists"},
                   {"list_cells", "cells"},
                   {"barnes_hut_length", "original"},
                   /* its name in koshu 0.1 */
                   {"original_length", "original"}}},
        {.kind = KOSHU_CURVES_ERRORS,
         .name = "|{/:Bold a} − {/:Bold a}_{direct}| / "
                 "|{/:Bold a}_{direct}|",
         .log = true,
         .curve = {{"err_median", "median"},
                   {"err_p90", "90 %"},
                   {"err_p99", "99 %"},
                   {"err_max", "largest"}}},
        {.kind = KOSHU_CURVES_STAGES,
         .name = "seconds of a step",
         .stacked = true,
         .curve = {{"walk", "walk"},
                   {"transfer", "transfer"},
                   {"force", "force"},
                   {"keys", "keys"},
                   {"sort", "sort"},
                   {"build", "build"},
                   {"moments", "moments"},
                   {"groups", "groups"},
                   {"integration", "steps"}}},
};

koshu_status
koshu_tree_panel(const struct koshu_run_log *log, enum koshu_curves kind,
                 struct koshu_panel *panel)
{
    const struct content *content = contents;
    struct found_curve found[MAX_CURVES];
    size_t there;
    while (content->kind != kind) content++;
    KOSHU_TRY(find_curves(log, content->curve, found, &there));
    if (!content->stacked) sort_by_last(found, there);
    KOSHU_TRY(koshu_panel_create(log->context, content->name, there, panel));
    panel->log = content->log;
    panel->stacked = content->stacked;
    for (size_t k = 0; k < there; k++) {
        struct koshu_series *series = &panel->series[k];
        name_series(panel, k, found[k].label);
        KOSHU_TRY(content->stacked
                          ? stack(log, found, k, series)
                          : koshu_run_log_series(log, found[k].column, series));
    }
    return KOSHU_OK;
}
