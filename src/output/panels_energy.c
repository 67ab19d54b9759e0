/* SPDX-License-Identifier: MIT */
/* Panels of energy.csv: energy error, virial ratio, Lagrangian radii. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/run_log.h"

static const unsigned blue = 0x2b5c8a;

/* What energy errors are relative to. */
struct scale {
    /* the column of the kinetic energy; n_columns: `number` instead */
    size_t kinetic;
    double number;
    const char *name;
};

/* Cosmological logs: the scale factor has no unit, where energies have one. */
static bool
is_comoving(const struct koshu_run_log *log, size_t kinetic)
{
    return !log->table.units[log->time][0] && log->table.units[kinetic][0];
}

/* In a box the errors in the log are relative to the kinetic energy. */
bool
koshu_run_log_is_of_box(const struct koshu_run_log *log)
{
    const size_t n = log->table.n_columns, last = log->table.n_rows - 1;
    const size_t total = koshu_run_log_column(log, "total"),
                 kinetic = koshu_run_log_column(log, "kinetic"),
                 error = koshu_run_log_column(log, "energy_error");
    if (total == n || kinetic == n || error == n) return false;
    if (is_comoving(log, kinetic)) return true;
    const double change = koshu_run_log_value(log, last, total) -
                          koshu_run_log_value(log, 0, total);
    const double of_kinetic = koshu_run_log_value(log, last, error) *
                              koshu_run_log_value(log, last, kinetic);
    /* the change is a difference of two numbers with 16 digits */
    return change != 0 && fabs(of_kinetic / change - 1) < 1e-3;
}

static struct scale
scale_of(const struct koshu_run_log *log, size_t total)
{
    const size_t kinetic = koshu_run_log_column(log, "kinetic");
    const double first = koshu_run_log_value(log, 0, total);
    struct scale scale = {log->table.n_columns, fabs(first),
                          "|{/:Italic E} − {/:Italic E}_0| / "
                          "|{/:Italic E}_0|"};
    if (koshu_run_log_is_of_box(log))
        return (struct scale){kinetic, 1,
                              "|{/:Italic E} − {/:Italic E}_0| / "
                              "{/:Italic T}"};
    if (first != 0) return scale;
    /* where the energy is 0, only the absolute error is defined */
    return (struct scale){log->table.n_columns, 1,
                          "|{/:Italic E} − {/:Italic E}_0|"};
}

/* The run's own error column, which accounts for energy taken by stars that
 * left and for cosmic expansion. Logs without it: the total energy compared
 * with the first row. */
static double
error_of(const struct koshu_run_log *log, size_t total,
         const struct scale *scale, size_t row)
{
    const size_t errors = koshu_run_log_column(log, "energy_error");
    if (errors < log->table.n_columns)
        return fabs(koshu_run_log_value(log, row, errors));
    const double change = fabs(koshu_run_log_value(log, row, total) -
                               koshu_run_log_value(log, 0, total));
    return change / (scale->kinetic < log->table.n_columns
                             ? koshu_run_log_value(log, row, scale->kinetic)
                             : scale->number);
}

static koshu_status
add_errors(const struct koshu_run_log *log, size_t total,
           const struct scale *scale, struct koshu_series *s)
{
    KOSHU_TRY(koshu_series_create(log->context, log->table.n_rows, s));
    for (size_t row = 0; row < log->table.n_rows; row++) {
        const double error = error_of(log, total, scale, row);
        /* an error of 0, as in the first row, has no logarithm */
        koshu_series_add(s, koshu_run_log_value(log, row, log->time),
                         error > 0 ? error : NAN);
    }
    return KOSHU_OK;
}

koshu_status
koshu_energy_panel(const struct koshu_run_log *log, struct koshu_panel *panel)
{
    size_t total;
    KOSHU_TRY(koshu_table_find(log->context, &log->table, "total", &total));
    const struct scale scale = scale_of(log, total);
    KOSHU_TRY(koshu_panel_create(log->context, scale.name, 1, panel));
    panel->log = true;
    panel->series->colour = blue;
    return add_errors(log, total, &scale, panel->series);
}

koshu_status
koshu_virial_panel(const struct koshu_run_log *log, struct koshu_panel *panel)
{
    size_t ratio;
    KOSHU_TRY(koshu_table_find(log->context, &log->table, "virial_ratio",
                               &ratio));
    KOSHU_TRY(koshu_panel_create(log->context,
                                 "virial ratio  {/:Italic T} / |{/:Italic W}|",
                                 1, panel));
    panel->guide = 0.5; /* virial equilibrium */
    panel->series[0].colour = blue;
    return koshu_run_log_series(log, ratio, panel->series);
}

/* The column "r05" is the radius that contains 5 % of the mass. */
static size_t
find_radius(const struct koshu_run_log *log, int percent)
{
    char name[8];
    snprintf(name, sizeof name, "r%02d", percent);
    return koshu_run_log_column(log, name);
}

/* Lists the columns of radii, from the smallest to the largest, whatever their
 * order; returns how many. */
static size_t
find_radii(const struct koshu_run_log *log, int percents[100])
{
    size_t n = 0;
    for (int percent = 1; percent < 100; percent++)
        if (find_radius(log, percent) < log->table.n_columns)
            percents[n++] = percent;
    return n;
}

koshu_status
koshu_lagrangian_panel(const struct koshu_run_log *log,
                       struct koshu_panel *panel)
{
    const struct koshu_table *t = &log->table;
    int percents[100];
    const size_t n = find_radii(log, percents);
    size_t median; /* fails, and lists the columns there are */
    if (n == 0) return koshu_table_find(log->context, t, "r50", &median);
    KOSHU_TRY(koshu_panel_create(log->context, "Lagrangian radius", n, panel));
    panel->log = true;
    koshu_run_log_unit(log, find_radius(log, percents[0]), panel->unit);
    for (size_t k = 0; k < n; k++) {
        struct koshu_series *s = &panel->series[k];
        s->colour = koshu_curve_colour(k, n);
        snprintf(s->label, sizeof s->label, "%d %%", percents[k]);
        KOSHU_TRY(koshu_run_log_series(log, find_radius(log, percents[k]), s));
    }
    return KOSHU_OK;
}
