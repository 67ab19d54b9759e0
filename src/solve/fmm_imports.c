/* SPDX-License-Identifier: MIT */
/* Essential trees of an FMM: see fmm_imports.h. */
#include "solve/fmm_imports.h"

#include "base/base.h"

static const struct koshu_fmm *
fmm_of(const struct koshu_imports *imports)
{
    return ((const struct koshu_fmm_imports *)imports)->fmm;
}

static size_t
find_targets(const struct koshu_imports *imports, void *target)
{
    const struct koshu_fmm_cells *cells = &fmm_of(imports)->sources.cells;
    return cells->n > 0 ? koshu_fmm_targets(cells, target) : 0;
}

static koshu_status
make(const struct koshu_imports *imports, const void *target, size_t n,
     void *essential)
{
    const struct koshu_fmm_imports *m =
            (const struct koshu_fmm_imports *)imports;
    const struct koshu_fmm_side *s = &m->fmm->sources;
    return koshu_fmm_essential_make(
            imports->context, &s->cells, m->fmm->kernels->real,
            m->fmm->lattice ? &s->top : NULL, s->n_top_sources, &m->criterion,
            target, n, essential);
}

static koshu_status
reserve_forest(struct koshu_imports *imports)
{
    struct koshu_fmm_imports *m = (struct koshu_fmm_imports *)imports;
    const struct koshu_fmm *f = m->fmm;
    KOSHU_TRY(koshu_fmm_forest_reserve(
            imports->context, koshu_imports_in(imports), imports->ranks,
            &f->sources.cells, f->kernels->real, &m->forest));
    /* not stored level by level */
    m->forest.cells.images = m->forest.top.images = f->images;
    return koshu_fmm_check_code(imports->context, &f->images.code,
                                m->forest.n_cells, f->opening.theta[0]);
}

/* The last two parts are expansions, those of the top cells in double
 * precision. */
static size_t
parts_of(const struct koshu_imports *imports, void *essential,
         struct koshu_import_part part[KOSHU_IMPORT_PARTS])
{
    const struct koshu_fmm *f = fmm_of(imports);
    const size_t row = f->sources.cells.stride;
    struct koshu_fmm_essential *e = essential;
    part[0] = KOSHU_IMPORT_PART(e, cell, n_cells, 1);
    part[1] = KOSHU_IMPORT_PART(e, particle, n_particles, 1);
    part[2] = KOSHU_IMPORT_PART(e, row, n_cells, row * f->kernels->real);
    part[3] = KOSHU_IMPORT_PART(e, top_row, n_top, row);
    return 4;
}

static void
free_essential(void *essential)
{
    koshu_fmm_essential_free(essential);
}

static const struct koshu_imports_ops ops = {
        .target = sizeof(struct koshu_fmm_target),
        .max_targets = KOSHU_FMM_TARGETS,
        .essential = sizeof(struct koshu_fmm_essential),
        .targets = find_targets,
        .make = make,
        .parts = parts_of,
        .reserve = reserve_forest,
        .free = free_essential};

koshu_status
koshu_fmm_imports_start(struct koshu_fmm_imports *imports,
                        const struct koshu_fmm *fmm, double eps)
{
    imports->all.ops = &ops;
    imports->all.context = fmm->backend->context;
    imports->fmm = fmm;
    imports->criterion = koshu_fmm_criterion_of(fmm, eps);
    return koshu_imports_start(&imports->all, fmm->sources.cells.n > 1 << 12);
}

koshu_status
koshu_fmm_imports_wait(struct koshu_fmm_imports *imports)
{
    struct koshu_imports *all = &imports->all;
    KOSHU_TRY(koshu_transfer_wait(all->context));
    koshu_fmm_forest_make(&imports->forest, koshu_imports_in(all), all->ranks,
                          imports->fmm->kernels->real);
    return KOSHU_OK;
}

void
koshu_fmm_imports_free(struct koshu_fmm_imports *imports)
{
    koshu_imports_free(&imports->all);
    koshu_fmm_forest_free(&imports->forest);
}
