/* SPDX-License-Identifier: MIT */
#include "solve/fmm_device.h"

#include "base/base.h"
#include "devices/devices.h"

static const struct koshu_fmm_parts_ops *
ops_of(const struct koshu_fmm_device *device)
{
    return device->fmm->backend->ops->fmm_engine->parts;
}

/* ---- imports ------------------------------------------------------------- */

static const struct koshu_fmm_device *
device_of(const struct koshu_part_imports *imports)
{
    return (const struct koshu_fmm_device *)imports;
}

/* For each rank, from the targets of all. */
static koshu_status
cut_all(struct koshu_fmm_device *d)
{
    const struct koshu_imports *m = &d->imports.all;
    const size_t own = (size_t)koshu_context_rank(m->context);
    const struct koshu_fmm_target *target =
            (const struct koshu_fmm_target *)m->target;
    KOSHU_TRY(KOSHU_GROW(d, cut, m->ranks, m->context, "trees of ranks"));
    for (size_t r = 0; r < m->ranks; target += m->n_targets[r++])
        KOSHU_TRY(ops_of(d)->cut(d->fmm->engine, r,
                                 r == own ? 0 : m->n_targets[r], target,
                                 &d->cut[r]));
    return KOSHU_OK;
}

/* The sums begin before what was cut is fetched. */
static koshu_status
cut_and_sum(struct koshu_imports *imports)
{
    struct koshu_fmm_device *d = (struct koshu_fmm_device *)imports;
    const koshu_status status = cut_all(d);
    d->summing_since = koshu_now();
    return status == KOSHU_OK ? ops_of(d)->sum(d->fmm->engine) : status;
}

static koshu_status
find_cut(const struct koshu_part_imports *imports, size_t rank, size_t n,
         const void *target, struct koshu_fmm_part *part)
{
    (void)n;
    (void)target;
    *part = device_of(imports)->cut[rank];
    return KOSHU_OK;
}

static koshu_status
fetch(const struct koshu_part_imports *imports, size_t rank,
      const struct koshu_fmm_part *part)
{
    const struct koshu_fmm_device *d = device_of(imports);
    return ops_of(d)->fetch(d->fmm->engine, rank, part);
}

static const struct koshu_part_ops part_ops = {
        .target = sizeof(struct koshu_fmm_target),
        .max_targets = KOSHU_FMM_PART_TARGETS,
        .ready = cut_and_sum,
        .cut = find_cut,
        .fetch = fetch};

koshu_status
koshu_fmm_device_start_imports(struct koshu_fmm_device *device)
{
    struct koshu_part_imports *m = &device->imports;
    m->ops = &part_ops;
    m->engine = device->fmm->engine;
    m->backend = device->fmm->backend;
    m->cell_bytes = ops_of(device)->cell_bytes(device->fmm->engine);
    m->particle_bytes = ops_of(device)->particle_bytes;
    m->n_targets = device->n_targets;
    m->target = device->target;
    return koshu_part_imports_start(m);
}

/* ---- forces -------------------------------------------------------------- */

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
            .largest_mass = all->masses.largest,
            .n = all->n,
            .translation = koshu_fmm_pairs_of_translation(d->fmm)};
    KOSHU_TRY(ops_of(d)->start(engine, &own, &common, here, fields));
    return ops_of(d)->targets(engine, &d->n_targets, d->target);
}

bool
koshu_fmm_device_is_summing(const struct koshu_fmm_device *device)
{
    return ops_of(device)->is_summing(device->fmm->engine);
}

koshu_status
koshu_fmm_device_finish(struct koshu_fmm_device *device)
{
    struct koshu_part_imports *m = &device->imports;
    const struct koshu_fmm_parts_ops *ops = ops_of(device);
    struct koshu_fmm_engine_report last;
    koshu_part_imports_gather(m);
    KOSHU_TRY(ops->add(device->fmm->engine, m->all.ranks, m->part));
    KOSHU_TRY(ops->finish(device->fmm->engine, &last));
    koshu_fmm_engine_take_report(device->fmm, &last);
    return KOSHU_OK;
}

void
koshu_fmm_device_free(struct koshu_fmm_device *device)
{
    koshu_part_imports_free(&device->imports);
    koshu_free(device->cut);
}
