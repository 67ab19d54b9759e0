/* SPDX-License-Identifier: MIT */
/* Chooses method and parameters for solver.method: auto and solver.accuracy. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

/* The choices that the file allows, as bits 1 << value; 0: all. */
static unsigned
allowed(const struct koshu_parameters *parameters, const char *key, int value)
{
    char place[512];
    koshu_parameters_place(parameters, key, place, sizeof place);
    return place[0] ? 1u << value : 0;
}

/* No method meets what the file demands: adds the key and its place to the
 * message. */
static koshu_status
refuse(struct koshu_context *context, const struct koshu_parameters *parameters)
{
    char place[512], why[512];
    koshu_parameters_place(parameters, "solver.accuracy", place, sizeof place);
    snprintf(why, sizeof why, "%s", koshu_context_message(context));
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%ssolver.accuracy: %s",
                      place, why);
}

/* ---- offset of the particles --------------------------------------------- */

enum { SUM_X, SUM_R2 = 3, N_SUMS };

static void
add_places(const void *user, size_t begin, size_t end, struct koshu_sum *sums)
{
    const struct koshu_particle_view *v = user;
    const double *const x[] = {v->x, v->y, v->z};
    for (size_t i = begin; i < end; i++)
        for (int d = 0; d < 3; d++) {
            koshu_sum_add(&sums[SUM_X + d], x[d][i]);
            koshu_sum_add(&sums[SUM_R2], x[d][i] * x[d][i]);
        }
}

/* The rms distance of particles from the origin, over that from their mean. */
static koshu_status
find_offset(struct koshu_particles *particles, double *offset)
{
    struct koshu_particle_view v;
    double sums[N_SUMS], from_mean2;
    struct koshu_summation s = koshu_summation_of(particles);
    KOSHU_TRY(koshu_ranks_collective_status(
            s.context, koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ, &v)));
    s.block = 1024;
    s.n_sums = N_SUMS;
    s.add = add_places;
    s.user = &v;
    KOSHU_TRY(koshu_sum_particles(&s, sums));
    from_mean2 = sums[SUM_R2];
    for (int d = 0; d < 3; d++)
        from_mean2 -= sums[SUM_X + d] * sums[SUM_X + d] / (double)s.total;
    *offset = sums[SUM_R2] > 0
                      ? sqrt(sums[SUM_R2] /
                             fmax(from_mean2, DBL_EPSILON * sums[SUM_R2]))
                      : 1;
    return KOSHU_OK;
}

/* ---- the choice ---------------------------------------------------------- */

koshu_status
koshu_choose_solver(struct koshu_context *context,
                    struct koshu_parameters *parameters, uint64_t n,
                    double offset)
{
    const struct koshu_parameter_values *v =
            koshu_parameters_values(parameters);
    struct koshu_solver_choice choice = {
            .size = sizeof choice, .boundary = v->boundary, .offset = offset};
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

koshu_status
koshu_choose_solver_for(struct koshu_context *context,
                        struct koshu_parameters *parameters, uint64_t n,
                        struct koshu_particles *particles, double *offset)
{
    double accuracy;
    *offset = 1;
    if (!koshu_parameters_choose(parameters, &accuracy)) return KOSHU_OK;
    KOSHU_TRY(find_offset(particles, offset));
    return koshu_choose_solver(context, parameters, n, *offset);
}

/* ---- checks of a run ----------------------------------------------------- */

koshu_status
koshu_check_particles(struct koshu_context *context,
                      const struct koshu_parameters *parameters)
{
    if (koshu_parameters_values(parameters)->flow.method ==
        KOSHU_FLOW_METHOD_NONE)
        return koshu_parameters_check(parameters);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "flow.method: these are the parameters of a flow, not of "
                      "particles that attract each other; `koshu run` makes "
                      "it, and in Python koshu.flows.Run");
}
