/* SPDX-License-Identifier: MIT */
/* Draws curves of a run's log against time, in panels below each other. */
#include <koshu/picture.h>

#include <math.h>

#include "base/base.h"
#include "output/gnuplot.h"
#include "output/run_log.h"

KOSHU_DEFINE_DEFAULT(koshu_curves_options, .curves = KOSHU_CURVES_ALL,
                     .pixels = 608)

/* ---- names -------------------------------------------------------------- */

static const char *const names[] = {"energy",   "virial",      "lagrangian",
                                    "stages",   "lists",       "errors",
                                    "rates",    "core",        "bound",
                                    "binaries", "segregation", "dispersion"};
KOSHU_BIT_NAMES(koshu_curves, "a kind of curves", names)

/* ---- layout, in units -------------------------------------------------- */

enum {
    LEFT = 108,
    RIGHT = 96, /* for the names of the curves */
    BOTTOM = 66,
    NAME = 16, /* from the edge to the middle of the time axis's name */
    TOP = 16,
    TITLE = 34,
    GAP = 18, /* between panels */
    WIDTH = 608,
    N_KINDS = 12
};

static const struct kind {
    enum koshu_curves flag;
    int height;
    /* NULL: by koshu_tree_panel() or koshu_cluster_panel() */
    koshu_make_panel *make;
} kinds[N_KINDS] = {{KOSHU_CURVES_ENERGY, 210, koshu_energy_panel},
                    {KOSHU_CURVES_VIRIAL, 210, koshu_virial_panel},
                    {KOSHU_CURVES_LAGRANGIAN, 340, koshu_lagrangian_panel},
                    {KOSHU_CURVES_STAGES, 340, NULL},
                    {KOSHU_CURVES_RATES, 210, NULL},
                    {KOSHU_CURVES_LISTS, 210, NULL},
                    {KOSHU_CURVES_ERRORS, 260, NULL},
                    {KOSHU_CURVES_CORE, 260, NULL},
                    {KOSHU_CURVES_BOUND, 210, NULL},
                    {KOSHU_CURVES_DISPERSION, 210, NULL},
                    {KOSHU_CURVES_BINARIES, 210, NULL},
                    {KOSHU_CURVES_SEGREGATION, 210, NULL}};

static const unsigned of_cluster =
        KOSHU_CURVES_CORE | KOSHU_CURVES_BOUND | KOSHU_CURVES_DISPERSION |
        KOSHU_CURVES_BINARIES | KOSHU_CURVES_SEGREGATION;

static bool
has(const struct koshu_run_log *log, const char *column)
{
    return koshu_run_log_column(log, column) < log->table.n_columns;
}

