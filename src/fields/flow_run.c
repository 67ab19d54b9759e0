/* SPDX-License-Identifier: MIT */
/* The public interface to runs of flows, koshu-fields/flow.h. */
#include <koshu-fields/flow.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/turbulence.h"

/* ---- life --------------------------------------------------------------- */

/* With several ranks only the first would have the results. */
static koshu_status
check_ranks(struct koshu_context *context)
{
    if (koshu_context_ranks(context) == 1) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "a flow in memory and its arrays work on one rank only; "
                      "on several ranks use a run with files");
}

static koshu_status
check_method(struct koshu_context *context,
             const struct koshu_parameters *parameters)
{
    KOSHU_REQUIRE(context, parameters);
    if (koshu_parameters_values(parameters)->flow.method !=
        KOSHU_FLOW_METHOD_NONE)
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "flow.method: none is a run of particles under gravity; "
                      "for a flow use spectral or vortex");
}

koshu_status
koshu_flow_run_create(struct koshu_context *context,
                      const struct koshu_parameters *parameters, bool restart,
                      bool force, struct koshu_flow **flow)
{
    KOSHU_REQUIRE(context, flow);
    *flow = NULL;
    KOSHU_REQUIRE(context, context);
    KOSHU_TRY(check_method(context, parameters));
    return koshu_flow_create(context, parameters, &koshu_flow_fields, restart,
                             force, flow);
}

koshu_status
koshu_flow_run_begin(struct koshu_context *context,
                     const struct koshu_parameters *parameters,
                     struct koshu_flow **flow)
{
    KOSHU_REQUIRE(context, flow);
    *flow = NULL;
    KOSHU_REQUIRE(context, context);
    KOSHU_TRY(check_method(context, parameters));
    KOSHU_TRY(
            koshu_flow_prepare(context, parameters, &koshu_flow_fields, flow));
    const koshu_status status = (*flow)->ops->create(*flow, &(*flow)->state);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_flow_destroy(*flow);
    *flow = NULL;
    return status;
}

koshu_status
koshu_flow_run_open(struct koshu_context *context, const char *path,
                    struct koshu_flow **flow)
{
    KOSHU_REQUIRE(context, flow);
    *flow = NULL;
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_TRY(check_ranks(context));
    return koshu_flow_open(context, path, &koshu_flow_fields, flow);
}

void
koshu_flow_run_destroy(struct koshu_flow *flow)
{
    koshu_flow_destroy(flow);
}

/* ---- steps -------------------------------------------------------------- */

/* In a run with files, the first rank has a log. */
static koshu_status
check_kind(const struct koshu_flow *f, bool with_files)
{
    const bool has = f->log != NULL || koshu_context_ranks(f->context) > 1;
    if (has == with_files) return KOSHU_OK;
    return koshu_fail(f->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      with_files ? "a flow in memory has no files: it makes "
                                   "steps of a given length"
                                 : "a run with files makes steps of "
                                   "integrator.dt");
}

koshu_status
koshu_flow_run_advance(struct koshu_flow *flow)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_TRY(check_kind(flow, true));
    if (flow->run.stop == KOSHU_STOP_NONE) return koshu_flow_advance(flow);
    return koshu_fail(flow->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the flow has stopped: %s",
                      koshu_stop_text(flow->run.stop));
}

koshu_status
koshu_flow_run_step(struct koshu_flow *flow, double dt)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_TRY(check_kind(flow, false));
    if (!(dt > 0 && isfinite(dt)))
        return koshu_fail(flow->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "dt = %g: a flow only runs forward in time", dt);
    KOSHU_TRY(flow->ops->step(flow->state, dt));
    flow->time += dt;
    flow->steps++;
    return KOSHU_OK;
}

koshu_status
koshu_flow_run_checkpoint(struct koshu_flow *flow)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_TRY(check_kind(flow, true));
    return koshu_flow_write_checkpoint(flow);
}

koshu_status
koshu_flow_run_finish(struct koshu_flow *flow)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_TRY(check_kind(flow, true));
    return koshu_flow_finish(flow);
}

void
koshu_flow_run_request_stop(struct koshu_flow *flow)
{
    koshu_flow_request_stop(flow);
}

enum koshu_stop
koshu_flow_run_stopped(const struct koshu_flow *flow)
{
    return flow ? flow->run.stop : KOSHU_STOP_NONE;
}

