/* SPDX-License-Identifier: MIT */
/* The one place that knows which integrators there are. */
#include "simulation/simulation.h"

struct koshu_hermite_options
koshu_hermite_options_of(const struct koshu_parameter_values *values)
{
    return (struct koshu_hermite_options){
            .rule = values->integrator.step,
            .dt = values->integrator.dt,
            .eta = values->integrator.eta,
            .eta_start = values->integrator.eta_start,
            .iterations = (unsigned)values->integrator.iterations};
}

koshu_status
koshu_integrator_of(const struct koshu_parameter_values *values,
                    struct koshu_solver *solver,
                    struct koshu_particles *particles, double time,
                    struct koshu_integrator *integrator)
{
    const struct koshu_leapfrog_options leapfrog = {values->integrator.step,
                                                    values->integrator.dt,
                                                    values->integrator.eta};
    const struct koshu_hermite_options hermite =
            koshu_hermite_options_of(values);
    if (values->integrator.scheme == KOSHU_SCHEME_HERMITE)
        return koshu_integrator_hermite(&hermite, solver, particles, time,
                                        integrator);
    return koshu_integrator_leapfrog(&leapfrog, solver, particles, time,
                                     integrator);
}

struct koshu_integrator_clock
koshu_clock_of(const struct koshu_simulation *simulation)
{
    const struct koshu_integrator *i = &simulation->integrator;
    return i->ops->clock(i->self);
}
