/* SPDX-License-Identifier: MIT */
/* Whether a run can have what becomes of stars. */
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

koshu_status
koshu_parameters_check_events(const struct koshu_parameters *p)
{
    static const char *const keys[] = {"stars.radius", "stars.escape_distance",
                                       "stars.tidal_radius"};
    const struct koshu_parameter_values *v = &p->values;
    const bool has[] = {v->stars.radius > 0, v->stars.escape_distance > 0,
                        v->stars.tidal_radius > 0};
    for (int k = 0; k < 3; k++) {
        if (!has[k]) continue;
        if (v->boundary == KOSHU_BOUNDARY_PERIODIC || koshu_is_comoving(v))
            return koshu_parameters_refuse(p, keys[k],
                                           "is of stars, not of a periodic box "
                                           "or a universe: remove it");
        if (v->solver.method == KOSHU_METHOD_INTERACTION)
            return koshu_parameters_refuse(p, keys[k],
                                           "is of gravity, not of "
                                           "solver.interaction: remove it");
        if (v->integrator.scheme == KOSHU_SCHEME_ARCHAIN)
            return koshu_parameters_refuse(p, keys[k],
                                           "archain keeps its bodies as they "
                                           "are; take hermite, or remove it");
        if (v->integrator.dt < 0)
            return koshu_parameters_refuse(p, keys[k],
                                           "stars do not come back where time "
                                           "runs back: remove it");
    }
    return check_radius(p);
}
