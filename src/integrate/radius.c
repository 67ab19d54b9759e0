/* SPDX-License-Identifier: MIT */
/* The radii of bodies that merge on contact. */
#include "fewbody/fewbody.h"
#include "integrate/integrate.h"

double
koshu_integrator_radius(const struct koshu_integrator *integrator, double mass)
{
    const struct koshu_integrator_options *o = &integrator->options;
    const struct koshu_radius_law law = {o->radius, o->radius_mass,
                                         o->radius_exponent};
    return koshu_radius_of(&law, mass);
}
