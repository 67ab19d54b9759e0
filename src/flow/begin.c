/* SPDX-License-Identifier: MIT */
/* Starts a run of a flow, anew or from a checkpoint. */
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/flow.h"

/* ---- a new run ---------------------------------------------------------- */

static koshu_status
make_files(struct koshu_flow *f)
{
    KOSHU_TRY(koshu_run_clear_directory(&f->run));
    return koshu_is_first_rank(f->context) ? koshu_flow_create_log(f)
                                           : KOSHU_OK;
}

static koshu_status
begin_new(struct koshu_flow *f, bool overwrite)
{
    KOSHU_TRY(koshu_ranks_collective_status(
            f->context, koshu_run_take_directory(&f->run, overwrite)));
    KOSHU_TRY(koshu_ranks_collective_status(f->context,
                                            f->ops->create(f, &f->state)));
    KOSHU_TRY(koshu_ranks_collective_status(f->context, make_files(f)));
    return koshu_flow_write_first(f);
}

/* ---- going on ----------------------------------------------------------- */

static koshu_status
compare_parameters(struct koshu_flow *f, bool force, bool *changed)
{
    struct koshu_parameters *old = NULL;
    char *text = NULL;
    koshu_status status = koshu_snapshot_parameters(
            f->context, f->run.newest_checkpoint, &text);
    if (status == KOSHU_OK) status = koshu_parameters_create(f->context, &old);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse_checkpoint(
                old, f->run.newest_checkpoint, text);
    if (status == KOSHU_OK)
        status = koshu_run_compare_parameters(
                &f->run, old, force,
                "set it back, or begin another run with --force in place of "
                "--restart",
                changed);
    koshu_parameters_destroy(old);
    free(text);
    return status;
}

static koshu_status
read_checkpoint(struct koshu_flow *f, bool changed)
{
    struct koshu_flow_file file = {.is_checkpoint = true};
    koshu_flow_file_add_number(&file, "Snapshots", 0);
    koshu_flow_file_add_number(&file, "LostSnapshots", 0);
    koshu_flow_file_add_number(&file, "Rows", 0);
    KOSHU_TRY(
            koshu_flow_file_read(f->context, f->run.newest_checkpoint, &file));
    f->time = file.time;
    f->steps = file.step;
    f->snapshots = (uint64_t)file.number[0].value;
    f->lost_snapshots = (uint64_t)file.number[1].value;
    f->rows = (uint64_t)file.number[2].value;
    f->run.checkpoint_step = changed ? UINT64_MAX : f->steps;
    return KOSHU_OK;
}

static koshu_status
find_checkpoint(struct koshu_flow *f)
{
    KOSHU_TRY(koshu_run_take_directory_again(&f->run));
    return koshu_is_first_rank(f->context)
                   ? koshu_rotation_find(&f->run.rotation,
                                         f->run.newest_checkpoint)
                   : KOSHU_OK;
}

static koshu_status
check_end(struct koshu_flow *f)
{
    const double end = f->values->integrator.end;
    char place[512];
    if (f->time <= end) return KOSHU_OK;
    koshu_parameters_place(f->parameters, "integrator.end", place,
                           sizeof place);
    return koshu_fail(f->context, KOSHU_ERROR_BAD_INPUT,
                      "%sintegrator.end: %g lies before the time of the "
                      "checkpoint, %g",
                      place, end, f->time);
}

/* Every rank reads the checkpoint. */
static koshu_status
read_again(struct koshu_flow *f, bool force)
{
    bool changed = false;
    KOSHU_TRY(compare_parameters(f, force, &changed));
    KOSHU_TRY(read_checkpoint(f, changed));
    return check_end(f);
}

static koshu_status
go_on(struct koshu_flow *f, bool force)
{
    KOSHU_TRY(koshu_ranks_collective_status(f->context, find_checkpoint(f)));
    KOSHU_TRY(koshu_broadcast(f->context, 0, f->run.newest_checkpoint,
                              sizeof f->run.newest_checkpoint));
    KOSHU_TRY(koshu_ranks_collective_status(f->context, read_again(f, force)));
    KOSHU_TRY(koshu_ranks_collective_status(
            f->context,
            f->ops->resume(f, f->run.newest_checkpoint, &f->state)));
    return koshu_ranks_collective_status(f->context,
                                         koshu_is_first_rank(f->context)
                                                 ? koshu_flow_open_log(f, force)
                                                 : KOSHU_OK);
}

