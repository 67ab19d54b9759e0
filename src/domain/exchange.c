/* SPDX-License-Identifier: MIT */
/* Sends columns of particles to the ranks that own them, and back. */
#include <string.h>

#include "domain/domain.h"

/* ---- who gets how many --------------------------------------------------- */

static koshu_status
reserve(struct koshu_particle_exchange *x, size_t ranks)
{
    struct koshu_context *context = x->context;
    static const char what[] = "the exchange of particles";
    KOSHU_TRY(KOSHU_GROW(x, counts, 3 * ranks, context, what));
    KOSHU_TRY(KOSHU_GROW(x, messages, 2 * ranks, context, what));
    KOSHU_TRY(KOSHU_GROW(x, owner, x->n_home + 1, context, what));
    KOSHU_TRY(KOSHU_GROW(x, order, x->n_home + 1, context, what));
    return KOSHU_GROW(x, column, x->n_home + 1, context, what);
}

koshu_status
koshu_particle_exchange_begin(struct koshu_particle_exchange *exchange,
                              size_t n)
{
    struct koshu_particle_exchange *x = exchange;
    koshu_status status = KOSHU_OK;
    x->n_home = n;
    if (n >= UINT32_MAX)
        status = koshu_fail(x->context, KOSHU_ERROR_UNSUPPORTED,
                            "%zu particles on one rank: at most 2^32 - 2 can "
                            "be exchanged; use more ranks",
                            n);
    if (status == KOSHU_OK)
        status = reserve(x, (size_t)koshu_context_ranks(x->context));
    return koshu_ranks_collective_status(x->context, status);
}

/* Sorts particles by owner, stably. */
static void
sort_by_owner(struct koshu_particle_exchange *x, size_t ranks, size_t *at)
{
    memset(x->out, 0, ranks * sizeof *x->out);
    for (size_t i = 0; i < x->n_home; i++) x->out[x->owner[i]]++;
    for (size_t r = 0, n = 0; r < ranks; n += x->out[r++]) at[r] = n;
    for (size_t i = 0; i < x->n_home; i++)
        x->order[at[x->owner[i]]++] = (uint32_t)i;
}

koshu_status
koshu_particle_exchange_count(struct koshu_particle_exchange *exchange)
{
    struct koshu_particle_exchange *x = exchange;
    const size_t ranks = (size_t)koshu_context_ranks(x->context);
    size_t *const one = x->counts + 2 * ranks;
    x->out = x->counts;
    x->in = x->counts + ranks;
    sort_by_owner(x, ranks, one);
    for (size_t r = 0; r < ranks; r++) one[r] = 1;
    KOSHU_TRY(koshu_all_to_all(x->context, x->out, sizeof *x->out, one, x->in));
    x->n_here = 0;
    for (size_t r = 0; r < ranks; r++) x->n_here += x->in[r];
    return KOSHU_OK;
}

/* ---- columns ------------------------------------------------------------- */

/* Describes the messages to, or from, each rank: its part of a column. None to
 * this rank itself, whose part begins at the index returned. */
static size_t
write_messages(const struct koshu_particle_exchange *x, const size_t *n,
               double *column, struct koshu_message *to)
{
    const int ranks = koshu_context_ranks(x->context),
              mine = koshu_context_rank(x->context);
    size_t at = 0, own = 0;
    for (int r = 0; r < ranks; at += n[r++]) {
        if (r == mine) own = at;
        to[r] = (struct koshu_message){r, column + at,
                                       r == mine ? 0 : n[r] * sizeof *column};
    }
    return own;
}

static koshu_status
move_column(struct koshu_particle_exchange *x, double *from, const size_t *out,
            double *to, const size_t *in)
{
    const size_t ranks = (size_t)koshu_context_ranks(x->context);
    const struct koshu_transfer transfer = {{ranks, x->messages},
                                            {ranks, x->messages + ranks}};
    const size_t own = write_messages(x, out, from, x->messages);
    const size_t here = write_messages(x, in, to, x->messages + ranks);
    for (size_t r = 0; r < ranks; r++) x->bytes_sent += x->messages[r].n;
    KOSHU_TRY(koshu_transfer_start(x->context, &transfer));
    memcpy(to + here, from + own,
           out[koshu_context_rank(x->context)] * sizeof *to);
    return koshu_transfer_wait(x->context);
}

/* Counts how many of index[n], ascending, are in each rank's slice. */
static void
count_slices(size_t total, size_t ranks, size_t n, const uint64_t *index,
             size_t *count)
{
    for (size_t r = 0, i = 0; r < ranks; r++) {
        const struct koshu_slice s = koshu_slice_of(total, (int)r, (int)ranks);
        const size_t begin = i;
        while (i < n && index[i] < s.first + s.n) i++;
        count[r] = i - begin;
    }
}

koshu_status
koshu_particle_exchange_trace(struct koshu_particle_exchange *exchange,
                              size_t total, size_t n, void *index)
{
    struct koshu_particle_exchange *x = exchange;
    const size_t ranks = (size_t)koshu_context_ranks(x->context);
    size_t *const one = x->counts + 2 * ranks;
    x->out = x->counts;
    x->in = x->counts + ranks;
    x->n_here = n;
    count_slices(total, ranks, n, index, x->in);
    for (size_t r = 0; r < ranks; r++) one[r] = 1;
    KOSHU_TRY(koshu_all_to_all(x->context, x->in, sizeof *x->in, one, x->out));
    KOSHU_TRY(move_column(x, index, x->in, x->column, x->out));
    for (size_t k = 0; k < x->n_home; k++) {
        uint64_t at;
        memcpy(&at, &x->column[k], sizeof at);
        x->order[k] = (uint32_t)(at - x->first);
    }
    return KOSHU_OK;
}

koshu_status
koshu_particle_exchange_send(struct koshu_particle_exchange *exchange,
                             const double *home, double *here)
{
    struct koshu_particle_exchange *x = exchange;
    for (size_t k = 0; k < x->n_home; k++) x->column[k] = home[x->order[k]];
    return move_column(x, x->column, x->out, here, x->in);
}

koshu_status
koshu_particle_exchange_return(struct koshu_particle_exchange *exchange,
                               double *here, double *home)
{
    struct koshu_particle_exchange *x = exchange;
    KOSHU_TRY(move_column(x, here, x->in, x->column, x->out));
    for (size_t k = 0; k < x->n_home; k++) home[x->order[k]] = x->column[k];
    return KOSHU_OK;
}

void
koshu_particle_exchange_free(struct koshu_particle_exchange *exchange)
{
    koshu_free(exchange->counts);
    koshu_free(exchange->messages);
    koshu_free(exchange->owner);
    koshu_free(exchange->order);
    koshu_free(exchange->column);
}
