/* SPDX-License-Identifier: MIT */
/* Checks the keys of runs with few-body groups within block time steps. */
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

static koshu_status
check_scheme(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->integrator.step != KOSHU_STEP_RULE_BLOCK)
        return koshu_parameters_refuse(
                p, "integrator.step",
                "regularisation goes with block steps alone; set it to block, "
                "or integrator.regularisation to 0");
    if (v->integrator.iterations > 1)
        return koshu_parameters_refuse(
                p, "integrator.iterations",
                "steps with regularisation are evaluated once; set it to 1, or "
                "integrator.regularisation to 0");
    if (v->integrator.dt < 0)
        return koshu_parameters_refuse(
                p, "integrator.dt",
                "regularisation goes forward in time alone; make it positive, "
                "or set integrator.regularisation to 0");
    return KOSHU_OK;
}

koshu_status
koshu_parameters_check_regularisation(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->integrator.scheme != KOSHU_SCHEME_HERMITE ||
        v->integrator.regularisation == 0)
        return KOSHU_OK;
    if (v->solver.softening != 0)
        return koshu_parameters_refuse(
                p, "solver.softening",
                "regularisation is of encounters without softening; set it to "
                "0, or integrator.regularisation to 0");
    if (v->method != KOSHU_METHOD_DIRECT)
        return koshu_parameters_refuse(
                p, "solver.method",
                "regularisation is of gravity that is summed directly; set it "
                "to direct, or integrator.regularisation to 0");
    return check_scheme(p);
}
