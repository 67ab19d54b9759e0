/* SPDX-License-Identifier: MIT */
#include "solve/fmm_imports.h"

#include <string.h>

#include "base/base.h"

/* Of a tree: cells, particles, and expansions in both precisions. */
enum { MESSAGES = 4 };

static const char purpose[] = "cells of other ranks";

static size_t
ranks_of(const struct koshu_context *context)
{
    return (size_t)koshu_context_ranks(context);
}

/* ---- targets ------------------------------------------------------------- */

static koshu_status
reserve_ranks(struct koshu_fmm_imports *m, struct koshu_context *context)
{
    const size_t ranks = ranks_of(context);
    KOSHU_TRY(KOSHU_GROW(m, out, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, in, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, messages, 2 * MESSAGES * ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, n_targets, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, size, 2 * ranks, context, purpose));
    return KOSHU_GROW(m, target, (ranks + 1) * KOSHU_FMM_TARGETS, context,
                      purpose);
}

/* Those of all ranks; of this one at first behind them. */
static koshu_status
gather_targets(struct koshu_fmm_imports *m, struct koshu_context *context,
               const struct koshu_fmm_cells *cells)
{
    struct koshu_fmm_target *mine =
            m->target + ranks_of(context) * KOSHU_FMM_TARGETS;
    const size_t n = cells->n > 0 ? koshu_fmm_targets(cells, mine) : 0;
    KOSHU_TRY(koshu_all_gather(context, &n, sizeof n, m->n_targets));
    return koshu_all_gather_parts(context, mine, sizeof *mine, m->n_targets,
                                  m->target);
}

/* ---- what goes ----------------------------------------------------------- */

static koshu_status
make_essential(struct koshu_fmm_imports *m, const struct koshu_fmm *f,
               const struct koshu_fmm_criterion *criterion, int rank)
{
    struct koshu_context *context = f->backend->context;
    const struct koshu_fmm_side *s = &f->sources;
    const bool own = rank == koshu_context_rank(context);
    size_t first = 0;
    for (int k = 0; k < rank; k++) first += m->n_targets[k];
    return koshu_fmm_essential_make(
            context, &s->cells, f->kernels->real, f->lattice ? &s->top : NULL,
            s->n_top_sources, criterion, m->target + first,
            own ? 0 : m->n_targets[rank], &m->out[rank]);
}

