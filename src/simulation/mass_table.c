/* SPDX-License-Identifier: MIT */
/*
 * The mass of stars against time, from tracks of stellar evolution. Rows with
 * the same initial mass are a track, in the order of time.
 *
 *     initial_mass,time [Myr],mass
 *     10,0,10
 *     10,24,9.5
 *     10,26,1.4
 *     40,0,40
 *     40,4.5,20
 *     40,5,8
 *
 * All tracks have the same number of rows, and the k-th row is the same phase
 * in each. Between two initial masses, times are interpolated as powers of the
 * initial mass, as lifetimes are, and the remaining mass fraction linearly in
 * its logarithm.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "io/io.h"
#include "particles/particles.h"
#include "simulation/mass_loss.h"

struct koshu_mass_table {
    size_t n_tracks, n_rows; /* rows of each */
    double *mass;            /* [n_tracks]: initial masses, increasing */
    double *time, *left;     /* [n_tracks][n_rows]; left: part of the mass */
};

enum { MASS, TIME, LEFT, COLUMNS };

struct reading {
    struct koshu_context *context;
    const struct koshu_units *units;
    struct koshu_table table;
    size_t column[COLUMNS];
    double factor[COLUMNS]; /* to the units of the run */
};

static double
value_of(const struct reading *r, size_t row, int k)
{
    const struct koshu_table *t = &r->table;
    return r->factor[k] * t->values[row * t->n_columns + r->column[k]];
}

static koshu_status
refuse(const struct reading *r, size_t row, const char *why)
{
    return koshu_fail(r->context, KOSHU_ERROR_BAD_INPUT,
                      "%s, row %zu of a table of masses: %s", r->table.path,
                      row + 1, why);
}

/* ---- columns ------------------------------------------------------------- */

/* A column without a unit in its name is in the run's unit. */
static koshu_status
find_column(struct reading *r, int k, const char *name,
            enum koshu_quantity quantity)
{
    char text[64];
    const struct koshu_table *t = &r->table;
    r->factor[k] = 1;
    KOSHU_TRY(koshu_table_find(r->context, t, name, &r->column[k]));
    const char *unit = t->units[r->column[k]];
    if (!unit[0]) return KOSHU_OK;
    snprintf(text, sizeof text, "1 %s", unit);
    if (koshu_quantity_parse(NULL, text, quantity, r->units, &r->factor[k]) ==
        KOSHU_OK)
        return KOSHU_OK;
    return koshu_fail(r->context, KOSHU_ERROR_BAD_INPUT,
                      "%s, column %s [%s]: %s", t->path, name, unit,
                      koshu_context_message(NULL));
}

static koshu_status
find_columns(struct reading *r)
{
    KOSHU_TRY(find_column(r, MASS, "initial_mass", KOSHU_QUANTITY_MASS));
    KOSHU_TRY(find_column(r, TIME, "time", KOSHU_QUANTITY_TIME));
    return find_column(r, LEFT, "mass", KOSHU_QUANTITY_MASS);
}

/* ---- rows ---------------------------------------------------------------- */

static bool
begins_track(const struct reading *r, size_t row)
{
    return row == 0 || value_of(r, row, MASS) != value_of(r, row - 1, MASS);
}

static koshu_status
check_row(const struct reading *r, size_t row)
{
    const double mass = value_of(r, row, MASS), time = value_of(r, row, TIME);
    if (!(mass > 0) || !(value_of(r, row, LEFT) > 0))
        return refuse(r, row,
                      "masses must be > 0; what vanishes is best left a small "
                      "one");
    if (!(time >= 0)) return refuse(r, row, "times must be >= 0");
    if (row == 0) return KOSHU_OK;
    if (!begins_track(r, row))
        return time > value_of(r, row - 1, TIME)
                       ? KOSHU_OK
                       : refuse(r, row, "times must grow within a track");
    if (mass < value_of(r, row - 1, MASS))
        return refuse(r, row, "initial masses must grow; sort the rows");
    if ((time == 0) != (value_of(r, 0, TIME) == 0))
        return refuse(r, row,
                      "either all tracks begin at the time 0, or none does");
    return KOSHU_OK;
}

