/* SPDX-License-Identifier: MIT */
/* Checks that keys go with integrator.coordinates. */
#include "base/base.h"
#include "parameters/object.h"

/* Refuses keys that are for comoving coordinates only. */
static koshu_status
refuse_universe(const struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_keys[k].of_comoving && p->place[k])
            return koshu_parameters_refuse(
                    p, koshu_keys[k].path,
                    "only with integrator.coordinates: comoving");
    return KOSHU_OK;
}

/* In comoving coordinates times are scale factors. */
static koshu_status
refuse_time_units(const struct koshu_parameters *p)
{
    static const enum koshu_quantity time = KOSHU_QUANTITY_TIME;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (key->quantity && *key->quantity == time &&
            koshu_parameters_has_unit(p, k))
            return koshu_parameters_refuse(
                    p, key->path,
                    "in comoving coordinates times are scale factors, and "
                    "steps are in ln a: give a number without a unit");
    }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_check_coordinates(const struct koshu_parameters *p)
{
    if (!koshu_is_comoving(&p->values)) return refuse_universe(p);
    KOSHU_TRY(koshu_parameters_check_either(p, "integrator.end",
                                            "integrator.end_redshift"));
    KOSHU_TRY(koshu_parameters_check_either(p, "output.snapshot.interval",
                                            "output.snapshot.redshifts"));
    KOSHU_TRY(koshu_parameters_check_either(p, "output.snapshot.times",
                                            "output.snapshot.redshifts"));
    if (p->values.initial_file[0] == '\0')
        return koshu_parameters_refuse(
                p, "integrator.coordinates",
                "comoving needs an initial.file of a universe: koshu init "
                "cosmology makes one");
    KOSHU_TRY(refuse_time_units(p));
    if (p->values.integrator.scheme != KOSHU_SCHEME_LEAPFROG)
        return koshu_parameters_refuse(p, "integrator.scheme",
                                       "comoving coordinates need leapfrog");
    if (p->values.solver.method == KOSHU_METHOD_INTERACTION)
        return koshu_parameters_refuse(
                p, "solver.method",
                "comoving coordinates are for gravity only");
    if (!(p->values.integrator.end > 0))
        return koshu_parameters_refuse(
                p, "integrator.end",
                "a scale factor must be above 0, and is 1 today; or give "
                "integrator.end_redshift");
    return KOSHU_OK;
}
