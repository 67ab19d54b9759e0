/* SPDX-License-Identifier: MIT */
/* Ranks by MPI; transfers go through the host's memory. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

#include "devices/communicator.h"

enum { TAG_MESSAGE = 0, TAG_TRANSFER = 1, MAX_BYTES = 1 << 30 };

struct mpi_communicator {
    struct koshu_communicator base;
    MPI_Comm comm; /* ours */
    MPI_Request requests[2 * KOSHU_TRANSFER_COLUMNS];
    int n_requests; /* under way */
};

static const struct koshu_communicator_ops mpi_ops;

static struct mpi_communicator *
mpi_of(struct koshu_communicator *c)
{
    return (struct mpi_communicator *)c;
}

/* ---- failures ------------------------------------------------------------ */

static koshu_status
check(struct koshu_context *context, int error, const char *what)
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
    return check(c->context,
                 MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes,
                               MPI_BYTE, mpi_of(c)->comm),
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
        KOSHU_TRY(check(c->context,
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
    KOSHU_TRY(check(c->context, MPI_Ibarrier(mpi_of(c)->comm, &request),
                    "waiting"));
    for (;;) {
        KOSHU_TRY(check(c->context,
                        MPI_Test(&request, &done, MPI_STATUS_IGNORE),
                        "waiting"));
        if (done) return KOSHU_OK;
        nanosleep(&nap, NULL);
    }
}

/* ---- parts of different sizes -------------------------------------------- */

/* Counts and places of what goes to and comes from each rank, in items. */
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

/* n[r] items: the same on all ranks, so that all fail or none. */
static koshu_status
make_parts(struct koshu_communicator *c, size_t item, const size_t n[],
           struct parts *p)
{
    size_t total = 0, ranks = (size_t)c->place.n_ranks;
    p->type = MPI_DATATYPE_NULL;
    p->out = p->few;
    for (size_t r = 0; r < ranks; r++) total += n[r];
    if (total > INT_MAX / ranks)
        return koshu_fail(c->context, KOSHU_ERROR_UNSUPPORTED,
                          "%zu items at once on %d ranks are more than MPI "
                          "counts; use fewer ranks",
                          total, c->place.n_ranks);
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
        p->in[r] = (int)n[c->place.rank];
        p->in_at[r] = (int)(r * n[c->place.rank]);
    }
    int error = MPI_Type_contiguous((int)item, MPI_BYTE, &p->type);
    if (error == MPI_SUCCESS) error = MPI_Type_commit(&p->type);
    return check(c->context, error, "a type of items");
}

static koshu_status
move_parts(struct koshu_communicator *c, const void *mine, size_t item,
           const size_t n[], void *all, bool to_each)
{
    struct parts p;
    MPI_Comm comm = mpi_of(c)->comm;
    koshu_status status = make_parts(c, item, n, &p);
    if (status == KOSHU_OK && to_each)
        status = check(c->context,
                       MPI_Alltoallv(mine, p.out, p.out_at, p.type, all, p.in,
                                     p.in_at, p.type, comm),
                       "exchanging");
    else if (status == KOSHU_OK)
        status = check(c->context,
                       MPI_Allgatherv(mine, p.out[c->place.rank], p.type, all,
                                      p.out, p.out_at, p.type, comm),
                       "gathering");
    free_parts(&p);
    return status;
}

/* ---- transfers ----------------------------------------------------------- */

static koshu_status
transfer_start(struct koshu_communicator *c, const struct koshu_transfer *t)
{
    struct mpi_communicator *m = mpi_of(c);
    for (int k = 0; k < t->n_columns && t->n_receive > 0; k++)
        KOSHU_TRY(check(c->context,
                        MPI_Irecv(t->receive[k], (int)t->n_receive, MPI_DOUBLE,
                                  t->from, TAG_TRANSFER + k, m->comm,
                                  &m->requests[m->n_requests++]),
                        "receiving particles"));
    for (int k = 0; k < t->n_columns && t->n_send > 0; k++)
        KOSHU_TRY(check(c->context,
                        MPI_Isend(t->send[k], (int)t->n_send, MPI_DOUBLE, t->to,
                                  TAG_TRANSFER + k, m->comm,
                                  &m->requests[m->n_requests++]),
                        "sending particles"));
    return KOSHU_OK;
}

static koshu_status
transfer_progress(struct koshu_communicator *c)
{
    struct mpi_communicator *m = mpi_of(c);
    int done;
    return check(
            c->context,
            MPI_Testall(m->n_requests, m->requests, &done, MPI_STATUSES_IGNORE),
            "exchanging particles");
}

static koshu_status
transfer_wait(struct koshu_communicator *c)
{
    struct mpi_communicator *m = mpi_of(c);
    int n = m->n_requests;
    m->n_requests = 0;
    return check(c->context, MPI_Waitall(n, m->requests, MPI_STATUSES_IGNORE),
                 "exchanging particles");
}

