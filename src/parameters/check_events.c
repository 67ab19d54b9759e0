/* SPDX-License-Identifier: MIT */
/* Checks whether a run can have mergers, escapers and mass loss. */
#include "parameters/object.h"

static koshu_status
check_radius(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->stars.radius == 0) return KOSHU_OK;
    if (v->integrator.scheme == KOSHU_SCHEME_HERMITE &&
        v->integrator.regularisation > 0)
        return KOSHU_OK;
    return koshu_parameters_refuse(
            p, "stars.radius",
            "stars that touch are found in few-body groups: give "
            "integrator.scheme: hermite and integrator.regularisation, or "
            "remove it");
}

const char *
koshu_events_refusal(const struct koshu_parameter_values *values)
{
    const struct koshu_parameter_values *v = values;
    if (v->boundary == KOSHU_BOUNDARY_PERIODIC || koshu_is_comoving(v))
        return "is of stars, not of a periodic box or a universe: remove it";
    if (v->solver.method == KOSHU_METHOD_INTERACTION)
        return "is of gravity, not of solver.interaction: remove it";
    if (v->integrator.scheme == KOSHU_SCHEME_ARCHAIN)
        return "archain keeps its bodies as they are; take hermite, or remove "
               "it";
    if (v->integrator.dt < 0)
        return "stars do not come back where time runs back: remove it";
    return NULL;
}

koshu_status
koshu_parameters_check_events(const struct koshu_parameters *p)
{
    static const char *const keys[] = {"stars.radius", "stars.escape_distance",
                                       "stars.tidal_radius",
                                       "stars.mass_table"};
    enum { N_KEYS = sizeof keys / sizeof keys[0] };
    const struct koshu_parameter_values *v = &p->values;
    const bool has[N_KEYS] = {v->stars.radius > 0, v->stars.escape_distance > 0,
                              v->stars.tidal_radius > 0,
                              v->stars.mass_table[0] != '\0'};
    const char *refusal = koshu_events_refusal(v);
    for (int k = 0; refusal && k < N_KEYS; k++)
        if (has[k]) return koshu_parameters_refuse(p, keys[k], refusal);
    return check_radius(p);
}
