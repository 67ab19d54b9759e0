/* SPDX-License-Identifier: MIT */
/* How this process was started (alone or by mpirun or srun), and what a context
 * knows of its ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/communicator.h"

/* Has the job more than one process? */
static bool
counts_several(const char *text)
{
    return strtol(text, NULL, 10) > 1;
}

bool
koshu_ranks_launched(void)
{
    /* set by Open MPI; by MPICH, Intel MPI and srun with PMI-2; by PRRTE */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "PMIX_SIZE"};
    const char *wish = getenv("KOSHU_RANKS");
    if (wish && strcmp(wish, "off") == 0) return false;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const char *text = getenv(sizes[k]);
        if (text) return counts_several(text);
    }
    /* srun with PMIx sets the size of the step only in a variable of Slurm's */
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return getenv("PMIX_RANK") && (!tasks || counts_several(tasks));
}

int
koshu_ranks_rank(const struct koshu_context *context)
{
    if (!context) return 0;
    return koshu_context_rank(context);
}

int
koshu_ranks_count(const struct koshu_context *context)
{
    if (!context) return 0;
    return koshu_context_ranks(context);
}

void
koshu_transfer_is_by(struct koshu_context *context, const char *name)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    if (c) c->transport = name;
}

bool
koshu_ranks_on_one_host(const struct koshu_context *context)
{
    const struct koshu_communicator *c = koshu_communicator_of(context);
    return !c || c->n_here == c->place.n_ranks;
}

koshu_status
koshu_ranks_arrange(struct koshu_context *context, const int grid[3])
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, grid);
    struct koshu_communicator *c = koshu_communicator_of(context);
    const int ranks = koshu_context_ranks(context);
    const bool none = grid[0] == 0 && grid[1] == 0 && grid[2] == 0;
    if (!none && (grid[0] < 1 || grid[1] < 1 || grid[2] < 1 ||
                  (double)grid[0] * grid[1] * grid[2] != ranks))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a grid of %d x %d x %d domains is not for %d ranks",
                          grid[0], grid[1], grid[2], ranks);
    for (int k = 0; c && k < 3; k++) c->grid[k] = grid[k];
    return KOSHU_OK;
}

void
koshu_ranks_grid(const struct koshu_context *context, int grid[3])
{
    const struct koshu_communicator *c = koshu_communicator_of(context);
    for (int k = 0; k < 3; k++) grid[k] = c ? c->grid[k] : 0;
}

const char *
koshu_ranks_transport(const struct koshu_context *context)
{
    if (!context) return "";
    struct koshu_communicator *c = koshu_communicator_of(context);
    if (!c) return "";
    snprintf(c->transport_text, sizeof c->transport_text, "%s, %s",
             c->transport, koshu_ranks_library());
    return c->transport_text;
}

void
koshu_ranks_slice(const struct koshu_context *context, size_t n, size_t *first,
                  size_t *n_slice)
{
    if (!context) return;
    struct koshu_slice slice = koshu_slice_of(n, koshu_context_rank(context),
                                              koshu_context_ranks(context));
    *first = slice.first;
    *n_slice = slice.n;
}