/* Asked of the library that is here now, which may be another than koshu was
 * built with. Those without this extension of Open MPI do not say. */
bool
koshu_transfer_reads_devices(void)
{
    int (*query)(void);
    const struct koshu_function wanted = {"MPIX_Query_cuda_support", &query};
    return !koshu_find_functions(RTLD_DEFAULT, 1, &wanted) && query() == 1;
}

/* ---- the library --------------------------------------------------------- */

static bool started_here;

static bool
is_initialized(void)
{
    int yes = 0;
    return MPI_Initialized(&yes) == MPI_SUCCESS && yes;
}

static bool
is_finalized(void)
{
    int yes = 0;
    return MPI_Finalized(&yes) == MPI_SUCCESS && yes;
}

const char *
koshu_ranks_library(void)
{
    static char name[64];
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "MPI";
    int length;
    if (name[0]) return name;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0'; /* what follows is about the package */
    for (char *p = text; (p = strchr(p, '\t'));) *p = ' ';
    snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, text);
    return name;
}

static void
leave(void *communicator)
{
    struct mpi_communicator *m = communicator;
    if (!is_finalized()) MPI_Comm_free(&m->comm);
    free(m);
}

/* Among all, and among those that share memory with this one. */
static koshu_status
find_place(struct koshu_communicator *c, MPI_Comm comm)
{
    MPI_Comm here;
    MPI_Comm_rank(comm, &c->place.rank);
    MPI_Comm_size(comm, &c->place.n_ranks);
    KOSHU_TRY(check(c->context,
                    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0,
                                        MPI_INFO_NULL, &here),
                    "finding the ranks of a host"));
    MPI_Comm_rank(here, &c->place.local_rank);
    MPI_Comm_size(here, &c->n_here);
    MPI_Comm_free(&here);
    return KOSHU_OK;
}

/* The context gets the ranks of a communicator, which becomes its own. */
static koshu_status
take_over(struct koshu_context *context, MPI_Comm comm)
{
    struct mpi_communicator *m = calloc(1, sizeof *m);
    if (!m) {
        MPI_Comm_free(&comm);
        return koshu_fail_memory(context, sizeof *m, "communicator");
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    m->comm = comm;
    m->base.ops = &mpi_ops;
    m->base.context = context;
    koshu_status status = find_place(&m->base, comm);
    if (status != KOSHU_OK) {
        leave(m);
        return status;
    }
    koshu_context_set_ranks(context, m->base.place, m, leave);
    m->base.transport = KOSHU_HOST_STAGED;
    return KOSHU_OK;
}

static koshu_status
initialise(struct koshu_context *context, MPI_Comm comm)
{
    MPI_Comm ours;
    KOSHU_TRY(check(context, MPI_Comm_dup(comm, &ours),
                    "duplicating a communicator"));
    return take_over(context, ours);
}

static koshu_status
split_first(struct koshu_communicator *c, int n, struct koshu_context *context)
{
    MPI_Comm first;
    int color = c->place.rank < n ? 0 : MPI_UNDEFINED;
    KOSHU_TRY(
            check(c->context,
                  MPI_Comm_split(mpi_of(c)->comm, color, c->place.rank, &first),
                  "splitting a communicator"));
    return color == 0 ? take_over(context, first) : KOSHU_OK;
}

static const struct koshu_communicator_ops mpi_ops = {
        .all_gather = all_gather,
        .move_parts = move_parts,
        .move = move,
        .split_first = split_first,
        .wait = wait_for_all,
        .transfer_start = transfer_start,
        .transfer_progress = transfer_progress,
        .transfer_wait = transfer_wait};

koshu_status
koshu_ranks_initialise(struct koshu_context *context)
{
    KOSHU_REQUIRE(context, context);
    int level;
    if (is_finalized())
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "MPI has been finalised: it does not start twice in "
                          "a process");
    if (!is_initialized()) {
        int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        KOSHU_TRY(check(context, error, "starting MPI"));
        started_here = true;
    }
    return initialise(context, MPI_COMM_WORLD);
}

koshu_status
koshu_ranks_initialise_from(struct koshu_context *context, int communicator)
{
    KOSHU_REQUIRE(context, context);
    if (!is_initialized() || is_finalized())
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "MPI is not running: start it before (MPI_Init), or "
                          "use koshu_ranks_initialise()");
    MPI_Comm comm = MPI_Comm_f2c(communicator);
    if (comm == MPI_COMM_NULL)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%d is no communicator: give MPI_Comm_c2f() of one",
                          communicator);
    return initialise(context, comm);
}

void
koshu_ranks_finalise(void)
{
    if (!started_here || is_finalized()) return;
    MPI_Finalize();
}
