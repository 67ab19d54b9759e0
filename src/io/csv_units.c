/* SPDX-License-Identifier: MIT */
/* Units in the column names of CSV files. */
#include "io/csv_units.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

/* The quantity in an array. false: it has no unit. */
static bool
quantity_of(size_t array, enum koshu_quantity *quantity)
{
    switch (koshu_particle_arrays[array].field) {
    case KOSHU_FIELD_MASS: *quantity = KOSHU_QUANTITY_MASS; return true;
    case KOSHU_FIELD_POSITION: *quantity = KOSHU_QUANTITY_LENGTH; return true;
    case KOSHU_FIELD_VELOCITY: *quantity = KOSHU_QUANTITY_VELOCITY; return true;
    case KOSHU_FIELD_POTENTIAL:
        *quantity = KOSHU_QUANTITY_POTENTIAL;
        return true;
    default: return false;
    }
}

/* The index of a quantity's unit in cgs[] and column[]. */
static int
place_of(enum koshu_quantity quantity)
{
    switch (quantity) {
    case KOSHU_QUANTITY_LENGTH: return 0;
    case KOSHU_QUANTITY_MASS: return 1;
    default: return 2;
    }
}

/* Equal to the four digits with which units are written? */
static bool
same(double a, double b)
{
    return fabs(a / b - 1) < 2e-3;
}

static koshu_status
keep(struct koshu_reader *reader, const char *column, const char *text,
     enum koshu_quantity quantity, struct koshu_csv_units *u)
{
    double cgs;
    const int k = place_of(quantity);
    if (koshu_unit_parse(reader->context, text, quantity, &cgs) != KOSHU_OK) {
        char message[512];
        snprintf(message, sizeof message, "%s",
                 koshu_context_message(reader->context));
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                   "column %s: %s", column, message);
    }
    if (quantity == KOSHU_QUANTITY_POTENTIAL) cgs = sqrt(cgs);
    if (u->cgs[k] > 0 && !same(u->cgs[k], cgs))
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                   "the columns %s and %s are in different "
                                   "units ([%s]); give all of a kind the same",
                                   u->column[k], column, text);
    u->cgs[k] = cgs;
    u->column[k] = column;
    return KOSHU_OK;
}

koshu_status
koshu_csv_unit_take(struct koshu_reader *reader, char *name,
                    struct koshu_csv_units *u)
{
    char *open = strchr(name, '['), *close = strrchr(name, ']');
    enum koshu_quantity quantity;
    size_t array = 0;
    if (!open || !close || close < open || close[1]) return KOSHU_OK;
    *open = *close = '\0';
    koshu_trim(name);
    while (array < KOSHU_SNAPSHOT_ARRAYS &&
           strcmp(name, koshu_particle_arrays[array].name) != 0)
        array++;
    if (array == KOSHU_SNAPSHOT_ARRAYS || !quantity_of(array, &quantity))
        return KOSHU_OK;
    return keep(reader, koshu_particle_arrays[array].name, open + 1, quantity,
                u);
}

/* ---- the whole file ------------------------------------------------------ */

static koshu_status
refuse_missing(struct koshu_reader *reader, const struct koshu_csv_units *u)
{
    static const char *const columns[] = {"x", "mass", "vx"};
    const char *given = NULL, *missing = NULL;
    for (int k = 0; k < 3; k++)
        if (u->cgs[k] > 0)
            given = u->column[k];
        else
            missing = columns[k];
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                               "the column %s has a unit, and %s has none; "
                               "give both, '%s [...]'",
                               given, missing, missing);
}

static koshu_status
compare(struct koshu_reader *reader, const struct koshu_csv_units *u,
        const struct koshu_units *units)
{
    static const char *const keys[] = {"unit_length_cm", "unit_mass_g",
                                       "unit_velocity_cm_s"};
    const double size[] = {units->length_cm, units->mass_g,
                           units->velocity_cm_s};
    for (int k = 0; k < 3; k++)
        if (u->cgs[k] > 0 && !same(u->cgs[k], size[k]))
            return koshu_reader_refuse(
                    reader, KOSHU_ERROR_BAD_INPUT,
                    "its %s is %g, but the column %s is in units of %g in "
                    "cgs; correct one of them",
                    keys[k], size[k], u->column[k], u->cgs[k]);
    return KOSHU_OK;
}

koshu_status
koshu_csv_units_settle(struct koshu_reader *reader,
                       const struct koshu_csv_units *u,
                       struct koshu_snapshot_info *info)
{
    const bool any = u->cgs[0] > 0 || u->cgs[1] > 0 || u->cgs[2] > 0;
    info->has_units = u->in_comments || any;
    if (!any) return KOSHU_OK;
    if (u->in_comments) return compare(reader, u, &info->units);
    if (!(u->cgs[0] > 0 && u->cgs[1] > 0 && u->cgs[2] > 0))
        return refuse_missing(reader, u);
    info->units = (struct koshu_units){u->cgs[0], u->cgs[1], u->cgs[2]};
    if (koshu_units_are_henon(&info->units))
        return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                                   "cm, g and cm/s are taken for units without "
                                   "dimension; give one column in another, "
                                   "'x [km]' say");
    return KOSHU_OK;
}

void
koshu_csv_column_name(const struct koshu_units *units, size_t array,
                      size_t size, char *text)
{
    char unit[96] = "";
    enum koshu_quantity quantity;
    if (quantity_of(array, &quantity))
        koshu_units_label(units, quantity, sizeof unit, unit);
    snprintf(text, size, unit[0] ? "%s [%s]" : "%s",
             koshu_particle_arrays[array].name, unit);
}
