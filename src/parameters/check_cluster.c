/* SPDX-License-Identifier: MIT */
/* Checks whether a run can have the log of a star cluster, and stop by its
 * properties. */
#include "parameters/object.h"

/* A box has no centre, and the potential of stars must be gravity's. */
static const char *
refusal_of(const struct koshu_parameter_values *v)
{
    if (v->boundary == KOSHU_BOUNDARY_PERIODIC || koshu_is_comoving(v))
        return "is of a star cluster, which is not in a periodic box or a "
               "universe: remove it";
    if (v->solver.method == KOSHU_METHOD_INTERACTION)
        return "is of stars that attract each other by gravity, not by "
               "solver.interaction: remove it";
    return NULL;
}

koshu_status
koshu_parameters_check_cluster(const struct koshu_parameters *p)
{
    static const char *const keys[] = {
            "output.log.cluster", "stop.escaped_fraction", "stop.core_radius"};
    enum { N_KEYS = sizeof keys / sizeof keys[0] };
    const struct koshu_parameter_values *v = &p->values;
    const bool has[N_KEYS] = {v->log.cluster, v->stop.escaped_fraction > 0,
                              v->stop.core_radius > 0};
    const char *refusal = refusal_of(v);
    for (int k = 0; refusal && k < N_KEYS; k++)
        if (has[k]) return koshu_parameters_refuse(p, keys[k], refusal);
    return KOSHU_OK;
}