/* ---- both --------------------------------------------------------------- */

static bool
is_turbulence(const struct koshu_flow *f)
{
    return f->values->flow.initial == KOSHU_FLOW_INITIAL_TURBULENCE;
}

static koshu_status
check_run(struct koshu_flow *f)
{
    if (f->ops && (f->fields || !is_turbulence(f))) return KOSHU_OK;
    return koshu_fail(f->context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu was built without Fourier transforms, which "
                      "%s needs: install libfftw3-dev (or libkissfft-dev) and "
                      "build it again",
                      f->ops ? "flow.initial: turbulence"
                             : "flow.method: spectral");
}

static const struct koshu_flow_ops *
ops_of(const struct koshu_flow *f)
{
    if (f->values->flow.method == KOSHU_FLOW_METHOD_VORTEX)
        return &koshu_vortex_flow;
    return f->fields ? f->fields->spectral : NULL;
}

/* Derives the box, the viscosity and the schedules from the parameters. */
static koshu_status
settle(struct koshu_flow *f)
{
    f->box = koshu_flow_box(&f->values->flow);
    f->viscosity = f->values->flow.vortex.viscosity;
    if (!is_turbulence(f)) return KOSHU_OK;
    KOSHU_TRY(koshu_turbulence_prepare(f->context, &f->values->flow, f->box,
                                       &f->turbulence));
    f->viscosity = f->turbulence.viscosity;
    return KOSHU_OK;
}

static koshu_status
prepare(struct koshu_flow *f, const struct koshu_parameters *parameters)
{
    KOSHU_TRY(koshu_parameters_copy(f->context, parameters, &f->parameters));
    f->values = koshu_parameters_values(f->parameters);
    koshu_run_begin(&f->run, f->context, f->parameters);
    KOSHU_TRY(koshu_parameters_check(f->parameters));
    KOSHU_TRY(koshu_check_end(f->context, f->parameters, 0));
    f->ops = ops_of(f);
    KOSHU_TRY(check_run(f));
    KOSHU_TRY(settle(f));
    koshu_schedules_of(f->values, 0, &f->run.snapshot_schedule,
                       &f->run.log_schedule);
    return koshu_parameters_text(f->parameters, &f->text);
}

static void
start(struct koshu_flow *f)
{
    f->run.wall_checkpoint = koshu_now();
    f->first_step = f->steps;
    f->first_time = f->time;
    if (f->time == f->values->integrator.end) f->run.stop = KOSHU_STOP_END;
}

koshu_status
koshu_flow_prepare(struct koshu_context *context,
                   const struct koshu_parameters *parameters,
                   const struct koshu_flow_fields *fields,
                   struct koshu_flow **flow)
{
    struct koshu_flow *f = calloc(1, sizeof *f);
    *flow = NULL;
    if (!f) return koshu_fail_memory(context, sizeof *f, "a flow");
    f->context = context;
    f->fields = fields;
    koshu_status status =
            koshu_ranks_collective_status(context, prepare(f, parameters));
    if (status == KOSHU_OK) status = koshu_run_compare_ranks(&f->run);
    if (status == KOSHU_OK)
        *flow = f;
    else
        koshu_flow_destroy(f);
    return status;
}

koshu_status
koshu_flow_create(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  const struct koshu_flow_fields *fields, bool restart,
                  bool force, struct koshu_flow **flow)
{
    struct koshu_flow *f;
    *flow = NULL;
    KOSHU_TRY(koshu_flow_prepare(context, parameters, fields, &f));
    koshu_status status = restart ? go_on(f, force) : begin_new(f, force);
    status = koshu_ranks_collective_status(context, status);
    if (status != KOSHU_OK) {
        koshu_flow_destroy(f);
        return status;
    }
    start(f);
    *flow = f;
    return KOSHU_OK;
}
