/* SPDX-License-Identifier: MIT */
/*
 * One Hermite step of a block of particles, P(EC)^n, on the host, with the sums
 * of a backend's j-particle store: predictor, sums, corrector. Formulas:
 * kernels/hermite.h.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_STEP_H
#define KOSHU_INTEGRATE_BLOCK_STEP_H

#include "backend/backend.h"

/* The j-particle store, and arrays for the members of a block. Index k of the
 * store is particle k, its id is first + k. */
struct koshu_block_step {
    struct koshu_backend *backend;
    struct koshu_backend_j_store *j_store;
    bool owns_store;                             /* or it is the task's */
    struct koshu_block_interaction *interaction; /* in its place; or NULL */
    struct koshu_block_ranks *ranks;             /* NULL: there is one */
    size_t *members_of;  /* how many each rank has; the caller's to fill in */
    size_t first;        /* particles on the ranks before */
    koshu_status status; /* of this rank's part, among several */
    struct koshu_jerk_task task;
    unsigned iterations;
    /* The caller's to fill in: what else acts, NULL: nothing, in a frame that
     * turns with omega. */
    const struct koshu_external *external;
    double omega;
    struct koshu_subsystems *groups; /* NULL: none; see subsystems.h */

    size_t n;            /* members */
    uint64_t *members;   /* their numbers, ascending */
    double *dt;          /* their steps; may be 0: they stay where they are */
    bool *knows_nearest; /* the caller's to fill in, where the task has it */
    struct koshu_i_particle *end;     /* their state at the end */
    struct koshu_jerk_result *result; /* a1, jerk1, potential */
    struct koshu_j_particle *j;       /* what goes to the store */
};

/* Arrays for blocks of all n particles (of this rank; n may be 0).
 * KOSHU_ERROR_UNSUPPORTED: the backend has no j-particle store, or it cannot do
 * the task; KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE. */
koshu_status koshu_block_step_create(struct koshu_backend *backend,
                                     const struct koshu_block_task *task,
                                     size_t n, struct koshu_block_step *step);
void koshu_block_step_destroy(struct koshu_block_step *step);

/* The first n particles are the block. */
void koshu_block_step_take_all(struct koshu_block_step *step, size_t n);

/* The members' particles to the store; time[m] is that of member m there. */
koshu_status koshu_block_step_load(struct koshu_block_step *step,
                                   const struct koshu_block_particles *p,
                                   const double *time);

/*
 * The members' step in p that ends at `time` of the store: step->end and
 * step->result are the state at the end, p is as it was; where step->dt is 0,
 * the sums where the members stand. The store holds the old state, or that of
 * the last iteration but one. Collective: all ranks get to the end whatever
 * happens on one, and agree afterwards (koshu_ranks_collective_status).
 */
koshu_status koshu_block_step_make(struct koshu_block_step *step,
                                   const struct koshu_block_particles *p,
                                   double time);

/* Writes the end of the step into p (not tick and step).
 * KOSHU_ERROR_NOT_FINITE, without a message: a position or velocity is not
 * finite. */
koshu_status koshu_block_step_accept(const struct koshu_block_step *step,
                                     const struct koshu_block_particles *p);

/* Writes the sums on the members alone into p. */
void koshu_block_step_accept_sums(const struct koshu_block_step *step,
                                  const struct koshu_block_particles *p);

/* The square of what Aarseth's criterion allows member m after the step that
 * was made and not yet accepted. Infinite or NaN: anything. */
double koshu_block_step_criterion(const struct koshu_block_step *step,
                                  const struct koshu_block_particles *p,
                                  size_t m, double eta);

/* ---- block_ranks.c: sums over the particles of all ranks ----------------- */

koshu_status koshu_block_ranks_create(struct koshu_context *context,
                                      struct koshu_block_ranks **ranks);
/* NULL is allowed. */
void koshu_block_ranks_destroy(struct koshu_block_ranks *ranks);

/*
 * The sums on step->end at `time` of the store into step->result, over the n_j
 * particles of each rank. Collective; step->members_of says how many members
 * each rank has. A rank on which step->status is a failure takes part, with
 * zeros; where its own sums fail, that becomes step->status. What comes back is
 * a failure between ranks.
 */
koshu_status koshu_block_ranks_sum(struct koshu_block_ranks *ranks,
                                   struct koshu_block_step *step, size_t n_j,
                                   double time);

#endif