static koshu_status
make_essentials(struct koshu_fmm_imports *m, const struct koshu_fmm *f,
                const struct koshu_fmm_criterion *criterion)
{
    struct koshu_context *context = f->backend->context;
    const int ranks = koshu_context_ranks(context);
    const int threads =
            koshu_region_threads(context, f->sources.cells.n > 1 << 12);
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int r = 0; r < ranks; r++) {
        const koshu_status one = make_essential(m, f, criterion, r);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

/* ---- how much comes ------------------------------------------------------ */

static koshu_status
reserve_tree(struct koshu_fmm_essential *in, const struct koshu_fmm *f,
             const struct koshu_fmm_essential_size *size)
{
    struct koshu_context *context = f->backend->context;
    const size_t stride = f->sources.cells.stride;
    in->n_cells = size->cells;
    in->n_top = size->top;
    in->n_particles = size->particles;
    KOSHU_TRY(KOSHU_GROW(in, cell, in->n_cells, context, purpose));
    KOSHU_TRY(KOSHU_GROW(in, particle, in->n_particles, context, purpose));
    KOSHU_TRY(KOSHU_GROW(in, row, in->n_cells * stride * f->kernels->real,
                         context, purpose));
    return KOSHU_GROW(in, top_row, in->n_top * stride, context, purpose);
}

static koshu_status
reserve_in(struct koshu_fmm_imports *m, const struct koshu_fmm *f,
           const struct koshu_fmm_essential_size *come)
{
    struct koshu_context *context = f->backend->context;
    const size_t ranks = ranks_of(context);
    for (size_t r = 0; r < ranks; r++)
        KOSHU_TRY(reserve_tree(&m->in[r], f, &come[r]));
    KOSHU_TRY(koshu_fmm_forest_reserve(context, m->in, ranks, &f->sources.cells,
                                       f->kernels->real, &m->forest));
    return koshu_fmm_check_cells(f, m->forest.n_cells);
}

static koshu_status
exchange_sizes(struct koshu_fmm_imports *m, const struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    const size_t ranks = ranks_of(context);
    struct koshu_fmm_essential_size *const go = m->size, *const come =
                                                                 go + ranks;
    size_t *const one = m->n_targets; /* which are done with */
    for (size_t r = 0; r < ranks; r++) {
        one[r] = 1;
        go[r] = (struct koshu_fmm_essential_size){
                m->out[r].n_cells, m->out[r].n_top, m->out[r].n_particles};
    }
    KOSHU_TRY(koshu_all_to_all(context, go, sizeof *go, one, come));
    return koshu_ranks_collective_status(context, reserve_in(m, f, come));
}

/* ---- messages ------------------------------------------------------------ */

/* Four for each rank. Returns their bytes. */
static size_t
write_messages(const struct koshu_fmm_essential *tree,
               const struct koshu_fmm *f, struct koshu_message *to)
{
    const size_t ranks = ranks_of(f->backend->context);
    const size_t stride = f->sources.cells.stride;
    size_t bytes = 0;
    for (size_t r = 0; r < ranks; r++) {
        const struct koshu_fmm_essential *e = &tree[r];
        const struct koshu_message of[MESSAGES] = {
                {(int)r, e->cell, e->n_cells * sizeof *e->cell},
                {(int)r, e->particle, e->n_particles * sizeof *e->particle},
                {(int)r, e->row, e->n_cells * stride * f->kernels->real},
                {(int)r, e->top_row, e->n_top * stride * sizeof *e->top_row}};
        for (size_t k = 0; k < MESSAGES; k++) bytes += of[k].n;
        memcpy(to + MESSAGES * r, of, sizeof of);
    }
    return bytes;
}

static koshu_status
start_messages(struct koshu_fmm_imports *m, const struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    const size_t n = MESSAGES * ranks_of(context);
    const struct koshu_transfer transfer = {{n, m->messages},
                                            {n, m->messages + n}};
    m->bytes_sent = write_messages(m->out, f, m->messages);
    (void)write_messages(m->in, f, m->messages + n);
    return koshu_transfer_start(context, &transfer);
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_fmm_imports_start(struct koshu_fmm_imports *imports,
                        const struct koshu_fmm *fmm,
                        const struct koshu_fmm_criterion *criterion)
{
    struct koshu_fmm_imports *m = imports;
    struct koshu_context *context = fmm->backend->context;
    KOSHU_TRY(
            koshu_ranks_collective_status(context, reserve_ranks(m, context)));
    KOSHU_TRY(gather_targets(m, context, &fmm->sources.cells));
    KOSHU_TRY(koshu_ranks_collective_status(
            context, make_essentials(m, fmm, criterion)));
    KOSHU_TRY(exchange_sizes(m, fmm));
    return start_messages(m, fmm);
}

koshu_status
koshu_fmm_imports_wait(struct koshu_fmm_imports *imports,
                       const struct koshu_fmm *fmm)
{
    struct koshu_context *context = fmm->backend->context;
    KOSHU_TRY(koshu_transfer_wait(context));
    koshu_fmm_forest_make(&imports->forest, imports->in, ranks_of(context),
                          fmm->kernels->real);
    return KOSHU_OK;
}

void
koshu_fmm_imports_free(struct koshu_fmm_imports *imports)
{
    for (size_t r = 0; r < imports->capacity_out; r++)
        koshu_fmm_essential_free(&imports->out[r]);
    for (size_t r = 0; r < imports->capacity_in; r++)
        koshu_fmm_essential_free(&imports->in[r]);
    koshu_fmm_forest_free(&imports->forest);
    koshu_free(imports->out);
    koshu_free(imports->in);
    koshu_free(imports->target);
    koshu_free(imports->n_targets);
    koshu_free(imports->size);
    koshu_free(imports->messages);
}