/* All kinds of curves for which the log has columns. */
static unsigned
curves_of(const struct koshu_run_log *log)
{
    if (has(log, "walk"))
        return KOSHU_CURVES_STAGES | KOSHU_CURVES_LISTS |
               (has(log, "gflops_38") ? KOSHU_CURVES_RATES : 0);
    if (has(log, "bound_mass")) return of_cluster;
    if (has(log, "err_median")) return KOSHU_CURVES_LISTS | KOSHU_CURVES_ERRORS;
    /* a periodic box has no centre, and its potential no meaning of its own */
    if (koshu_run_log_is_of_box(log)) return KOSHU_CURVES_ENERGY;
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

/* The common time axis; not empty even for a single row. */
static void
print_time(struct koshu_gnuplot *g, const struct koshu_run_log *log)
{
    double begin = INFINITY, end = -INFINITY;
    char unit[KOSHU_COLUMN_UNIT];
    koshu_run_log_unit(log, log->time, unit);
    for (size_t row = 0; row < log->table.n_rows; row++) {
        begin = fmin(begin, koshu_run_log_value(log, row, log->time));
        end = fmax(end, koshu_run_log_value(log, row, log->time));
    }
    if (!(end > begin)) { /* a single time, or none that is a number */
        begin = isfinite(begin) ? begin - 0.5 : 0;
        end = begin + 1;
    }
    koshu_gnuplot_print(g,
                        "set xrange [%.17g:%.17g]\nset format x '%%g'\n"
                        "set label 3 'time  {/:Italic t}%s' at graph "
                        "0.5,screen %.8f center textcolor rgb '%s'\n",
                        begin, end, unit, (double)NAME / g->canvas.height,
                        g->ink);
}

/* Draws the panels, the lowest first. */
static koshu_status
print_panels(struct koshu_gnuplot *g, const struct koshu_run_log *log,
             const struct koshu_curves_options *options)
{
    double bottom = BOTTOM;
    for (int k = N_KINDS - 1; k >= 0; k--) {
        if (!(options->curves & kinds[k].flag)) continue;
        struct koshu_panel panel = {0};
        koshu_status status =
                kinds[k].make ? kinds[k].make(log, &panel)
                : kinds[k].flag & of_cluster
                        ? koshu_cluster_panel(log, kinds[k].flag, &panel)
                        : koshu_tree_panel(log, kinds[k].flag, &panel);
        if (status == KOSHU_OK) {
            koshu_gnuplot_place(g, LEFT, bottom, WIDTH, kinds[k].height);
            if (bottom > BOTTOM) /* only the lowest panel has time labels */
                koshu_gnuplot_print(g, "set format x ''\nunset label 3\n");
            koshu_panel_draw(g, &panel);
            koshu_gnuplot_print(g, "unset label 1\n");
        }
        koshu_panel_free(&panel);
        KOSHU_TRY(status);
        bottom += kinds[k].height + GAP;
    }
    return KOSHU_OK;
}

static koshu_status
draw(const struct koshu_run_log *log,
     const struct koshu_curves_options *options, const char *path)
{
    struct koshu_gnuplot g;
    int height = figure_height(options);
    const struct koshu_canvas canvas = {.path = path,
                                        .width = LEFT + WIDTH + RIGHT,
                                        .height = height,
                                        .font = 13,
                                        .scale = options->pixels / WIDTH,
                                        .dark = options->dark};
    KOSHU_TRY(koshu_gnuplot_begin(&g, log->context, &canvas));
    koshu_gnuplot_print(&g, "set multiplot\n"
                            "set tics out nomirror scale 0.7,0.4\n");
    koshu_gnuplot_title(&g, options->title, LEFT + WIDTH / 2,
                        height - (TOP + TITLE) / 2);
    print_time(&g, log);
    koshu_status status = print_panels(&g, log, options);
    koshu_gnuplot_print(&g, "unset multiplot\n");
    if (status == KOSHU_OK) return koshu_gnuplot_finish(&g);
    koshu_gnuplot_abandon(&g);
    return status;
}

koshu_status
koshu_picture_curves(struct koshu_context *context, const char *log_path,
                     const char *path,
                     const struct koshu_curves_options *options)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, log_path);
    KOSHU_REQUIRE(context, path);
    struct koshu_curves_options o;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_curves_options, options, &o));
    if (o.curves == 0 || (o.curves & ~(KOSHU_CURVES_ALL | of_cluster)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the curves of a picture must be some of energy, "
                          "virial ratio, Lagrangian radii, stages, rates, "
                          "lists, errors, or of a cluster core, bound mass, "
                          "binaries, segregation, dispersion; got flags %#x",
                          o.curves);
    struct koshu_run_log log = {.context = context};
    KOSHU_TRY(koshu_table_read(context, log_path, KOSHU_TABLE_LOG, &log.table));
    koshu_status status =
            koshu_table_find(context, &log.table, "time", &log.time);
    if (o.curves == KOSHU_CURVES_ALL) o.curves = curves_of(&log);
    if (status == KOSHU_OK) status = draw(&log, &o, path);
    koshu_table_free(&log.table);
    return status;
}
