/* SPDX-License-Identifier: MIT */
/* Messages between ranks by MPI; transfers go through the host's memory. */
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "devices/mpi_communicator.h"

enum {
    TAG_MESSAGE = 0,
    TAG_TRANSFER = 1,
    MAX_BYTES = 1 << 30,
    MAX_COUNTS = 1 << 24
};

static struct mpi_communicator *
mpi_of(struct koshu_communicator *c)
{
    return (struct mpi_communicator *)c;
}

/* ---- failures ------------------------------------------------------------ */

koshu_status
koshu_mpi_check(struct koshu_context *context, int error, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (error == MPI_SUCCESS) return KOSHU_OK;
    MPI_Error_string(error, text, &length);
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL, "%s between ranks: %s",
                      what, text);
}

/* ---- messages ------------------------------------------------------------ */

static koshu_status
all_gather(struct koshu_communicator *c, const void *mine, size_t bytes,
           void *all)
{
    return koshu_mpi_check(c->context,
                           MPI_Allgather(mine, (int)bytes, MPI_BYTE, all,
                                         (int)bytes, MPI_BYTE, mpi_of(c)->comm),
                           "gathering");
}

static int
move_block(const struct mpi_communicator *m, enum koshu_move how, int other,
           void *block, int n)
{
    switch (how) {
    case KOSHU_MOVE_SEND:
        return MPI_Send(block, n, MPI_BYTE, other, TAG_MESSAGE, m->comm);
    case KOSHU_MOVE_RECEIVE:
        return MPI_Recv(block, n, MPI_BYTE, other, TAG_MESSAGE, m->comm,
                        MPI_STATUS_IGNORE);
    case KOSHU_MOVE_BROADCAST:
        return MPI_Bcast(block, n, MPI_BYTE, other, m->comm);
    }
    return MPI_ERR_OTHER;
}

static koshu_status
move(struct koshu_communicator *c, enum koshu_move how, int other, void *bytes,
     size_t n)
{
    static const char *const what[] = {[KOSHU_MOVE_SEND] = "sending",
                                       [KOSHU_MOVE_RECEIVE] = "receiving",
                                       [KOSHU_MOVE_BROADCAST] = "broadcasting"};
    for (char *next = bytes; n > 0;) {
        int some = n < MAX_BYTES ? (int)n : MAX_BYTES;
        KOSHU_TRY(koshu_mpi_check(c->context,
                                  move_block(mpi_of(c), how, other, next, some),
                                  what[how]));
        next += some;
        n -= (size_t)some;
    }
    return KOSHU_OK;
}

static koshu_status
wait_for_all(struct koshu_communicator *c)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    MPI_Request request;
    int done = 0;
    KOSHU_TRY(koshu_mpi_check(
            c->context, MPI_Ibarrier(mpi_of(c)->comm, &request), "waiting"));
    for (;;) {
        KOSHU_TRY(koshu_mpi_check(c->context,
                                  MPI_Test(&request, &done, MPI_STATUS_IGNORE),
                                  "waiting"));
        if (done) return KOSHU_OK;
        nanosleep(&nap, NULL);
    }
}

/* ---- parts of different sizes -------------------------------------------- */

/* Counts and offsets of what goes to and comes from each rank, in items. */
struct parts {
    MPI_Datatype type;
    int *out, *out_at, *in, *in_at;
    int few[4 * KOSHU_FEW_RANKS];
};

static void
free_parts(struct parts *p)
{
    if (p->type != MPI_DATATYPE_NULL) MPI_Type_free(&p->type);
    if (p->out != p->few) free(p->out);
}

/* n[r] items; n is the same on all ranks, so that all fail or none. to_each:
 * each rank sends n[r] to rank r, and receives as many from each as from
 * itself. */
static koshu_status
make_parts(struct koshu_communicator *c, size_t item, const size_t n[],
           bool to_each, struct parts *p)
{
    const size_t ranks = (size_t)c->place.n_ranks,
                 limit = to_each ? INT_MAX / ranks : INT_MAX;
    size_t total = 0;
    p->type = MPI_DATATYPE_NULL;
    p->out = p->few;
    for (size_t r = 0; r < ranks; r++) total += n[r];
    if (total > limit)
        return koshu_fail(c->context, KOSHU_ERROR_UNSUPPORTED,
                          "%zu items at once on %d ranks are more than MPI "
                          "counts%s",
                          total, c->place.n_ranks,
                          to_each ? "; use fewer ranks" : "");
    if (ranks > KOSHU_FEW_RANKS) p->out = calloc(4 * ranks, sizeof *p->out);
    if (!p->out)
        return koshu_fail_memory(c->context, 4 * ranks * sizeof *p->out,
                                 "counts of messages");
    p->out_at = p->out + ranks;
    p->in = p->out + 2 * ranks;
    p->in_at = p->out + 3 * ranks;
    for (size_t r = 0, at = 0; r < ranks; at += n[r++]) {
        p->out[r] = (int)n[r];
        p->out_at[r] = (int)at;
        if (!to_each) continue;
        p->in[r] = (int)n[c->place.rank];
        p->in_at[r] = (int)(r * n[c->place.rank]);
    }
    int error = MPI_Type_contiguous((int)item, MPI_BYTE, &p->type);
    if (error == MPI_SUCCESS) error = MPI_Type_commit(&p->type);
    return koshu_mpi_check(c->context, error, "a type of items");
}

