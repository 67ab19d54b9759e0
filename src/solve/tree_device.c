/* SPDX-License-Identifier: MIT */
#include "solve/tree_device.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/treecode.h"

static const char purpose[] = "trees of other ranks";

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

/* ---- imports ------------------------------------------------------------- */

/* A part of a tree with its memory. Its levels are an item of their own. */
struct essential {
    struct koshu_tree_part part;
    char *cell, *particle;
    uint64_t *levels;
    size_t n_levels;
    size_t capacity_cell, capacity_particle, capacity_levels;
};

static const struct koshu_tree_device *
device_of(const struct koshu_imports *imports)
{
    return (const struct koshu_tree_device *)imports;
}

static size_t
copy_targets(const struct koshu_imports *imports, void *target)
{
    const struct koshu_tree_device *d = device_of(imports);
    memcpy(target, d->bounds, d->n_bounds * sizeof *d->bounds);
    return d->n_bounds;
}

static koshu_status
reserve(const struct koshu_tree_device *d, struct essential *e)
{
    struct koshu_context *context = d->imports.context;
    const struct koshu_tree_parts_ops *ops = ops_of(d);
    KOSHU_TRY(KOSHU_GROW(e, cell, e->part.n_cells * ops->cell_bytes, context,
                         purpose));
    KOSHU_TRY(KOSHU_GROW(e, particle, e->part.n_particles * ops->particle_bytes,
                         context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, levels, 1, context, purpose));
    e->part.cell = e->cell;
    e->part.particle = e->particle;
    return KOSHU_OK;
}

static koshu_status
make(const struct koshu_imports *imports, const void *target, size_t n,
     void *essential)
{
    const struct koshu_tree_device *d = device_of(imports);
    const struct koshu_tree_parts_ops *ops = ops_of(d);
    struct essential *e = essential;
    KOSHU_TRY(ops->cut(engine_of(d), n, target, &e->part));
    KOSHU_TRY(reserve(d, e));
    *e->levels = e->part.levels;
    e->n_levels = e->part.n_cells > 0;
    return ops->fetch(engine_of(d), &e->part);
}

static size_t
parts_of(const struct koshu_imports *imports, void *essential,
         struct koshu_import_part part[KOSHU_IMPORT_PARTS])
{
    const struct koshu_tree_parts_ops *ops = ops_of(device_of(imports));
    struct essential *e = essential;
    part[0] = KOSHU_IMPORT_PART(e, cell, part.n_cells, ops->cell_bytes);
    part[1] = KOSHU_IMPORT_PART(e, particle, part.n_particles,
                                ops->particle_bytes);
    part[2] = KOSHU_IMPORT_PART(e, levels, n_levels, 1);
    return 3;
}

static koshu_status
reserve_parts(struct koshu_imports *imports)
{
    struct koshu_tree_device *d = (struct koshu_tree_device *)imports;
    return KOSHU_GROW(d, part, imports->ranks, imports->context, purpose);
}

static void
free_essential(void *essential)
{
    struct essential *e = essential;
    koshu_free(e->cell);
    koshu_free(e->particle);
    koshu_free(e->levels);
}

static const struct koshu_imports_ops imports_ops = {
        .target = sizeof(struct koshu_tree_bounds),
        .max_targets = KOSHU_TREE_BOUNDS,
        .essential = sizeof(struct essential),
        .targets = copy_targets,
        .make = make,
        .parts = parts_of,
        .reserve = reserve_parts,
        .free = free_essential};

koshu_status
koshu_tree_device_start_imports(struct koshu_tree_device *device)
{
    device->imports.ops = &imports_ops;
    device->imports.context = device->treecode->backend->context;
    return koshu_imports_start(&device->imports, false);
}

static unsigned
fields_of(const struct koshu_force_task *task)
{
    return KOSHU_FIELD_ACCELERATION |
           (task->potential ? KOSHU_FIELD_POTENTIAL : 0);
}

/* ---- forces -------------------------------------------------------------- */

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
            .largest_mass = m->largest,
            .least_mass = isfinite(m->least) ? m->least : 0,
            .n = all->n,
            .has_accelerations = all->has_accelerations};
    struct koshu_tree_options options = *t->options.tree;
    options.n_crit = t->n_crit.now;
    KOSHU_TRY(ops_of(d)->start(engine_of(d), task, &options, &common, here,
                               fields_of(task)));
    return ops_of(d)->bounds(engine_of(d), &d->n_bounds, d->bounds);
}

koshu_status
koshu_tree_device_walk(struct koshu_tree_device *device)
{
    return ops_of(device)->walk(engine_of(device));
}

bool
koshu_tree_device_is_walking(const struct koshu_tree_device *device)
{
    return ops_of(device)->is_walking(engine_of(device));
}

/* With levels that came as an item. */
static void
gather_parts(struct koshu_tree_device *d)
{
    const struct essential *in = koshu_imports_in(&d->imports);
    for (size_t r = 0; r < d->imports.ranks; r++) {
        d->part[r] = in[r].part;
        d->part[r].cell = in[r].cell;
        d->part[r].particle = in[r].particle;
        d->part[r].levels = in[r].n_levels > 0 ? *in[r].levels : 0;
    }
}

koshu_status
koshu_tree_device_finish(struct koshu_tree_device *device,
                         struct koshu_tree_report *report)
{
    struct koshu_tree_device *d = device;
    const struct koshu_tree_parts_ops *ops = ops_of(d);
    gather_parts(d);
    KOSHU_TRY(ops->add(engine_of(d), d->imports.ranks, d->part));
    KOSHU_TRY(ops->finish(engine_of(d), report));
    if (report->particles > 0)
        koshu_n_crit_learn(&d->treecode->n_crit,
                           report->seconds.walk / (double)report->particles);
    return KOSHU_OK;
}

uint64_t
koshu_tree_device_imported(const struct koshu_tree_device *device)
{
    uint64_t n = 0;
    for (size_t r = 0; r < device->imports.ranks; r++)
        n += device->part[r].n_cells + device->part[r].n_particles;
    return n;
}

void
koshu_tree_device_free(struct koshu_tree_device *device)
{
    koshu_imports_free(&device->imports);
    koshu_free(device->part);
}
