/* SPDX-License-Identifier: MIT */
/* Checks keys of flows that depend on each other. */
#include "base/base.h"
#include "parameters/object.h"

static koshu_status
check_core_order(const struct koshu_parameters *p)
{
    const struct koshu_flow_values *f = &p->values.flow;
    if (f->core_order % 2 == 1 || f->core_order > 12)
        return koshu_parameters_refuse(
                p, "flow.core_order",
                "must be even and at most 12, or 0: chosen to suit the box");
    if (f->core_order > 2 && f->box == 0 &&
        f->initial == KOSHU_FLOW_INITIAL_RINGS)
        return koshu_parameters_refuse(
                p, "flow.core_order",
                "must be 2 in free space: cores of a higher order need a "
                "periodic box, flow.box");
    return KOSHU_OK;
}

koshu_status
koshu_parameters_check_flow(const struct koshu_parameters *p)
{
    const struct koshu_flow_values *f = &p->values.flow;
    if (!p->place[koshu_key_find("integrator.end")])
        return koshu_parameters_refuse(p, "integrator.end",
                                       "is missing: the time at which the flow "
                                       "ends, for example 10");
    if (!(p->values.integrator.dt > 0))
        return koshu_parameters_refuse(
                p, "integrator.dt",
                "must be positive: a flow only runs forward in time");
    if (f->method == KOSHU_FLOW_METHOD_SPECTRAL &&
        f->initial == KOSHU_FLOW_INITIAL_RINGS)
        return koshu_parameters_refuse(p, "flow.initial",
                                       "must be taylor-green or turbulence "
                                       "with flow.method: spectral");
    if (f->method == KOSHU_FLOW_METHOD_VORTEX &&
        f->precision == KOSHU_FLOW_PRECISION_SINGLE && f->tolerance < 1e-6)
        return koshu_parameters_refuse(p, "flow.tolerance",
                                       "must be at least 1e-6 with "
                                       "flow.precision: single; less takes "
                                       "double");
    if (f->remesh.kernel != KOSHU_VORTEX_KERNEL_RADIAL_BASIS &&
        f->vortex.diffusion == KOSHU_VORTEX_DIFFUSION_SPREADING &&
        f->vortex.viscosity > 0)
        return koshu_parameters_refuse(p, "flow.remesh.kernel",
                                       "with flow.diffusion: spreading it must "
                                       "be rbf, which resets core radii");
    if (f->remesh.kernel != KOSHU_VORTEX_KERNEL_RADIAL_BASIS &&
        f->remesh.solenoidal)
        return koshu_parameters_refuse(
                p, "flow.remesh.solenoidal",
                "needs flow.remesh.kernel: rbf, which fits a field");
    return check_core_order(p);
}
