/* SPDX-License-Identifier: MIT */
/*
 * Ranks: MPI processes that compute together.
 *
 *     koshu_context_create(&options, &context);
 *     koshu_ranks_initialise(context);             mpirun -n K: all K processes
 *     ... koshu as without ranks ...
 *     koshu_context_destroy(context);
 *     koshu_ranks_finalise();
 *
 * A store of n particles made from such a context is partitioned: each rank has
 * the slice given by koshu_ranks_slice(), in rank order; with fewer particles
 * than ranks the last ranks have none. Functions on stores, snapshots, solvers,
 * integrators and simulations are collective: all ranks must call them in the
 * same order, with the same arguments, and all get the same status and message.
 * Each rank reads its own particles, so all hosts must see the files; rank 0
 * writes, or several ranks where a snapshot has several files.
 *
 * Results are the same bits from run to run on the same number of ranks; on
 * another number they differ by rounding.
 *
 * MPI is not started before koshu_ranks_initialise().
 *
 * Threads: as koshu/context.h. Calls of MPI are made by the thread that calls
 * koshu (MPI_THREAD_FUNNELED), which must be the one that initialised MPI.
 */
#ifndef KOSHU_RANKS_H
#define KOSHU_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * MPI library of this process ("Open MPI v4.1.4"); NULL: koshu was built
 * without MPI.
 * Ownership: the text is koshu's, and stays.
 */
KOSHU_API const char *koshu_ranks_library(void);

/* Whether mpirun, mpiexec or srun has started this process as one of several,
 * by the environment variables that they set. Never with KOSHU_RANKS=off, for a
 * program that is started within a rank of another. */
KOSHU_API bool koshu_ranks_launched(void);

/*
 * Makes the context that of one rank among the processes of MPI_COMM_WORLD. All
 * of them call it, with one context each, before anything else is made from the
 * context. Starts MPI unless it is running. Collective.
 * Status: KOSHU_ERROR_UNSUPPORTED: koshu was built without MPI, or MPI has been
 *   finalised; KOSHU_ERROR_EXTERNAL: MPI failed; KOSHU_ERROR_OUT_OF_MEMORY;
 *   KOSHU_ERROR_INVALID_ARGUMENT: context is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ranks_initialise(struct koshu_context *context);

/*
 * The same for the processes of any communicator, given as its Fortran handle,
 * MPI_Comm_c2f(communicator). The caller has started MPI, and finalises it.
 * koshu uses a duplicate, which has its own messages and returns errors; the
 * caller may free the original. Collective.
 * Status: KOSHU_ERROR_UNSUPPORTED: koshu was built without MPI;
 *   KOSHU_ERROR_INVALID_ARGUMENT: context is NULL, MPI is not running, or the
 *   handle is not a communicator; KOSHU_ERROR_EXTERNAL: MPI failed;
 *   KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ranks_initialise_from(struct koshu_context *context, int communicator);

/* Finalises MPI if koshu_ranks_initialise() has started it; after the last
 * context is destroyed. No context can get ranks afterwards. */
KOSHU_API void koshu_ranks_finalise(void);

/* Number of this rank, and how many there are; 0 and 1 for a context without
 * ranks, 0 and 0 for NULL. */
KOSHU_API int koshu_ranks_rank(const struct koshu_context *context);
KOSHU_API int koshu_ranks_count(const struct koshu_context *context);

/*
 * How particles are sent from rank to rank ("host-staged, Open MPI v4.1.4");
 * "" for one rank.
 * Ownership: the text belongs to the context.
 */
KOSHU_API const char *
koshu_ranks_transport(const struct koshu_context *context);

/*
 * Returns the slice of this rank out of n particles in all: n_slice of them,
 * from index first. Slices differ by one particle at most; the longer ones come
 * first.
 * Shapes: first and n_slice are one number each.
 */
KOSHU_API void koshu_ranks_slice(const struct koshu_context *context, size_t n,
                                 size_t *first, size_t *n_slice);

/*
 * Arranges the domains of trees and FMMs in a grid: grid[0] slabs along x, each
 * of grid[1] columns along y, each of grid[2] boxes along z, with equal numbers
 * of interactions; rank (ix grid[1] + iy) grid[2] + iz has box iz of column iy
 * of slab ix. Neighbouring boxes of a column are then on neighbouring ranks. 0,
 * 0, 0: the default, recursive bisection of the longest sides. Applies to
 * solvers made afterwards. Must be the same on each rank.
 * Shapes: grid[3].
 * Source: Hamada10 section 3.2.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: context or grid is NULL, or the product
 *   is not the number of ranks.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ranks_arrange(struct koshu_context *context, const int grid[3]);

/*
 * The status of all ranks: KOSHU_OK if all ranks pass KOSHU_OK, else the status
 * and the message of the lowest rank that failed. For callers that do something
 * that can fail on one rank between calls of koshu. Collective.
 * Status: that of the lowest rank that failed; KOSHU_ERROR_EXTERNAL: MPI
 * failed; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: context is
 * NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_ranks_collective_status(
        struct koshu_context *context, koshu_status status);

#ifdef __cplusplus
}
#endif

#endif