static koshu_status
move_parts(struct koshu_communicator *c, const void *mine, size_t item,
           const size_t n[], void *all, bool to_each)
{
    struct parts p;
    MPI_Comm comm = mpi_of(c)->comm;
    koshu_status status = make_parts(c, item, n, to_each, &p);
    if (status == KOSHU_OK && to_each)
        status =
                koshu_mpi_check(c->context,
                                MPI_Alltoallv(mine, p.out, p.out_at, p.type,
                                              all, p.in, p.in_at, p.type, comm),
                                "exchanging");
    else if (status == KOSHU_OK)
        status = koshu_mpi_check(c->context,
                                 MPI_Allgatherv(mine, p.out[c->place.rank],
                                                p.type, all, p.out, p.out_at,
                                                p.type, comm),
                                 "gathering");
    free_parts(&p);
    return status;
}

/* ---- sums ---------------------------------------------------------------- */

static koshu_status
sum_counts(struct koshu_communicator *c, uint64_t *counts, size_t n)
{
    for (size_t at = 0; at < n; at += MAX_COUNTS) {
        const size_t some = n - at < MAX_COUNTS ? n - at : MAX_COUNTS;
        KOSHU_TRY(koshu_mpi_check(c->context,
                                  MPI_Allreduce(MPI_IN_PLACE, counts + at,
                                                (int)some, MPI_UINT64_T,
                                                MPI_SUM, mpi_of(c)->comm),
                                  "adding counts"));
    }
    return KOSHU_OK;
}

/* ---- transfers ----------------------------------------------------------- */

/* The number of MPI messages needed. */
static size_t
blocks_of(const struct koshu_messages *all)
{
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        n += (all->message[k].n + MAX_BYTES - 1) / MAX_BYTES;
    return n;
}

koshu_status
koshu_mpi_reserve(struct mpi_communicator *m, size_t n)
{
    if (n <= m->capacity) return KOSHU_OK;
    MPI_Request *more = realloc(m->requests, n * sizeof *more);
    if (!more)
        return koshu_fail_memory(m->base.context, n * sizeof *more,
                                 "messages between ranks");
    m->requests = more;
    m->capacity = n;
    return KOSHU_OK;
}

static koshu_status
post(struct mpi_communicator *m, const struct koshu_message *message, bool out)
{
    char *next = message->bytes;
    for (size_t left = message->n; left > 0;) {
        const int n = left < MAX_BYTES ? (int)left : MAX_BYTES;
        MPI_Request *request = &m->requests[m->n_requests++];
        const int error = out ? MPI_Isend(next, n, MPI_BYTE, message->rank,
                                          TAG_TRANSFER, m->comm, request)
                              : MPI_Irecv(next, n, MPI_BYTE, message->rank,
                                          TAG_TRANSFER, m->comm, request);
        KOSHU_TRY(koshu_mpi_check(m->base.context, error,
                                  "exchanging particles"));
        next += n;
        left -= (size_t)n;
    }
    return KOSHU_OK;
}

static koshu_status
transfer_start(struct koshu_communicator *c, const struct koshu_transfer *t)
{
    struct mpi_communicator *m = mpi_of(c);
    /* behind those of a transfer that failed */
    KOSHU_TRY(koshu_mpi_reserve(m, m->n_requests + blocks_of(&t->in) +
                                           blocks_of(&t->out)));
    for (size_t k = 0; k < t->in.n; k++)
        KOSHU_TRY(post(m, &t->in.message[k], false));
    for (size_t k = 0; k < t->out.n; k++)
        KOSHU_TRY(post(m, &t->out.message[k], true));
    return KOSHU_OK;
}

static koshu_status
transfer_progress(struct koshu_communicator *c)
{
    struct mpi_communicator *m = mpi_of(c);
    int done;
    return koshu_mpi_check(c->context,
                           MPI_Testall((int)m->n_requests, m->requests, &done,
                                       MPI_STATUSES_IGNORE),
                           "exchanging particles");
}

static koshu_status
transfer_wait(struct koshu_communicator *c)
{
    struct mpi_communicator *m = mpi_of(c);
    const int n = (int)m->n_requests;
    m->n_requests = 0;
    return koshu_mpi_check(c->context,
                           MPI_Waitall(n, m->requests, MPI_STATUSES_IGNORE),
                           "exchanging particles");
}

const struct koshu_communicator_ops koshu_mpi_messages = {
        .all_gather = all_gather,
        .move_parts = move_parts,
        .sum_counts = sum_counts,
        .move = move,
        .wait = wait_for_all,
        .transfer_start = transfer_start,
        .transfer_progress = transfer_progress,
        .transfer_wait = transfer_wait};
