/* SPDX-License-Identifier: MIT */
#include "solve/tree_imports.h"

#include "base/base.h"

static const char purpose[] = "trees of other ranks";

static size_t
ranks_of(const struct koshu_context *context)
{
    return (size_t)koshu_context_ranks(context);
}

/* ---- targets ------------------------------------------------------------- */

static koshu_status
reserve_ranks(struct koshu_tree_imports *m, struct koshu_context *context)
{
    const size_t ranks = ranks_of(context);
    KOSHU_TRY(KOSHU_GROW(m, out, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, in, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, messages, 4 * ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, n_targets, ranks, context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, size, 2 * ranks, context, purpose));
    return KOSHU_GROW(m, target, (ranks + 1) * KOSHU_TREE_TARGETS, context,
                      purpose);
}

/* Those of all ranks; of this one at first behind them. */
static koshu_status
gather_targets(struct koshu_tree_imports *m, struct koshu_context *context,
               const struct koshu_groups *groups, const double *a)
{
    struct koshu_tree_target *mine =
            m->target + ranks_of(context) * KOSHU_TREE_TARGETS;
    const size_t n =
            groups->n > 0 ? koshu_tree_targets(m->tree, groups, a, mine) : 0;
    KOSHU_TRY(koshu_all_gather(context, &n, sizeof n, m->n_targets));
    return koshu_all_gather_parts(context, mine, sizeof *mine, m->n_targets,
                                  m->target);
}

/* ---- what goes ----------------------------------------------------------- */

static koshu_status
make_essentials(struct koshu_tree_imports *m, struct koshu_context *context)
{
    const int ranks = koshu_context_ranks(context),
              own = koshu_context_rank(context);
    const int threads = koshu_region_threads(context, m->tree->n > 1 << 12);
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int r = 0; r < ranks; r++) {
        size_t first = 0;
        for (int k = 0; k < r; k++) first += m->n_targets[k];
        const koshu_status one = koshu_essential_make(
                m->tree, m->target + first, r == own ? 0 : m->n_targets[r],
                &m->out[r]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

/* ---- how much comes ------------------------------------------------------ */

static koshu_status
reserve_in(struct koshu_tree_imports *m, struct koshu_context *context,
           const struct koshu_essential_size *come)
{
    size_t trees = 0, cells = 0, particles = 0;
    for (size_t r = 0; r < ranks_of(context); r++) {
        struct koshu_essential *in = &m->in[r];
        in->n_cells = come[r].cells;
        in->n_particles = come[r].particles;
        KOSHU_TRY(KOSHU_GROW(in, cell, in->n_cells, context, purpose));
        KOSHU_TRY(KOSHU_GROW(in, particle, in->n_particles, context, purpose));
        trees += in->n_cells > 0;
        cells += in->n_cells;
        particles += in->n_particles;
    }
    return koshu_forest_begin(&m->forest, m->tree, trees, cells, particles);
}

static koshu_status
exchange_sizes(struct koshu_tree_imports *m, struct koshu_context *context)
{
    const size_t ranks = ranks_of(context);
    struct koshu_essential_size *const go = m->size, *const come = go + ranks;
    size_t *const one = m->n_targets; /* which are done with */
    for (size_t r = 0; r < ranks; r++) {
        one[r] = 1;
        go[r] = (struct koshu_essential_size){m->out[r].n_cells,
                                              m->out[r].n_particles};
    }
    KOSHU_TRY(koshu_all_to_all(context, go, sizeof *go, one, come));
    return koshu_ranks_collective_status(context, reserve_in(m, context, come));
}

/* ---- messages ------------------------------------------------------------ */

/* Two for each rank. Returns their bytes. */
static size_t
write_messages(const struct koshu_essential *e, size_t ranks,
               struct koshu_message *to)
{
    size_t bytes = 0;
    for (size_t r = 0; r < ranks; r++) {
        to[2 * r] = (struct koshu_message){(int)r, e[r].cell,
                                           e[r].n_cells * sizeof *e->cell};
        to[2 * r + 1] = (struct koshu_message){
                (int)r, e[r].particle, e[r].n_particles * sizeof *e->particle};
        bytes += to[2 * r].n + to[2 * r + 1].n;
    }
    return bytes;
}

static koshu_status
start_messages(struct koshu_tree_imports *m, struct koshu_context *context)
{
    const size_t ranks = ranks_of(context);
    const struct koshu_transfer transfer = {
            {2 * ranks, m->messages}, {2 * ranks, m->messages + 2 * ranks}};
    m->bytes_sent = write_messages(m->out, ranks, m->messages);
    (void)write_messages(m->in, ranks, m->messages + 2 * ranks);
    return koshu_transfer_start(context, &transfer);
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_tree_imports_start(struct koshu_tree_imports *imports,
                         const struct koshu_tree *tree,
                         const struct koshu_groups *groups, const double *a)
{
    struct koshu_tree_imports *m = imports;
    struct koshu_context *context = tree->context;
    m->tree = tree;
    KOSHU_TRY(
            koshu_ranks_collective_status(context, reserve_ranks(m, context)));
    KOSHU_TRY(gather_targets(m, context, groups, a));
    KOSHU_TRY(koshu_ranks_collective_status(context,
                                            make_essentials(m, context)));
    KOSHU_TRY(exchange_sizes(m, context));
    return start_messages(m, context);
}

koshu_status
koshu_tree_imports_wait(struct koshu_tree_imports *imports,
                        struct koshu_context *context)
{
    KOSHU_TRY(koshu_transfer_wait(context));
    for (size_t r = 0; r < ranks_of(context); r++)
        koshu_forest_add(&imports->forest, &imports->in[r]);
    return KOSHU_OK;
}

void
koshu_tree_imports_free(struct koshu_tree_imports *imports)
{
    for (size_t r = 0; r < imports->capacity_out; r++)
        koshu_essential_free(&imports->out[r]);
    for (size_t r = 0; r < imports->capacity_in; r++)
        koshu_essential_free(&imports->in[r]);
    koshu_forest_free(&imports->forest);
    koshu_free(imports->out);
    koshu_free(imports->in);
    koshu_free(imports->target);
    koshu_free(imports->n_targets);
    koshu_free(imports->size);
    koshu_free(imports->messages);
}
