/* SPDX-License-Identifier: MIT */
/* solver.accuracy: the keys of the solver that it takes. */
#include <stdio.h>

#include "base/base.h"
#include "simulation/simulation.h"

/* What the file says stays: 1 << its number; 0: all. */
static unsigned
allowed(const struct koshu_parameters *parameters, const char *key, int value)
{
    char place[512];
    koshu_parameters_place(parameters, key, place, sizeof place);
    return place[0] ? 1u << value : 0;
}

static koshu_status
set_number(struct koshu_parameters *parameters, const char *key, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    return koshu_parameters_set(parameters, key, text);
}

static koshu_status
set_method(struct koshu_parameters *p, const struct koshu_solver_choice *c)
{
    KOSHU_TRY(koshu_parameters_set(p, "solver.precision",
                                   koshu_precision_name(c->precision)));
    KOSHU_TRY(koshu_parameters_set(p, "solver.method",
                                   koshu_method_name(c->method)));
    if (c->method == KOSHU_METHOD_TREE)
        return set_number(p, "solver.alpha", c->alpha);
    if (c->method != KOSHU_METHOD_FMM) return KOSHU_OK;
    KOSHU_TRY(set_number(p, "solver.expansion_order", c->multipole_order));
    return set_number(p, "solver.theta", c->theta);
}

/* What cannot be had was wanted by the file. */
static koshu_status
refuse(struct koshu_context *context, const struct koshu_parameters *parameters)
{
    char place[512], why[512];
    koshu_parameters_place(parameters, "solver.accuracy", place, sizeof place);
    snprintf(why, sizeof why, "%s", koshu_context_message(context));
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%ssolver.accuracy: %s",
                      place, why);
}

koshu_status
koshu_choose_solver(struct koshu_context *context,
                    struct koshu_parameters *parameters, uint64_t n)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    struct koshu_solver_choice choice = {.size = sizeof choice,
                                         .boundary = v->boundary};
    if (v->accuracy == 0) return KOSHU_OK;
    const koshu_status status = koshu_solver_choose(
            context, n, v->accuracy,
            allowed(parameters, "solver.method", (int)v->solver.method),
            allowed(parameters, "solver.precision", (int)v->solver.precision),
            &choice);
    if (status == KOSHU_ERROR_UNSUPPORTED) return refuse(context, parameters);
    KOSHU_TRY(status);
    return set_method(parameters, &choice);
}
