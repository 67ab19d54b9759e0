/* SPDX-License-Identifier: MIT */
/* Checks the keys of runs that integrate a few bodies by algorithmic
 * regularisation. */
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

koshu_status
koshu_parameters_check_archain(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->integrator.scheme != KOSHU_SCHEME_ARCHAIN) return KOSHU_OK;
    if (v->solver.softening != 0)
        return koshu_parameters_refuse(
                p, "solver.softening",
                "archain regularises encounters without softening; set it to "
                "0, or integrator.scheme to hermite");
    if (v->method != KOSHU_METHOD_DIRECT)
        return koshu_parameters_refuse(
                p, "solver.method",
                "archain sums gravity of a few bodies by itself; set it to "
                "direct, or integrator.scheme to leapfrog");
    if (v->solver.precision != KOSHU_PRECISION_DOUBLE)
        return koshu_parameters_refuse(p, "solver.precision",
                                       "archain computes in double; remove it");
    if (v->integrator.step != KOSHU_STEP_RULE_FIXED)
        return koshu_parameters_refuse(
                p, "integrator.step",
                "archain has steps of its own (integrator.tolerance); remove "
                "it");
    if (strcmp(v->backend, "cuda") == 0)
        return koshu_parameters_refuse(
                p, "run.backend",
                "archain integrates a few bodies on the CPU; set it to cpu");
    return KOSHU_OK;
}
