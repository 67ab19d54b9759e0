/* SPDX-License-Identifier: MIT */
/* Reads the log of a run, and makes curves of its columns. */
#include "output/run_log.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "output/palette.h"

double
koshu_run_log_value(const struct koshu_run_log *log, size_t row, size_t column)
{
    return log->table.values[row * log->table.n_columns + column];
}

size_t
koshu_run_log_column(const struct koshu_run_log *log, const char *name)
{
    size_t c = 0;
    while (c < log->table.n_columns && strcmp(log->table.names[c], name) != 0)
        c++;
    return c;
}

/* A unit from a file is drawn only if gnuplot does not interpret it. */
void
koshu_run_log_unit(const struct koshu_run_log *log, size_t column,
                   char text[KOSHU_COLUMN_UNIT])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ ./+-";
    const char *unit = log->table.units[column];
    const size_t n = strlen(unit);
    text[0] = '\0';
    if (n > 0 && n < KOSHU_COLUMN_UNIT - 5 && strspn(unit, plain) == n)
        snprintf(text, KOSHU_COLUMN_UNIT, "  [%s]", unit);
}

koshu_status
koshu_run_log_series(const struct koshu_run_log *log, size_t column,
                     struct koshu_series *series)
{
    KOSHU_TRY(koshu_series_create(log->context, log->table.n_rows, series));
    for (size_t row = 0; row < log->table.n_rows; row++)
        koshu_series_add(series, koshu_run_log_value(log, row, log->time),
                         koshu_run_log_value(log, row, column));
    return KOSHU_OK;
}

unsigned
koshu_curve_colour(size_t k, size_t n)
{
    double part = n > 1 ? (double)k / (double)(n - 1) : 0.5;
    return koshu_palette[(size_t)(36 + 160 * part)];
}
