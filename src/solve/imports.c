/* SPDX-License-Identifier: MIT */
/* The exchange of essential trees: see imports.h. */
#include "solve/imports.h"

#include <string.h>

#include "base/base.h"

enum { PARTS = KOSHU_IMPORT_PARTS };

static const char purpose[] = "trees of other ranks";

static void *
essential_of(const struct koshu_imports *m, size_t k)
{
    return m->essential + k * m->ops->essential;
}

/* ---- targets ------------------------------------------------------------- */

static koshu_status
reserve_ranks(struct koshu_imports *m)
{
    const struct koshu_imports_ops *o = m->ops;
    const size_t trees = 2 * m->ranks,
                 targets = (m->ranks + 1) * o->max_targets;
    KOSHU_TRY(KOSHU_GROW(m, essential, trees * o->essential, m->context,
                         purpose));
    KOSHU_TRY(KOSHU_GROW(m, messages, trees * PARTS, m->context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, items, trees * PARTS, m->context, purpose));
    KOSHU_TRY(KOSHU_GROW(m, n_targets, m->ranks, m->context, purpose));
    return KOSHU_GROW(m, target, targets * o->target, m->context, purpose);
}

/* Gathers the targets of all ranks; this rank's are at first behind the space
 * for all. */
static koshu_status
gather_targets(struct koshu_imports *m)
{
    const struct koshu_imports_ops *o = m->ops;
    char *const mine = m->target + m->ranks * o->max_targets * o->target;
    const size_t n = o->targets(m, mine);
    KOSHU_TRY(koshu_all_gather(m->context, &n, sizeof n, m->n_targets));
    return koshu_all_gather_parts(m->context, mine, o->target, m->n_targets,
                                  m->target);
}

/* ---- essential trees to send --------------------------------------------- */

static koshu_status
make_for(const struct koshu_imports *m, size_t rank)
{
    const bool own = rank == (size_t)koshu_context_rank(m->context);
    size_t first = 0;
    for (size_t k = 0; k < rank; k++) first += m->n_targets[k];
    return m->ops->make(m, m->target + first * m->ops->target,
                        own ? 0 : m->n_targets[rank], essential_of(m, rank));
}

static koshu_status
make_all(struct koshu_imports *m, bool parallel)
{
    const int threads = koshu_region_threads(m->context, parallel);
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t r = 0; r < m->ranks; r++) {
        const koshu_status one = make_for(m, r);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

/* ---- messages ------------------------------------------------------------ */

/* Writes the messages of the k-th essential tree and the numbers of their
 * items. For a tree that will be received, these numbers are known and memory
 * is allocated for them. */
static koshu_status
write_messages(struct koshu_imports *m, size_t k)
{
    struct koshu_import_part part[PARTS] = {{0}};
    const size_t n = m->ops->parts(m, essential_of(m, k), part);
    for (size_t p = 0; p < n; p++) {
        const struct koshu_import_part *of = &part[p];
        uint64_t *const items = m->items + k * PARTS + p;
        if (k < m->ranks) *items = *of->n;
        KOSHU_TRY(koshu_grow(m->context, of->array, of->capacity,
                             *items * of->elements, of->element, purpose));
        *of->n = *items;
        m->messages[k * PARTS + p] =
                (struct koshu_message){(int)(k % m->ranks), *of->array,
                                       *items * of->elements * of->element};
    }
    return KOSHU_OK;
}

/* Writes the messages of `ranks` trees from the k-th on. */
static koshu_status
write_all(struct koshu_imports *m, size_t k)
{
    koshu_status status = KOSHU_OK;
    for (size_t r = 0; r < m->ranks && status == KOSHU_OK; r++)
        status = write_messages(m, k + r);
    if (status == KOSHU_OK && k > 0) status = m->ops->reserve(m);
    return koshu_ranks_collective_status(m->context, status);
}

static koshu_status
start_messages(struct koshu_imports *m)
{
    const size_t n = m->ranks * PARTS;
    const struct koshu_transfer transfer = {{n, m->messages},
                                            {n, m->messages + n}};
    size_t *const one = m->n_targets; /* no longer needed as such */
    memset(m->messages, 0, 2 * n * sizeof *m->messages);
    for (size_t r = 0; r < m->ranks; r++) one[r] = 1;
    KOSHU_TRY(write_all(m, 0));
    KOSHU_TRY(koshu_all_to_all(m->context, m->items, PARTS * sizeof *m->items,
                               one, m->items + n));
    KOSHU_TRY(write_all(m, m->ranks));
    m->bytes_sent = 0;
    for (size_t k = 0; k < n; k++) m->bytes_sent += m->messages[k].n;
    return koshu_transfer_start(m->context, &transfer);
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_imports_start(struct koshu_imports *imports, bool parallel)
{
    struct koshu_imports *m = imports;
    m->ranks = (size_t)koshu_context_ranks(m->context);
    KOSHU_TRY(koshu_ranks_collective_status(m->context, reserve_ranks(m)));
    KOSHU_TRY(gather_targets(m));
    const koshu_status status = make_all(m, parallel);
    KOSHU_TRY(koshu_ranks_collective_status(m->context, status));
    return start_messages(m);
}

const void *
koshu_imports_in(const struct koshu_imports *imports)
{
    return essential_of(imports, imports->ranks);
}

void
koshu_imports_free(struct koshu_imports *imports)
{
    const struct koshu_imports *m = imports;
    for (size_t k = 0; m->essential && k < 2 * m->ranks; k++)
        m->ops->free(essential_of(m, k));
    koshu_free(m->essential);
    koshu_free(m->messages);
    koshu_free(m->items);
    koshu_free(m->n_targets);
    koshu_free(m->target);
}
