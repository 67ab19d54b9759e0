/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r by the fast multipole method (Greengard & Rokhlin 1987;
 * Hamada09 section 4). */
#ifndef KOSHU_SOLVE_FMM_H
#define KOSHU_SOLVE_FMM_H

#include <koshu/laplace.h>

#include "backend/backend.h"
#include "fmm/fmm.h"

struct koshu_fmm;
struct koshu_tree;

struct koshu_fmm_options {
    enum koshu_precision precision;
    int order;       /* 1 to 20 */
    double theta;    /* in (0, 1), of all cells at first */
    uint64_t n_leaf; /* 0: chosen by the order */
    struct koshu_fmm_box box;
    bool softened; /* eps of tasks may be > 0; one right-hand side */
    bool beyond;   /* only images of the box that are not cells act */
};

/* KOSHU_ERROR_INVALID_ARGUMENT: an option is out of its range;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no such operators. */
koshu_status koshu_fmm_create(struct koshu_backend *backend,
                              const struct koshu_fmm_options *options,
                              struct koshu_fmm **fmm);
/* NULL is allowed. */
void koshu_fmm_destroy(struct koshu_fmm *fmm);

/* Sets theta for the following sums: at least that of the options, and below 1;
 * it follows the motion of the particles. */
void koshu_fmm_set_opening(struct koshu_fmm *fmm,
                           const struct koshu_opening *opening);
const struct koshu_opening *koshu_fmm_opening(const struct koshu_fmm *fmm);

/*
 * Accelerations and, where requested, potentials of the i-particles (NULL: of
 * the j-particles by each other) by the j-particles, with the signs of gravity.
 * KOSHU_ERROR_NOT_FINITE: a position or a charge is infinite or NaN;
 * KOSHU_ERROR_UNSUPPORTED: 2^32 particles or more; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_fmm_sums(struct koshu_fmm *fmm,
                            const struct koshu_force_task *task,
                            const struct koshu_force_sources *j,
                            const struct koshu_force_sources *i,
                            const struct koshu_force_sums *result);

/* The same for charges, with any number of right-hand sides: koshu/laplace.h.
 * Velocities need three of them, and a core whose reach is at most the edge of
 * the box, else KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_fmm_laplace(struct koshu_fmm *fmm,
                               const struct koshu_force_task *task,
                               const struct koshu_laplace_points *sources,
                               const struct koshu_laplace_points *targets,
                               const struct koshu_fmm_results *to);

/* Whether it supports velocities of vortices with cores. */
bool koshu_fmm_takes_cores(const struct koshu_fmm *fmm);

/* Of the last sums. */
struct koshu_laplace_report koshu_fmm_last(const struct koshu_fmm *fmm);
const struct koshu_tree *koshu_fmm_tree(const struct koshu_fmm *fmm);
const struct koshu_fmm_images *koshu_fmm_images(const struct koshu_fmm *fmm);

/* ---- fmm_store.c --------------------------------------------------------- */

/* koshu_fmm_sums() of a store's particles by each other, and the report;
 * fields: as in koshu_solver_forces(). */
koshu_status koshu_fmm_forces_store(struct koshu_fmm *fmm,
                                    const struct koshu_force_task *task,
                                    struct koshu_particles *particles,
                                    unsigned fields,
                                    struct koshu_tree_report *report);

/* ---- fmm_engine.c -------------------------------------------------------- */

/* Adds to the forces of a store in the box those by all images that are not in
 * koshu_fmm_images(), and by the background; for backends with an engine. Over
 * several ranks it is collective, by the particles of all, and a store may be
 * empty. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_engine_beyond(struct koshu_fmm *fmm,
                                     const struct koshu_force_task *task,
                                     struct koshu_particles *particles,
                                     unsigned fields);

/* ---- laplace.c ----------------------------------------------------------- */

/* Creates an FMM from the public options, whose precision has been checked;
 * softened: as above; pairs: the precision of direct sums.
 * KOSHU_ERROR_INVALID_ARGUMENT; as koshu_fmm_create(). */
koshu_status koshu_fmm_of_options(struct koshu_backend *backend,
                                  const struct koshu_laplace_options *options,
                                  bool softened, enum koshu_precision *pairs,
                                  struct koshu_fmm **fmm);

/* ---- fmm_choose.c -------------------------------------------------------- */

/* Sets the lowest order, and theta, that keep the relative L2 error of the
 * gradients within the tolerance, 1e-12 or more. */
void koshu_fmm_choose(struct koshu_fmm_options *options, double tolerance);

/* The approximate error at an order, 0 or more. */
double koshu_fmm_error(int order, double theta);

#endif