/* ---- what it is --------------------------------------------------------- */

void
koshu_flow_run_progress(const struct koshu_flow *flow,
                        struct koshu_flow_progress *progress)
{
    if (!progress) return;
    memset(progress, 0, sizeof *progress);
    if (!flow) return;
    const struct koshu_turbulence *t = &flow->turbulence;
    *progress = (struct koshu_flow_progress){
            .method = koshu_flow_method_name((int)flow->values->flow.method),
            .n = flow->values->flow.n,
            .box = flow->box,
            .viscosity = flow->viscosity,
            .time = flow->time,
            .end = flow->values->integrator.end,
            .seconds = koshu_now() - flow->run.wall_begin,
            .step = flow->steps,
            .snapshots = flow->snapshots,
            .rows = flow->rows,
            .points = flow->ops->points(flow->state),
            .columns = flow->ops->log_header,
            .speed = t->speed,
            .length = t->length,
            .turnover = t->turnover,
            .reynolds = t->reynolds,
            .resolution = t->resolution};
}

koshu_status
koshu_flow_run_row(struct koshu_flow *flow, size_t max, size_t *n, double *row)
{
    double numbers[KOSHU_FLOW_COLUMNS];
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_REQUIRE(flow->context, n);
    KOSHU_REQUIRE(flow->context, row);
    KOSHU_TRY(check_ranks(flow->context));
    KOSHU_TRY(flow->ops->log(flow->state, numbers + 1, n));
    numbers[0] = flow->time;
    *n = *n + 1 < max ? *n + 1 : max;
    memcpy(row, numbers, *n * sizeof *row);
    return KOSHU_OK;
}

koshu_status
koshu_flow_run_velocity(struct koshu_flow *flow, size_t n, double *velocity)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_REQUIRE(flow->context, velocity);
    const struct koshu_flow_values *v = &flow->values->flow;
    KOSHU_TRY(check_ranks(flow->context));
    if (!(flow->box > 0))
        return koshu_fail(flow->context, KOSHU_ERROR_BAD_INPUT,
                          "the velocity of a flow in free space has no grid");
    if (n < 1 || n > KOSHU_MESH_MAX ||
        (v->method == KOSHU_FLOW_METHOD_SPECTRAL && n != v->n))
        return koshu_fail(flow->context, KOSHU_ERROR_BAD_INPUT,
                          "n = %zu: the velocity is at flow.n^3 points, %zu^3",
                          n, (size_t)v->n);
    return flow->ops->velocity(flow->state, n, velocity);
}

koshu_status
koshu_flow_run_set_velocity(struct koshu_flow *flow, const double *velocity)
{
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_REQUIRE(flow->context, velocity);
    KOSHU_TRY(check_kind(flow, false));
    if (flow->ops->set_velocity)
        return flow->ops->set_velocity(flow->state, velocity);
    return koshu_fail(flow->context, KOSHU_ERROR_UNSUPPORTED,
                      "vortex particles cannot be made from a velocity: use "
                      "flow.initial, or flow.method: spectral");
}

/* ---- arrays ------------------------------------------------------------- */

koshu_status
koshu_flow_run_arrays(struct koshu_flow *flow, struct koshu_flow_arrays *arrays)
{
    struct koshu_flow_file file = {.time = 0};
    KOSHU_REQUIRE(NULL, arrays);
    arrays->n = 0;
    KOSHU_REQUIRE(NULL, flow);
    KOSHU_TRY(check_ranks(flow->context));
    const koshu_status status = flow->ops->snapshot(flow->state, &file);
    for (size_t k = 0; k < file.n_arrays; k++) {
        const struct koshu_flow_array *a = &file.array[k];
        arrays->array[k].name = a->name;
        arrays->array[k].columns = a->columns;
        arrays->array[k].rank = a->rank;
        memcpy(arrays->array[k].dims, a->dims, sizeof a->dims);
        arrays->array[k].data = a->data;
    }
    arrays->n = file.n_arrays;
    return status;
}

void
koshu_flow_arrays_free(struct koshu_flow_arrays *arrays)
{
    if (!arrays) return;
    for (size_t k = 0; k < arrays->n; k++) koshu_free(arrays->array[k].data);
    arrays->n = 0;
}
