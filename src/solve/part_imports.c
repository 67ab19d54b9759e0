/* SPDX-License-Identifier: MIT */
#include "solve/part_imports.h"

#include <string.h>

#include "base/base.h"

static const char purpose[] = "trees of other ranks";

/* A part of a tree with its memory. Its levels are an item of their own. */
struct essential {
    struct koshu_fmm_part part;
    char *cell, *particle;
    uint64_t *levels;
    size_t n_levels;
    size_t capacity_cell, capacity_particle, capacity_levels;
};

static const struct koshu_part_imports *
parts_of_imports(const struct koshu_imports *imports)
{
    return (const struct koshu_part_imports *)imports;
}

/* ---- what goes ----------------------------------------------------------- */

static size_t
copy_targets(const struct koshu_imports *imports, void *target)
{
    const struct koshu_part_imports *m = parts_of_imports(imports);
    if (m->n_targets > 0)
        memcpy(target, m->target, m->n_targets * m->ops->target);
    return m->n_targets;
}

static koshu_status
reserve(const struct koshu_part_imports *m, struct essential *e)
{
    struct koshu_context *context = m->all.context;
    KOSHU_TRY(KOSHU_GROW(e, cell, e->part.n_cells * m->cell_bytes, context,
                         purpose));
    KOSHU_TRY(KOSHU_GROW(e, particle, e->part.n_particles * m->particle_bytes,
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
    const struct koshu_part_imports *m = parts_of_imports(imports);
    struct essential *e = essential;
    const size_t rank = (size_t)(e - (struct essential *)m->all.essential);
    KOSHU_TRY(m->ops->cut(m, rank, n, target, &e->part));
    KOSHU_TRY(reserve(m, e));
    *e->levels = e->part.levels;
    e->n_levels = e->part.n_cells > 0;
    return m->ops->fetch(m, rank, &e->part);
}

/* ---- messages ------------------------------------------------------------ */

static size_t
parts_of(const struct koshu_imports *imports, void *essential,
         struct koshu_import_part part[KOSHU_IMPORT_PARTS])
{
    const struct koshu_part_imports *m = parts_of_imports(imports);
    struct essential *e = essential;
    part[0] = KOSHU_IMPORT_PART(e, cell, part.n_cells, m->cell_bytes);
    part[1] =
            KOSHU_IMPORT_PART(e, particle, part.n_particles, m->particle_bytes);
    part[2] = KOSHU_IMPORT_PART(e, levels, n_levels, 1);
    return 3;
}

static koshu_status
reserve_parts(struct koshu_imports *imports)
{
    struct koshu_part_imports *m = (struct koshu_part_imports *)imports;
    return KOSHU_GROW(m, part, imports->ranks, imports->context, purpose);
}

static void
free_essential(void *essential)
{
    struct essential *e = essential;
    koshu_free(e->cell);
    koshu_free(e->particle);
    koshu_free(e->levels);
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_part_imports_start(struct koshu_part_imports *imports)
{
    struct koshu_part_imports *m = imports;
    m->all_ops =
            (struct koshu_imports_ops){.target = m->ops->target,
                                       .max_targets = m->ops->max_targets,
                                       .essential = sizeof(struct essential),
                                       .targets = copy_targets,
                                       .ready = m->ops->ready,
                                       .make = make,
                                       .parts = parts_of,
                                       .reserve = reserve_parts,
                                       .free = free_essential};
    m->all.ops = &m->all_ops;
    m->all.context = m->backend->context;
    return koshu_imports_start(&m->all, false);
}

/* With levels that came as an item. */
void
koshu_part_imports_gather(struct koshu_part_imports *imports)
{
    const struct essential *in = koshu_imports_in(&imports->all);
    for (size_t r = 0; r < imports->all.ranks; r++) {
        struct koshu_fmm_part *const to = &imports->part[r];
        *to = in[r].part;
        to->cell = in[r].cell;
        to->particle = in[r].particle;
        to->levels = in[r].n_levels > 0 ? *in[r].levels : 0;
    }
}

uint64_t
koshu_part_imports_count(const struct koshu_part_imports *imports)
{
    uint64_t n = 0;
    for (size_t r = 0; r < imports->all.ranks; r++)
        n += imports->part[r].n_cells + imports->part[r].n_particles;
    return n;
}

void
koshu_part_imports_free(struct koshu_part_imports *imports)
{
    koshu_imports_free(&imports->all);
    koshu_free(imports->part);
}
