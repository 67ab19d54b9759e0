/* SPDX-License-Identifier: MIT */
/* Ranks by MPI: the library, and the communicator of a context. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/mpi_communicator.h"

/* Asks the library that is loaded, which may not be the one that koshu was
 * built with. Without this extension of Open MPI the answer is no. */
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
    text[strcspn(text, ",\n")] = '\0'; /* the rest describes the package */
    for (char *p = text; (p = strchr(p, '\t'));) *p = ' ';
    snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, text);
    return name;
}

static void
leave(void *communicator)
{
    struct mpi_communicator *m = communicator;
    if (!is_finalized()) MPI_Comm_free(&m->comm);
    free(m->requests);
    free(m);
}

/* The ranks on the same host. KOSHU_RANKS_PER_HOST, for tests of several hosts
 * on one, makes each so many ranks appear to be on a host of their own. */
static int
split_by_host(MPI_Comm comm, int rank, MPI_Comm *here)
{
    const char *text = getenv("KOSHU_RANKS_PER_HOST");
    const long n = text ? strtol(text, NULL, 10) : 0;
    if (n > 0) return MPI_Comm_split(comm, rank / (int)n, rank, here);
    return MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                               here);
}

/* The rank among all, and among those on its host. */
static koshu_status
find_place(struct koshu_communicator *c, MPI_Comm comm)
{
    MPI_Comm here;
    MPI_Comm_rank(comm, &c->place.rank);
    MPI_Comm_size(comm, &c->place.n_ranks);
    c->host_first = c->place.rank;
    KOSHU_TRY(koshu_mpi_check(c->context,
                              split_by_host(comm, c->place.rank, &here),
                              "finding the ranks of a host"));
    MPI_Comm_rank(here, &c->place.local_rank);
    MPI_Comm_size(here, &c->n_here);
    MPI_Bcast(&c->host_first, 1, MPI_INT, 0, here);
    MPI_Comm_free(&here);
    return KOSHU_OK;
}

static koshu_status
split(struct koshu_communicator *c, int group, struct koshu_context *context);

/* Reserves as many requests as a transfer with all other ranks needs, so that
 * no rank runs out of memory once others have begun. */
static koshu_status
reserve_usual(struct mpi_communicator *m)
{
    const size_t n = 4 * (size_t)m->base.place.n_ranks + 4;
    return koshu_mpi_reserve(m, n);
}

/* Gives the context the ranks of a communicator, which it then owns. */
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
    m->ops = koshu_mpi_messages;
    m->ops.split = split;
    m->base.ops = &m->ops;
    m->base.context = context;
    koshu_status status = find_place(&m->base, comm);
    if (status == KOSHU_OK) status = reserve_usual(m);
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
    KOSHU_TRY(koshu_mpi_check(context, MPI_Comm_dup(comm, &ours),
                              "duplicating a communicator"));
    return take_over(context, ours);
}

static koshu_status
split(struct koshu_communicator *c, int group, struct koshu_context *context)
{
    MPI_Comm ours;
    const int color = group < 0 ? MPI_UNDEFINED : group;
    KOSHU_TRY(
            koshu_mpi_check(c->context,
                            MPI_Comm_split(((struct mpi_communicator *)c)->comm,
                                           color, c->place.rank, &ours),
                            "splitting a communicator"));
    return group < 0 ? KOSHU_OK : take_over(context, ours);
}

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
        KOSHU_TRY(koshu_mpi_check(context, error, "starting MPI"));
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
        return koshu_fail(
                context, KOSHU_ERROR_INVALID_ARGUMENT,
                "%d is not a communicator: give MPI_Comm_c2f() of one",
                communicator);
    return initialise(context, comm);
}

void
koshu_ranks_finalise(void)
{
    if (!started_here || is_finalized()) return;
    MPI_Finalize();
}
