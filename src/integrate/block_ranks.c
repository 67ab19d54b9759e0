/* SPDX-License-Identifier: MIT */
/*
 * Sums with jerk over the particles of all ranks.
 *
 * Each rank sums the contribution of its own j-particles to the block members
 * of all ranks. Each rank then receives the partial sums on its own members and
 * adds them in rank order. This keeps all ranks busy even with a block of few
 * particles.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/block_step.h"
#include "integrate/partial_sums.h"

/* About how many members, over all ranks, are summed at once; this bounds the
 * memory. */
enum { CHUNK = 1 << 16 };

struct koshu_block_ranks {
    struct koshu_context *context;
    int rank, n_ranks;
    size_t chunk;               /* members of one rank summed at once */
    size_t *n;                  /* members of each rank in this chunk */
    struct koshu_i_particle *i; /* members of all ranks */
    /* sums on them over this rank's j-particles */
    struct koshu_jerk_result *result;
    struct koshu_partial_sums *mine; /* the same, to send */
    struct koshu_partial_sums
            *all; /* sums of all ranks on the members of this rank */
};

koshu_status
koshu_block_ranks_create(struct koshu_context *context,
                         struct koshu_block_ranks **ranks)
{
    struct koshu_block_ranks *x = *ranks = calloc(1, sizeof *x);
    if (!x) return koshu_fail_memory(context, sizeof *x, "sums over ranks");
    x->context = context;
    x->rank = koshu_context_rank(context);
    x->n_ranks = koshu_context_ranks(context);
    size_t count = (size_t)x->n_ranks;
    x->chunk = count < CHUNK ? CHUNK / count : 1;
    size_t total = x->chunk * count;
    x->n = koshu_alloc(count, sizeof *x->n);
    x->i = koshu_alloc(total, sizeof *x->i);
    x->result = koshu_alloc(total, sizeof *x->result);
    x->mine = koshu_alloc(total, sizeof *x->mine);
    x->all = koshu_alloc(total, sizeof *x->all);
    if (x->n && x->i && x->result && x->mine && x->all) return KOSHU_OK;
    koshu_block_ranks_destroy(x);
    *ranks = NULL;
    return koshu_fail_memory(
            context,
            total * (sizeof *x->i + sizeof *x->result + 2 * sizeof *x->mine),
            "sums over ranks");
}

void
koshu_block_ranks_destroy(struct koshu_block_ranks *ranks)
{
    if (!ranks) return;
    koshu_free(ranks->n);
    koshu_free(ranks->i);
    koshu_free(ranks->result);
    koshu_free(ranks->mine);
    koshu_free(ranks->all);
    free(ranks);
}

/* Counts each rank's members from `first` on that belong to this chunk; returns
 * the total. */
static size_t
count_chunk(struct koshu_block_ranks *x, const struct koshu_block_step *step,
            size_t first)
{
    size_t total = 0;
    for (int r = 0; r < x->n_ranks; r++) {
        size_t left =
                step->members_of[r] > first ? step->members_of[r] - first : 0;
        x->n[r] = left < x->chunk ? left : x->chunk;
        total += x->n[r];
    }
    return total;
}

/* Sums the contribution of this rank's j-particles to the i-particles of all
 * ranks. */
static void
sum_here(struct koshu_block_ranks *x, struct koshu_block_step *s, size_t n_i,
         size_t n_j, double time)
{
    koshu_partial_sums_none(n_i, x->result);
    if (n_j == 0 || s->status != KOSHU_OK) return;
    const struct koshu_j_store_ops *ops = s->j_store->ops;
    s->status = ops->start(s->j_store, &s->task, time, n_j, n_i, x->i);
    if (s->status == KOSHU_OK) s->status = ops->wait(s->j_store, x->result);
}

koshu_status
koshu_block_ranks_sum(struct koshu_block_ranks *x,
                      struct koshu_block_step *step, size_t n_j, double time)
{
    size_t n_i;
    for (size_t first = 0; (n_i = count_chunk(x, step, first)) > 0;
         first += x->chunk) {
        size_t own = x->n[x->rank] > 0 ? first : 0;
        KOSHU_TRY(koshu_all_gather_parts(x->context, step->end + own,
                                         sizeof *x->i, x->n, x->i));
        sum_here(x, step, n_i, n_j, time);
        koshu_partial_sums_take(n_i, x->result, step->first, x->mine);
        KOSHU_TRY(koshu_all_to_all(x->context, x->mine, sizeof *x->mine, x->n,
                                   x->all));
        koshu_partial_sums_add(x->n[x->rank], x->n_ranks, x->all,
                               step->result + own);
    }
    return KOSHU_OK;
}
