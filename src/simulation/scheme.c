/* SPDX-License-Identifier: MIT */
/* The integrator that the parameters describe. */
#include "simulation/simulation.h"

struct koshu_integrator_options
koshu_integrator_options_from(const struct koshu_parameter_values *values)
{
    struct koshu_integrator_options o = koshu_integrator_options_default();
    o.scheme = values->integrator.scheme;
    o.step_rule = values->integrator.step;
    o.dt = values->integrator.dt;
    o.eta = values->integrator.eta;
    o.eta_start = values->integrator.eta_start;
    o.iterations = (unsigned)values->integrator.iterations;
    return o;
}

struct koshu_integrator_clock
koshu_clock_of(const struct koshu_simulation *simulation)
{
    return koshu_integrator_clock_of(simulation->integrator);
}
