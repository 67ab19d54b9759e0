/* SPDX-License-Identifier: MIT */
/* Creates the solver, the external fields and the integrator of a run, once its
 * particles exist. */
#include <koshu/solver.h>

#include "base/base.h"
#include "devices/devices.h"
#include "simulation/interaction.h"

koshu_status
koshu_make_solver(struct koshu_simulation *s)
{
    struct koshu_solver_options options = s->values->solver;
    struct koshu_tree_options tree = s->values->tree;
    struct koshu_laplace_options fmm = s->values->fmm;
    if (s->values->boundary == KOSHU_BOUNDARY_PERIODIC)
        tree.box = fmm.box = s->kept.box_size;
    koshu_status status =
            koshu_interaction_of(s->context, s->values, &s->interaction);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    options.tree = &tree;
    options.fmm = &fmm;
    options.interaction = s->interaction;
    status = koshu_solver_create(s->context, &options, &s->solver);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
take_external(struct koshu_simulation *s)
{
    if (!s->values->external_fields[0]) return KOSHU_OK;
    KOSHU_TRY(koshu_external_parse(s->context, s->values->external_fields,
                                   &s->kept.units, s->kept.mass_factor,
                                   &s->external));
    return koshu_integrator_set_external(s->integrator, s->external);
}

koshu_status
koshu_make_integrator(struct koshu_simulation *s, double time)
{
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    KOSHU_TRY(koshu_parameters_integrator(s->parameters, &options));
    options.radius_mass *= s->kept.mass_factor; /* masses include G */
    KOSHU_TRY(koshu_integrator_create(s->solver, s->particles, time, &options,
                                      &s->integrator));
    return take_external(s);
}
