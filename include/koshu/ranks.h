/* SPDX-License-Identifier: MIT */
/*
 * Ranks: processes of MPI that compute as one.
 *
 *     koshu_context_create(&options, &context);
 *     koshu_ranks_initialise(context);             mpirun -n K: of all K
 *     ... koshu as ever ...
 *     koshu_context_destroy(context);
 *     koshu_ranks_finalise();
 *
 * A context that has joined ranks is one of as many as there are ranks. A store
 * of n particles is then dealt out: each rank keeps the slice that
 * koshu_ranks_slice() says, in the order of the ranks; with fewer particles
 * than ranks the last ones have none. Functions on stores, snapshots, solvers,
 * integrators and simulations are collective: all ranks call them with the same
 * arguments, and all get the same status, with the same message. Files are
 * written and read by rank 0.
 *
 * Results are the same, bit for bit, from run to run on the same number of
 * ranks; on another number they differ by rounding.
 *
 * Nothing of MPI is started, and nothing else happens, before a context joins.
 * All calls of MPI are made by the thread that calls koshu
 * (MPI_THREAD_FUNNELED).
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

/* The MPI library that this process has, "Open MPI 4.1.4"; NULL: koshu was
 * built without MPI. */
KOSHU_API const char *koshu_ranks_library(void);

/* Was this process started by mpirun, mpiexec or srun? Told from the
 * environment; where the number of processes stands there, it is more than
 * one. Never with KOSHU_RANKS=off: for a program that a rank of something else
 * has started. */
KOSHU_API bool koshu_ranks_launched(void);

/*
 * All processes of MPI_COMM_WORLD join with one context each; starts MPI where
 * nobody has. Before anything is made from the context. Collective.
 * KOSHU_ERROR_UNSUPPORTED: koshu was built without MPI, or MPI has been
 * finalised; KOSHU_ERROR_EXTERNAL: MPI failed; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ranks_initialise(struct koshu_context *context);

/*
 * The processes of a communicator of the caller's, given as its Fortran handle,
 * MPI_Comm_c2f(communicator); MPI is the caller's to start and to finalise. A
 * duplicate is used: messages do not meet, and the caller may free his own.
 * Errors of MPI are returned, whatever handler the communicator has.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ranks_initialise_from(struct koshu_context *context, int communicator);

/* Finalises MPI where koshu_ranks_initialise() started it; after the last
 * context is destroyed. No context can join afterwards. */
KOSHU_API void koshu_ranks_finalise(void);

/* 0 and 1 for a context that has not joined. */
KOSHU_API int koshu_ranks_rank(const struct koshu_context *context);
KOSHU_API int koshu_ranks_count(const struct koshu_context *context);

/* How particles go from rank to rank, in words: "host-staged, Open MPI 4.1.4";
 * "" where there is one rank. */
KOSHU_API const char *
koshu_ranks_transport(const struct koshu_context *context);

/* The particles that a rank keeps of n in all: the n_slice from `first` on.
 * Slices differ by one particle at most, the longer ones come first. */
KOSHU_API void koshu_ranks_slice(const struct koshu_context *context, size_t n,
                                 size_t *first, size_t *n_slice);

/*
 * The status that all ranks go on with: KOSHU_OK if it is that everywhere, else
 * that of the lowest rank that failed; its message comes with it. For callers
 * that do fallible things of their own between calls of koshu. Collective.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_ranks_collective_status(
        struct koshu_context *context, koshu_status status);

#ifdef __cplusplus
}
#endif

#endif
