/* SPDX-License-Identifier: MIT */
/* What checkpoints and snapshots store of a flow of vortex particles. */
#include <string.h>

#include "base/base.h"
#include "flow/vortex_flow.h"

static void
name_numbers(struct koshu_flow_file *file, const struct vortex_flow *s)
{
    const struct koshu_vortices *v = s->vortices;
    snprintf(file->kind, sizeof file->kind, "vortex");
    file->box = v->box;
    koshu_flow_file_add_number(file, "Core", v->core);
    koshu_flow_file_add_number(file, "MidCore", v->mid_core);
    koshu_flow_file_add_number(file, "Spacing", v->spacing);
    koshu_flow_file_add_number(file, "Residual", s->fit.residual);
    koshu_flow_file_add_number(file, "HasRate", v->has_rate);
    koshu_flow_file_add_number(file, "LastStep", v->last_step);
    koshu_flow_file_add_number(file, "MaxVorticity", v->max_vorticity);
}

koshu_status
koshu_vortex_keep(void *state, struct koshu_flow_file *file)
{
    struct vortex_flow *s = state;
    struct koshu_vortices *v = s->vortices;
    name_numbers(file, s);
    koshu_flow_file_add_array(file, "State", v->n, KOSHU_VORTEX_STATE,
                              v->state);
    koshu_flow_file_add_array(file, "Rates", v->n, KOSHU_VORTEX_STATE, v->rate);
    return KOSHU_OK;
}

static void
take_numbers(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    v->core = file->number[0].value;
    v->mid_core = file->number[1].value;
    v->spacing = file->number[2].value;
    s->fit.residual = file->number[3].value;
    v->has_rate = file->number[4].value != 0;
    v->last_step = file->number[5].value;
    v->max_vorticity = file->number[6].value;
    v->time = file->time;
    v->steps = file->step;
}

static koshu_status
take(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = file->array[0].dims[0], bytes = n * KOSHU_VORTEX_STATE * 8;
    if (file->array[1].dims[0] != n)
        return koshu_fail(
                s->context, KOSHU_ERROR_BAD_FORMAT,
                "a checkpoint of %zu vortex particles has rates for %zu", n,
                file->array[1].dims[0]);
    KOSHU_TRY(koshu_vortices_renew(v, n));
    memcpy(v->state, file->array[0].data, bytes);
    memcpy(v->rate, file->array[1].data, bytes);
    take_numbers(s, file);
    return KOSHU_OK;
}

koshu_status
koshu_vortex_read_checkpoint(struct vortex_flow *s, const char *path)
{
    struct koshu_flow_file file = {.is_checkpoint = true};
    koshu_status status = koshu_vortex_keep(s, &file);
    if (status == KOSHU_OK)
        status = koshu_flow_file_read(s->context, path, &file);
    if (status == KOSHU_OK) status = take(s, &file);
    koshu_flow_file_free(&file);
    return status;
}

static koshu_status
take_snapshot(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = file->array[0].dims[0];
    if (file->array[1].dims[0] != n)
        return koshu_fail(
                s->context, KOSHU_ERROR_BAD_FORMAT,
                "a snapshot of %zu vortex particles has strengths for %zu", n,
                file->array[1].dims[0]);
    KOSHU_TRY(koshu_vortices_renew(v, n));
    memcpy(v->state, file->array[0].data, 24 * n);
    memcpy(koshu_vortices_strength(v, 0), file->array[1].data, 24 * n);
    take_numbers(s, file);
    v->has_rate = false;
    return KOSHU_OK;
}

koshu_status
koshu_vortex_read_snapshot(struct vortex_flow *s, const char *path)
{
    struct koshu_flow_file file = {.is_checkpoint = false};
    name_numbers(&file, s);
    koshu_flow_file_add_array(&file, "Coordinates", 0, 3, NULL);
    koshu_flow_file_add_array(&file, "Strengths", 0, 3, NULL);
    koshu_status status = koshu_flow_file_read(s->context, path, &file);
    if (status == KOSHU_OK) status = take_snapshot(s, &file);
    koshu_flow_file_free(&file);
    return status;
}

/* Adds a copy of three columns, or zeros to be filled in later (from: NULL). */
static koshu_status
add_columns(struct vortex_flow *s, struct koshu_flow_file *file,
            const char *name, const double *from)
{
    const size_t n = s->vortices->n;
    double *data = koshu_alloc(3 * n, sizeof *data);
    if (!data) return koshu_fail_memory(s->context, 24 * n, "a snapshot");
    if (from) memcpy(data, from, 3 * n * sizeof *data);
    koshu_flow_file_add_array(file, name, n, 3, data);
    return KOSHU_OK;
}

/* In a box the vorticity is the curl of the velocity, as in energy.csv: on the
 * host a sum of cores would take far longer than all else. */
static koshu_status
find_fields(struct vortex_flow *s, double *velocity, double *vorticity)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = v->n;
    double *gradient = NULL;
    if (v->box > 0)
        KOSHU_TRY(koshu_vortex_solver_work(s->solver, 9 * n, "a snapshot",
                                           &gradient));
    KOSHU_TRY(
            koshu_vortex_velocities(s->solver, v, n, NULL, velocity, gradient));
    if (!gradient) return koshu_vortex_vorticity(v, n, v->state, vorticity);
    koshu_vortex_curls(s->context, n, gradient, vorticity);
    return KOSHU_OK;
}

koshu_status
koshu_vortex_snapshot(void *state, struct koshu_flow_file *file)
{
    struct vortex_flow *s = state;
    struct koshu_vortices *v = s->vortices;
    name_numbers(file, s);
    KOSHU_TRY(add_columns(s, file, "Coordinates", v->state));
    KOSHU_TRY(add_columns(s, file, "Strengths", koshu_vortices_strength(v, 0)));
    KOSHU_TRY(add_columns(s, file, "Velocities", NULL));
    KOSHU_TRY(add_columns(s, file, "Vorticities", NULL));
    return find_fields(s, file->array[2].data, file->array[3].data);
}
