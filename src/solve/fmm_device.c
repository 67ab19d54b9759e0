/* SPDX-License-Identifier: MIT */
/* The FMM of a domain on a device: see fmm_device.h. */
#include "solve/fmm_device.h"

#include "base/base.h"
#include "devices/devices.h"

static const struct koshu_fmm_parts_ops *
ops_of(const struct koshu_fmm_device *device)
{
    return device->fmm->backend->ops->fmm_engine->parts;
}

koshu_status
koshu_fmm_device_open(struct koshu_fmm_device *device,
                      enum koshu_transport transport, bool one_each)
{
    struct koshu_part_exchange *const e = &device->parts;
    e->context = device->fmm->backend->context;
    e->ops = ops_of(device)->parts;
    const koshu_status status =
            ops_of(device)->arrays(device->fmm->engine, &e->arrays);
    KOSHU_TRY(koshu_ranks_collective_status(e->context, status));
    return koshu_part_exchange_open(e, transport, one_each);
}

koshu_status
koshu_fmm_device_make(struct koshu_fmm_device *device,
                      const struct koshu_force_task *task,
                      const struct koshu_outline *all,
                      struct koshu_particles *here, unsigned fields)
{
    struct koshu_fmm_device *d = device;
    struct koshu_fmm_engine *engine = d->fmm->engine;
    const struct koshu_force_task own = koshu_fmm_engine_task(d->fmm, task);
    const struct koshu_fmm_common common = {
            .side = koshu_outline_side(all),
            .extent = all->extent,
            .largest_mass = all->masses.largest,
            .n = all->n,
            .translation = koshu_fmm_pairs_of_translation(d->fmm)};
    size_t *n;
    void *const targets = koshu_part_exchange_targets(&d->parts, &n);
    KOSHU_TRY(ops_of(d)->start(engine, &own, &common, here, fields));
    return ops_of(d)->targets(engine, n, targets);
}

void
koshu_fmm_device_sum(struct koshu_fmm_device *device)
{
    koshu_status *const status = &device->parts.status;
    if (*status == KOSHU_OK) *status = ops_of(device)->sum(device->fmm->engine);
}

koshu_status
koshu_fmm_device_finish(struct koshu_fmm_device *device,
                        struct koshu_part_exposed *exposed)
{
    const struct koshu_fmm_parts_ops *ops = ops_of(device);
    struct koshu_fmm_engine_report last;
    KOSHU_TRY(device->parts.status);
    KOSHU_TRY(ops->add(device->fmm->engine));
    KOSHU_TRY(ops->finish(device->fmm->engine, &last, exposed));
    koshu_fmm_engine_take_report(device->fmm, &last);
    return KOSHU_OK;
}
