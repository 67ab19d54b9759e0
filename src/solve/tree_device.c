/* SPDX-License-Identifier: MIT */
/* The tree of a domain on a device: see tree_device.h. */
#include "solve/tree_device.h"

#include <math.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/treecode.h"

static struct koshu_context *
context_of(const struct koshu_tree_device *d)
{
    return d->treecode->backend->context;
}

static const struct koshu_tree_parts_ops *
ops_of(const struct koshu_tree_device *device)
{
    return device->treecode->backend->ops->tree->parts;
}

static struct koshu_tree_engine *
engine_of(const struct koshu_tree_device *device)
{
    return device->treecode->engine;
}

koshu_status
koshu_tree_device_open(struct koshu_tree_device *device,
                       enum koshu_transport transport, bool one_each)
{
    struct koshu_part_exchange *const e = &device->parts;
    e->context = context_of(device);
    e->ops = ops_of(device)->parts;
    const koshu_status status =
            ops_of(device)->arrays(engine_of(device), &e->arrays);
    KOSHU_TRY(koshu_ranks_collective_status(e->context, status));
    return koshu_part_exchange_open(e, transport, one_each);
}

/* ---- forces -------------------------------------------------------------- */

static unsigned
fields_of(const struct koshu_force_task *task)
{
    return KOSHU_FIELD_ACCELERATION |
           (task->potential ? KOSHU_FIELD_POTENTIAL : 0);
}

koshu_status
koshu_tree_device_make(struct koshu_tree_device *device,
                       const struct koshu_force_task *task,
                       const struct koshu_outline *all,
                       struct koshu_particles *here)
{
    struct koshu_tree_device *d = device;
    const struct koshu_treecode *t = d->treecode;
    const struct koshu_tree_masses *m = &all->masses;
    const struct koshu_tree_common common = {
            .side = koshu_outline_side(all),
            .extent = all->extent,
            .largest_mass = m->largest,
            .least_mass = isfinite(m->least) ? m->least : 0,
            .n = all->n,
            .has_accelerations = all->has_accelerations};
    const struct koshu_tree_options options = koshu_treecode_options(t);
    d->here = here;
    KOSHU_TRY(ops_of(d)->start(engine_of(d), task, &options, &common, here,
                               fields_of(task)));
    size_t *n;
    void *const bounds = koshu_part_exchange_targets(&d->parts, &n);
    return ops_of(d)->bounds(engine_of(d), n, bounds);
}

void
koshu_tree_device_walk(struct koshu_tree_device *device)
{
    koshu_status *const status = &device->parts.status;
    if (*status == KOSHU_OK) *status = ops_of(device)->walk(engine_of(device));
}

koshu_status
koshu_tree_device_finish(struct koshu_tree_device *device,
                         struct koshu_tree_report *report,
                         struct koshu_part_exposed *exposed)
{
    struct koshu_tree_device *d = device;
    const struct koshu_tree_parts_ops *ops = ops_of(d);
    KOSHU_TRY(d->parts.status);
    KOSHU_TRY(ops->add(engine_of(d)));
    /* the host has time while the device sums */
    koshu_particles_settle(d->here);
    KOSHU_TRY(ops->finish(engine_of(d), report, exposed));
    if (report->particles > 0)
        koshu_n_crit_learn(&d->treecode->n_crit,
                           report->seconds.walk / (double)report->particles);
    return KOSHU_OK;
}
