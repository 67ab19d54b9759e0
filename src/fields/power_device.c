/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum on a device; one rank only. */
#include "backend/backend.h"
#include "base/base.h"
#include "fields/power_sums.h"

static koshu_status
compute(const struct power_sums *s, struct koshu_backend *backend)
{
    const struct koshu_points *p = s->points;
    const struct koshu_wave_scale scale = {
            s->scale.scale / (double)koshu_mesh_cells(&s->mesh),
            s->scale.shot_noise};
    const struct koshu_power_task task = {
            .n = p->n,
            .mass = p->mass,
            .x = {p->x[0], p->x[1], p->x[2]},
            .total_mass = s->mass,
            .box = s->mesh.box[0],
            .grid = s->o->grid,
            .points = (int)koshu_assignment_planes(s->o->assignment),
            .interlaced = !s->o->single_mesh,
            .axis = s->axis,
            .scale = &scale,
            .n_bins = s->n_bins,
            .plane = s->plane};
    return backend->ops->power(backend, &task);
}

koshu_status
koshu_power_sums_by_device(struct power_sums *s, bool *done)
{
    struct koshu_backend *backend;
    *done = false;
    if (koshu_context_ranks(s->context) > 1 ||
        !koshu_backend_is_for(s->context, s->points->n))
        return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(s->context, &backend));
    if (!backend->ops->power) return KOSHU_OK;
    const koshu_status status = compute(s, backend);
    if (status == KOSHU_ERROR_OUT_OF_MEMORY || status == KOSHU_ERROR_EXTERNAL) {
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "the power spectrum is measured on the CPU: %s",
                  koshu_context_message(s->context));
        return KOSHU_OK;
    }
    *done = status == KOSHU_OK;
    return status;
}
