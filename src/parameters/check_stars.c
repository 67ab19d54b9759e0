/* SPDX-License-Identifier: MIT */
/* Checks keys of the stars of a model that depend on each other. */
#include "base/base.h"
#include "parameters/object.h"

static bool
given(const struct koshu_parameters *p, const char *path)
{
    return p->place[koshu_key_find(path)] != NULL;
}

static koshu_status
check_masses(const struct koshu_parameters *p)
{
    const struct koshu_initial_options *o = &p->values.initial;
    const bool table = o->mass_function == KOSHU_MASS_FUNCTION_TABLE;
    const bool limits = o->mass_min > 0 && o->mass_max > 0;
    if (o->mass_function == KOSHU_MASS_FUNCTION_EQUAL) return KOSHU_OK;
    if (table && !o->mass_table[0])
        return koshu_parameters_refuse(
                p, "initial.mass_function",
                "table needs initial.mass_table, the CSV file with the columns "
                "mass and xi");
    if (!table && !limits)
        return koshu_parameters_refuse(
                p, "initial.mass_function",
                "it has no limits: give initial.mass_min and initial.mass_max, "
                "for example 0.08 Msun and 100 Msun");
    if (limits && o->mass_min >= o->mass_max)
        return koshu_parameters_refuse(p, "initial.mass_max",
                                       "it must be larger than mass_min");
    if (!given(p, "initial.total_mass")) return KOSHU_OK;
    return koshu_parameters_refuse(
            p, "initial.total_mass",
            "the mass function makes it, with initial.n; remove one");
}

static koshu_status
check_binaries(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->initial.binary_fraction == 0) return KOSHU_OK;
    if (koshu_units_are_henon(&v->units))
        return koshu_parameters_refuse(
                p, "initial.binaries.fraction",
                "periods of binaries are in days, but the run is in Hénon "
                "units, without a size: add units: {length: pc, mass: Msun, "
                "time: Myr}");
    if (v->initial.period_min < v->initial.period_max) return KOSHU_OK;
    return koshu_parameters_refuse(p, "initial.binaries.period_max",
                                   "it must be larger than period_min");
}

koshu_status
koshu_parameters_check_stars(const struct koshu_parameters *p)
{
    KOSHU_TRY(check_masses(p));
    return check_binaries(p);
}
