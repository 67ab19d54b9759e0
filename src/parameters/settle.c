/* SPDX-License-Identifier: MIT */
/* Computes values that follow from several keys. */
#include "base/base.h"
#include "parameters/object.h"

/* Converts redshifts to scale factors. */
static void
settle_end(struct koshu_parameters *p)
{
    struct koshu_parameter_values *v = &p->values;
    if (v->flow.method == KOSHU_FLOW_METHOD_NONE &&
        p->given[koshu_key_find("integrator.end_redshift")])
        v->integrator.end = 1 / (1 + v->integrator.end_redshift);
}

/* 0: the default of the method; in a periodic box it follows from the particles
 * (simulation/comoving_theta.c). */
static void
settle_theta(struct koshu_parameter_values *v)
{
    static const double of_box = 0.5, of_sphere = 0.55;
    const bool automatic = v->theta == 0 && koshu_is_comoving(v),
               box = v->boundary == KOSHU_BOUNDARY_PERIODIC;
    v->theta_by_motion =
            automatic && box && v->solver.method == KOSHU_METHOD_FMM;
    v->tree.theta = v->fmm.theta = v->theta;
    if (!automatic) return;
    v->tree.theta = koshu_tree_options_default().theta;
    v->fmm.theta = box ? of_box : of_sphere;
}

/* Copies the options that the FMM shares with the tree. */
static void
settle_solver(struct koshu_parameter_values *v)
{
    v->solver.method = v->method == KOSHU_METHOD_AUTO
                               ? KOSHU_METHOD_DIRECT
                               : (enum koshu_method)v->method;
    v->fmm.multipole_order = (unsigned)v->expansion_order;
    v->fmm.n_leaf = v->tree.n_leaf;
    settle_theta(v);
}

void
koshu_parameters_settle(struct koshu_parameters *p)
{
    const int n = koshu_key_find("initial.n");
    koshu_parameters_settle_units(p);
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if ((!p->given[k] &&
             (koshu_keys[k].hermite || koshu_keys[k].comoving || k == n)) ||
            koshu_parameters_has_unit(p, k))
            koshu_value_store(&koshu_keys[k], koshu_parameters_text_of(p, k),
                              koshu_parameters_units(p), p->list[k],
                              &p->values);
    settle_solver(&p->values);
    settle_end(p);
}
