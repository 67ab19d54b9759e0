/* SPDX-License-Identifier: MIT */
/* Mass functions: the number of stars per dm at mass m, in solar masses. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "initial/distribution.h"
#include "io/io.h"

static const char *const names[] = {"equal", "salpeter", "kroupa", "chabrier",
                                    "table"};
KOSHU_ENUM_NAMES(koshu_mass_function, "a mass function", names)

/* Continuous: each segment begins at the value where the one before ends. */
static const struct koshu_segment salpeter[] = {
        {.high = INFINITY, .coefficient = 1, .power = -2.35}};
static const struct koshu_segment kroupa[] = {
        {.high = 0.08, .coefficient = 1, .power = -0.3},
        {.low = 0.08, .high = 0.5, .power = -1.3},
        {.low = 0.5, .high = INFINITY, .power = -2.3}};
static const struct koshu_segment chabrier[] = {
        {.kind = KOSHU_SEGMENT_NORMAL,
         .high = 1,
         .coefficient = 1,
         .mean = -1.1023729087095586, /* log10 0.079 */
         .sigma = 0.69},
        {.low = 1, .high = INFINITY, .power = -2.3}};

static koshu_status
allocate(struct koshu_context *context, size_t n, struct koshu_distribution *d)
{
    *d = (struct koshu_distribution){n, koshu_alloc(n, sizeof *d->segment)};
    return d->segment ? KOSHU_OK
                      : koshu_fail_memory(context, n * sizeof *d->segment,
                                          "mass function");
}

static koshu_status
take_law(struct koshu_context *context, size_t n,
         const struct koshu_segment *segments, struct koshu_distribution *d)
{
    KOSHU_TRY(allocate(context, n, d));
    memcpy(d->segment, segments, n * sizeof *segments);
    for (size_t k = 1; k < n; k++) {
        struct koshu_segment *p = &d->segment[k];
        p->coefficient =
                koshu_segment_density(&p[-1], p->low) * pow(p->low, -p->power);
    }
    return KOSHU_OK;
}

/* ---- a table ------------------------------------------------------------- */

static koshu_status
refuse_row(struct koshu_context *context, const struct koshu_table *t,
           size_t row, const char *why)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s, row %zu of a mass function: %s", t->path, row + 1,
                      why);
}

/* Makes segments that are powers of m between the rows. */
static koshu_status
take_rows(struct koshu_context *context, const struct koshu_table *t, size_t m,
          size_t xi, struct koshu_distribution *d)
{
    if (t->n_rows < 2)
        return refuse_row(context, t, 0, "it is the only one; two are needed");
    KOSHU_TRY(allocate(context, t->n_rows - 1, d));
    for (size_t k = 0; k < t->n_rows; k++) {
        const double *row = t->values + k * t->n_columns;
        if (!(row[m] > 0 && row[xi] > 0))
            return refuse_row(context, t, k,
                              "mass and xi must both be positive");
        if (k == 0) continue;
        const double *last = row - t->n_columns;
        if (!(row[m] > last[m]))
            return refuse_row(context, t, k,
                              "masses must increase; sort the rows");
        const double power = log(row[xi] / last[xi]) / log(row[m] / last[m]);
        d->segment[k - 1] = (struct koshu_segment){
                .low = last[m],
                .high = row[m],
                .power = fabs(power + 1) < 1e-12 ? -1 : power,
                .coefficient = last[xi] * pow(last[m], -power)};
    }
    return KOSHU_OK;
}

static koshu_status
read_table(struct koshu_context *context, const char *path,
           struct koshu_distribution *d)
{
    struct koshu_table t = {0};
    size_t m, xi;
    if (!path || !path[0])
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "mass function table: set mass_table, the CSV file "
                          "with the columns mass and xi");
    koshu_status status = koshu_table_read(context, path, KOSHU_TABLE_DATA, &t);
    if (status == KOSHU_OK) status = koshu_table_find(context, &t, "mass", &m);
    if (status == KOSHU_OK) status = koshu_table_find(context, &t, "xi", &xi);
    if (status == KOSHU_OK) status = take_rows(context, &t, m, xi, d);
    koshu_table_free(&t);
    return status;
}

/* ---- limits -------------------------------------------------------------- */

static koshu_status
check_limits(struct koshu_context *context,
             const struct koshu_initial_options *o)
{
    const char *name = names[o->mass_function];
    const bool table = o->mass_function == KOSHU_MASS_FUNCTION_TABLE;
    if (!table && (o->mass_min == 0 || o->mass_max == 0))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the mass function %s has no limits: set mass_min "
                          "and mass_max, in solar masses, for example 0.08 and "
                          "100",
                          name);
    if (table && o->mass_min == 0 && o->mass_max == 0) return KOSHU_OK;
    if (o->mass_min > 0 && o->mass_max > o->mass_min && isfinite(o->mass_max))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the mass function %s from mass_min = %g to mass_max = "
                      "%g: both must be positive, the second the larger",
                      name, o->mass_min, o->mass_max);
}

static koshu_status
take_segments(struct koshu_context *context,
              const struct koshu_initial_options *o,
              struct koshu_distribution *d)
{
#define LAW(segments) \
    take_law(context, sizeof(segments) / sizeof(segments)[0], segments, d)
    switch (o->mass_function) {
    case KOSHU_MASS_FUNCTION_SALPETER: return LAW(salpeter);
    case KOSHU_MASS_FUNCTION_KROUPA: return LAW(kroupa);
    case KOSHU_MASS_FUNCTION_CHABRIER: return LAW(chabrier);
    default: return read_table(context, o->mass_table, d);
    }
#undef LAW
}

koshu_status
koshu_mass_function_make(struct koshu_context *context,
                         const struct koshu_initial_options *o,
                         struct koshu_distribution *d)
{
    *d = (struct koshu_distribution){0};
    if (!koshu_mass_function_name(o->mass_function))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "mass_function %d: there is no such law",
                          (int)o->mass_function);
    if (o->mass_function == KOSHU_MASS_FUNCTION_EQUAL) return KOSHU_OK;
    KOSHU_TRY(check_limits(context, o));
    KOSHU_TRY(take_segments(context, o, d));
    const double low = d->segment[0].low, high = d->segment[d->n - 1].high;
    const double from = o->mass_min > 0 ? o->mass_min : low;
    const double to = o->mass_max > 0 ? o->mass_max : high;
    if (from >= low && to <= high && koshu_distribution_limit(d, from, to))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "mass_min = %g, mass_max = %g: the table of masses is "
                      "from %g to %g",
                      from, to, low, high);
}
