/* SPDX-License-Identifier: MIT */
/*
 * Sums in an order that depends on the number of particles only. Each rank sums
 * its blocks; then the totals go from rank to rank, each adding its own,
 * together with the partial sum of a block that the next rank finishes.
 */
#include <string.h>

#include "domain/domain.h"

/* What a rank passes to the next, n_sums numbers each. */
struct chain {
    struct koshu_sum *total; /* of finished blocks */
    struct koshu_sum *open;  /* of the unfinished block */
};

/* How the blocks lie on this rank. */
struct blocks {
    size_t n;
    size_t begun;           /* particles of the first block that are on
                               earlier ranks */
    struct koshu_sum *sums; /* n_sums for each block */
};

static struct blocks
blocks_of(const struct koshu_summation *s)
{
    size_t begun = s->slice.first % s->block;
    size_t n = s->slice.n == 0 ? 0 : (begun + s->slice.n - 1) / s->block + 1;
    return (struct blocks){.n = n, .begun = begun};
}

/* Adds this rank's part of block b to the sums. */
static void
add_block(const struct koshu_summation *s, const struct blocks *blocks,
          size_t b, struct koshu_sum *sums)
{
    size_t begin = b == 0 ? 0 : b * s->block - blocks->begun;
    size_t end = (b + 1) * s->block - blocks->begun;
    s->add(s->user, begin, end < s->slice.n ? end : s->slice.n, sums);
}

/* All but the first, if that began on an earlier rank. */
static void
add_blocks(const struct koshu_summation *s, const struct blocks *blocks)
{
    size_t first = blocks->begun > 0;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (size_t b = first; b < blocks->n; b++)
        add_block(s, blocks, b, blocks->sums + b * s->n_sums);
}

/* Adds the blocks in order to the totals of earlier ranks. */
static void
add_to_chain(const struct koshu_summation *s, const struct blocks *blocks,
             const struct chain *chain)
{
    size_t size = s->n_sums * sizeof(struct koshu_sum);
    size_t end = s->slice.first + s->slice.n;
    for (size_t b = 0; b < blocks->n; b++) {
        struct koshu_sum *sums = blocks->sums + b * s->n_sums;
        if (b == 0 && blocks->begun > 0) {
            memcpy(sums, chain->open, size);
            add_block(s, blocks, 0, sums);
        }
        size_t block_end = s->slice.first - blocks->begun + (b + 1) * s->block;
        if (block_end > end && end != s->total) {
            memcpy(chain->open, sums, size);
            return;
        }
        for (size_t k = 0; k < s->n_sums; k++)
            koshu_sum_merge(&chain->total[k], sums[k]);
    }
}

/* Receives from the previous rank, sends to the next, and finally
 * broadcasts. */
static koshu_status
pass_on(const struct koshu_summation *s, const struct blocks *blocks,
        const struct chain *chain)
{
    int rank = koshu_context_rank(s->context);
    int last = koshu_context_ranks(s->context) - 1;
    size_t size = 2 * s->n_sums * sizeof(struct koshu_sum);
    if (rank > 0)
        KOSHU_TRY(koshu_receive(s->context, rank - 1, chain->total, size));
    add_to_chain(s, blocks, chain);
    if (rank < last)
        KOSHU_TRY(koshu_send(s->context, rank + 1, chain->total, size));
    return koshu_broadcast(s->context, last, chain->total, size);
}

struct koshu_summation
koshu_summation_of(struct koshu_particles *particles)
{
    struct koshu_context *context = koshu_particles_context(particles);
    return (struct koshu_summation){
            .context = context,
            .threads = koshu_region_threads(
                    context, koshu_particles_count(particles) > 4096),
            .slice = {koshu_particles_first(particles),
                      koshu_particles_count(particles)},
            .total = koshu_particles_total(particles)};
}

koshu_status
koshu_sum_particles(const struct koshu_summation *summation, double *sums)
{
    const struct koshu_summation *s = summation;
    struct blocks blocks = blocks_of(s);
    size_t n = (blocks.n + 2) * s->n_sums;
    struct koshu_sum *memory = koshu_alloc(n, sizeof *memory);
    koshu_status status = KOSHU_OK;
    if (!memory)
        status = koshu_fail_memory(s->context, n * sizeof *memory,
                                   "sums over particles");
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK) {
        const struct chain chain = {memory, memory + s->n_sums};
        blocks.sums = memory + 2 * s->n_sums;
        add_blocks(s, &blocks);
        status = pass_on(s, &blocks, &chain);
    }
    for (size_t k = 0; k < s->n_sums && status == KOSHU_OK; k++)
        sums[k] = koshu_sum_value(memory[k]);
    koshu_free(memory);
    return status;
}
