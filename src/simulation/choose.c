/* SPDX-License-Identifier: MIT */
/* solver.method: auto, solver.accuracy: what they choose. */
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
    double accuracy;
    if (!koshu_parameters_choose(parameters, &accuracy)) return KOSHU_OK;
    const unsigned methods =
            v->method == KOSHU_METHOD_AUTO
                    ? 0
                    : allowed(parameters, "solver.method", v->method);
    const koshu_status status = koshu_solver_choose(
            context, n, accuracy, methods,
            allowed(parameters, "solver.precision", (int)v->solver.precision),
            &choice);
    if (status == KOSHU_ERROR_UNSUPPORTED) return refuse(context, parameters);
    KOSHU_TRY(status);
    return koshu_parameters_take_choice(parameters, &choice, accuracy);
}
