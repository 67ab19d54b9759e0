/* SPDX-License-Identifier: MIT */
/* Whether a run can have the log of a star cluster. */
#include "parameters/object.h"

/* There is no centre in a box, and stars have their potential by gravity. */
koshu_status
koshu_parameters_check_cluster(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (!v->log.cluster) return KOSHU_OK;
    if (v->boundary == KOSHU_BOUNDARY_PERIODIC || koshu_is_comoving(v))
        return koshu_parameters_refuse(p, "output.log.cluster",
                                       "is of a star cluster, which is not in "
                                       "a periodic box or a universe: remove "
                                       "it");
    if (v->solver.method == KOSHU_METHOD_INTERACTION)
        return koshu_parameters_refuse(p, "output.log.cluster",
                                       "is of stars that attract each other by "
                                       "gravity, not by solver.interaction: "
                                       "remove it");
    return KOSHU_OK;
}
