/* SPDX-License-Identifier: MIT */
/*
 * One Hermite step of a block of particles, P(EC)^n, on the host: predictor,
 * sums by a backend's j-particle store, corrector. Formulas: kernels/hermite.h.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_STEP_H
#define KOSHU_INTEGRATE_BLOCK_STEP_H

#include "backend/backend.h"

/* The j-particle store, and arrays for the members of a block. Index k of the
 * store is particle k, whose id is first + k. */
struct koshu_block_step {
    struct koshu_backend *backend;
    struct koshu_backend_j_store *j_store;
    bool owns_store; /* false: the task does */
    /* used instead of the store; NULL: none */
    struct koshu_block_interaction *interaction;
    struct koshu_block_ranks *ranks; /* NULL: there is one rank */
    size_t *members_of; /* number of members of each rank; set by the caller */
    size_t first;       /* number of particles on lower ranks */
    /* of this rank's part, where there are several ranks */
    koshu_status status;
    struct koshu_jerk_task task;
    unsigned iterations;
    /* Set by the caller: external fields (NULL: none), in a frame that rotates
     * with omega. */
    const struct koshu_external *external;
    double omega;
    struct koshu_subsystems *groups; /* NULL: none; see subsystems.h */

    size_t n;            /* members */
    uint64_t *members;   /* their indices, ascending */
    double *dt;          /* their steps; with 0 they stay where they are */
    bool *knows_nearest; /* set by the caller, if the task has it */
    struct koshu_i_particle *end;     /* their state at the end */
    struct koshu_jerk_result *result; /* a1, jerk1, potential */
    struct koshu_j_particle *j;       /* sent to the store */
};

/* Arrays for blocks of all n particles (of this rank; n may be 0).
 * KOSHU_ERROR_UNSUPPORTED: the backend has no j-particle store, or it cannot do
 * the task; KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE. */
koshu_status koshu_block_step_create(struct koshu_backend *backend,
                                     const struct koshu_block_task *task,
                                     size_t n, struct koshu_block_step *step);
void koshu_block_step_destroy(struct koshu_block_step *step);

/* Makes the first n particles the block. */
void koshu_block_step_take_all(struct koshu_block_step *step, size_t n);

/* Loads the members' particles into the store; time[m] is the time of member m
 * there. */
koshu_status koshu_block_step_load(struct koshu_block_step *step,
                                   const struct koshu_block_particles *p,
                                   const double *time);

/*
 * Makes the members' step in p that ends at `time` of the store. step->end and
 * step->result become the state at the end; p does not change. Where step->dt
 * is 0, computes the sums at the members' present positions. The store holds
 * the old state, or that of the iteration before the last. Collective: every
 * rank completes the call even if one fails; the ranks then exchange their
 * status (koshu_ranks_collective_status).
 */
koshu_status koshu_block_step_make(struct koshu_block_step *step,
                                   const struct koshu_block_particles *p,
                                   double time);

/* Writes the end of the step into p, except tick and step.
 * KOSHU_ERROR_NOT_FINITE, without a message: a position or velocity is not
 * finite. */
koshu_status koshu_block_step_accept(const struct koshu_block_step *step,
                                     const struct koshu_block_particles *p);

/* Writes only the sums on the members into p. */
void koshu_block_step_accept_sums(const struct koshu_block_step *step,
                                  const struct koshu_block_particles *p);

/* The square of the step that Aarseth's criterion allows member m after the
 * step just made, before it is accepted. Infinite or NaN: no limit. */
double koshu_block_step_criterion(const struct koshu_block_step *step,
                                  const struct koshu_block_particles *p,
                                  size_t m, double eta);

/* ---- block_copy.c: copies of particles ----------------------------------- */

/* Copies all arrays but the masses. */
void koshu_block_copy(const struct koshu_block_particles *from,
                      const struct koshu_block_particles *to);

/* A copy of the particles with arrays of its own. They are one piece of memory,
 * which begins with *mass and is freed with koshu_free(*mass).
 * KOSHU_ERROR_OUT_OF_MEMORY: *mass is NULL. */
KOSHU_MUST_CHECK koshu_status
koshu_block_copy_create(struct koshu_context *context,
                        const struct koshu_block_particles *particles,
                        struct koshu_block_particles *copy, double **mass);

/* ---- block_ranks.c: sums over the particles of all ranks ----------------- */

koshu_status koshu_block_ranks_create(struct koshu_context *context,
                                      struct koshu_block_ranks **ranks);
/* NULL is allowed. */
void koshu_block_ranks_destroy(struct koshu_block_ranks *ranks);

/*
 * Sums on step->end at `time` of the store, over the n_j particles of each
 * rank, into step->result. Collective; step->members_of gives the number of
 * members of each rank. A rank whose step->status is a failure takes part with
 * zeros. If its own sums fail, step->status is set. Returns only failures of
 * communication between ranks.
 */
koshu_status koshu_block_ranks_sum(struct koshu_block_ranks *ranks,
                                   struct koshu_block_step *step, size_t n_j,
                                   double time);

#endif
