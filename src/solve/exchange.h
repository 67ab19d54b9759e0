/* SPDX-License-Identifier: MIT */
/* Direct sums over the particles of all ranks; for solver.c. */
#ifndef KOSHU_SOLVE_EXCHANGE_H
#define KOSHU_SOLVE_EXCHANGE_H

#include "backend/backend.h"
#include "solve/solve.h"

/* Arrays of j-particles, kept from call to call. */
struct koshu_rank_exchange;

/* capacity: j-particles of an array at most, 0: 2^24; no less than the
 * particles of a rank are kept. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_rank_exchange_create(struct koshu_backend *backend,
                                        size_t capacity,
                                        struct koshu_rank_exchange **exchange);
/* NULL is allowed. */
void koshu_rank_exchange_destroy(struct koshu_rank_exchange *exchange);

/*
 * koshu_solver_forces() in a context of several ranks. Collective. The same
 * bits for the same number of ranks, and the same capacity.
 */
koshu_status koshu_rank_exchange_forces(struct koshu_rank_exchange *exchange,
                                        const struct koshu_force_task *task,
                                        struct koshu_particles *particles,
                                        unsigned fields);

/* Seconds of exposed communication: spent waiting for particles of other ranks.
 */
double koshu_rank_exchange_exposed(const struct koshu_rank_exchange *exchange);

#endif