/* Checks that all tracks have the same number of rows. */
static koshu_status
count_tracks(const struct reading *r, struct koshu_mass_table *m)
{
    size_t rows = 0;
    for (size_t k = 0; k < r->table.n_rows; k++) {
        KOSHU_TRY(check_row(r, k));
        if (begins_track(r, k)) {
            if (m->n_tracks == 1) m->n_rows = rows;
            if (rows != m->n_rows) break;
            m->n_tracks++;
            rows = 0;
        }
        rows++;
    }
    if (m->n_tracks == 1) m->n_rows = rows;
    if (m->n_tracks * m->n_rows == r->table.n_rows) return KOSHU_OK;
    return refuse(r, m->n_tracks * m->n_rows,
                  "all initial masses need as many rows, the k-th of each for "
                  "the same phase");
}

static koshu_status
take_rows(const struct reading *r, struct koshu_mass_table *m)
{
    KOSHU_TRY(count_tracks(r, m));
    const size_t n = r->table.n_rows;
    m->mass = koshu_alloc(m->n_tracks, sizeof *m->mass);
    m->time = koshu_alloc(n, sizeof *m->time);
    m->left = koshu_alloc(n, sizeof *m->left);
    if (!m->mass || !m->time || !m->left)
        return koshu_fail_memory(r->context, 2 * n * sizeof *m->time,
                                 "a table of masses");
    for (size_t k = 0; k < n; k++) {
        m->mass[k / m->n_rows] = value_of(r, k, MASS);
        m->time[k] = value_of(r, k, TIME);
        m->left[k] = value_of(r, k, LEFT) / value_of(r, k, MASS);
    }
    return KOSHU_OK;
}

koshu_status
koshu_mass_table_read(struct koshu_context *context, const char *path,
                      const struct koshu_units *units,
                      struct koshu_mass_table **table)
{
    struct reading r = {.context = context, .units = units};
    struct koshu_mass_table *m = koshu_alloc(1, sizeof *m);
    *table = NULL;
    if (!m) return koshu_fail_memory(context, sizeof *m, "a table of masses");
    koshu_status status =
            koshu_table_read(context, path, KOSHU_TABLE_DATA, &r.table);
    if (status == KOSHU_OK) status = find_columns(&r);
    if (status == KOSHU_OK) status = take_rows(&r, m);
    koshu_table_free(&r.table);
    if (status == KOSHU_OK)
        *table = m;
    else
        koshu_mass_table_destroy(m);
    return status;
}

void
koshu_mass_table_destroy(struct koshu_mass_table *table)
{
    if (!table) return;
    koshu_free(table->mass);
    koshu_free(table->time);
    koshu_free(table->left);
    koshu_free(table);
}

/* ---- interpolation ------------------------------------------------------- */

/* Two neighbouring tracks, or twice the first or last: a row of each. */
struct between {
    const double *time[2], *left[2];
    double part; /* weight of the second */
};

static struct between
find_tracks(const struct koshu_mass_table *t, double mass)
{
    size_t k = 0;
    while (k < t->n_tracks && t->mass[k] <= mass) k++;
    const size_t high = k < t->n_tracks ? k : t->n_tracks - 1,
                 low = k > 0 ? k - 1 : 0;
    const size_t a = low * t->n_rows, b = high * t->n_rows;
    return (struct between){
            .time = {t->time + a, t->time + b},
            .left = {t->left + a, t->left + b},
            .part = high == low ? 0
                                : log(mass / t->mass[low]) /
                                          log(t->mass[high] / t->mass[low])};
}

static double
time_of(const struct between *b, size_t row)
{
    const double first = b->time[0][row], second = b->time[1][row];
    return first > 0 ? first * pow(second / first, b->part) : 0;
}

static double
left_of(const struct between *b, size_t row)
{
    const double first = b->left[0][row];
    return first + b->part * (b->left[1][row] - first);
}

/* The first later row; n_rows: none. */
static size_t
row_after(const struct koshu_mass_table *table, const struct between *b,
          double time)
{
    size_t low = 0, high = table->n_rows;
    while (low < high) {
        const size_t k = low + (high - low) / 2;
        if (time_of(b, k) <= time)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

static double
left_at(const struct koshu_mass_table *table, const struct between *b,
        double time)
{
    const size_t k = row_after(table, b, time);
    if (k == 0) return left_of(b, 0);
    if (k == table->n_rows) return left_of(b, k - 1);
    const double before = time_of(b, k - 1), after = time_of(b, k),
                 from = left_of(b, k - 1);
    return from + (time - before) / (after - before) * (left_of(b, k) - from);
}

double
koshu_mass_table_ratio(const struct koshu_mass_table *table, double mass,
                       double from, double to)
{
    const struct between b = find_tracks(table, mass);
    return left_at(table, &b, to) / left_at(table, &b, from);
}
