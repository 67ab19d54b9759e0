/* SPDX-License-Identifier: MIT */
/* Forces by Barnes' modified tree algorithm, from lists made on the host or
 * entirely by the backend. */
#ifndef KOSHU_SOLVE_TREECODE_H
#define KOSHU_SOLVE_TREECODE_H

#include <koshu/solver.h>

#include "backend/backend.h"
#include "solve/n_crit.h"
#include "tree/tree.h"

struct koshu_tree_box_sums;
struct koshu_tree_ranks;

struct koshu_treecode {
    struct koshu_backend *backend;
    struct koshu_solver_options options;
    struct koshu_tree tree; /* of the last forces from lists of the host */
    struct koshu_groups groups;
    double *a; /* of each group's particles before, in the tree's units */
    size_t capacity_a;
    struct koshu_tree_ranks *ranks;   /* NULL: one rank */
    struct koshu_tree_engine *engine; /* does everything; or NULL */
    struct koshu_tree_sums *sums;     /* for lists of the host; or NULL */
    struct koshu_tree_box_sums *box;  /* NULL: open space */
    struct koshu_n_crit n_crit;
};

/* KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no sums over lists, or not in this
 * precision. */
koshu_status koshu_treecode_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   struct koshu_treecode **treecode);
void koshu_treecode_destroy(struct koshu_treecode *treecode);

/* Accelerations, and potentials where requested, of all particles, from lists
 * of the host; and the report. */
koshu_status koshu_treecode_forces(struct koshu_treecode *treecode,
                                   const struct koshu_force_task *task,
                                   const struct koshu_particle_view *particles,
                                   struct koshu_tree_report *report);

/* The same on a store, on host or device; fields: as in
 * koshu_solver_forces(). */
koshu_status koshu_treecode_forces_store(struct koshu_treecode *treecode,
                                         const struct koshu_force_task *task,
                                         struct koshu_particles *particles,
                                         unsigned fields,
                                         struct koshu_tree_report *report);

/* ---- tree_forces.c: the same, step by step ------------------------------- */

struct koshu_tree_job;

/* The options with the present n_crit and, for the relative criterion, the
 * opening angle that finds accelerations where there are none. */
struct koshu_tree_options
koshu_treecode_options(const struct koshu_treecode *treecode);

/* Whether the criterion uses accelerations; whether particles have some, of an
 * earlier step; and whether these are missing. */
bool koshu_treecode_wants_accelerations(const struct koshu_treecode *treecode);
bool koshu_has_accelerations(const struct koshu_particle_view *particles);
bool
koshu_treecode_lacks_accelerations(const struct koshu_treecode *treecode,
                                   const struct koshu_particle_view *particles);

/* Builds tree and groups, and finds the accelerations with which groups walk;
 * lacks: there are none, so the geometric criterion is used. Starts the report.
 * Errors as of koshu_tree_make(). */
koshu_status koshu_treecode_prepare(struct koshu_treecode *treecode,
                                    const struct koshu_force_task *task,
                                    bool lacks,
                                    const struct koshu_particle_view *particles,
                                    struct koshu_tree_report *report);

/* Sets up the sums over the tree's own particles. KOSHU_ERROR_UNSUPPORTED: the
 * softening is outside the range of floats. */
koshu_status koshu_treecode_job(const struct koshu_treecode *treecode,
                                const struct koshu_force_task *task,
                                const struct koshu_particle_view *particles,
                                struct koshu_tree_job *job);

/* Finishes after all sums, which took `lists` seconds: converts them to the
 * caller's units, and completes the report. */
void koshu_treecode_finish(struct koshu_treecode *treecode,
                           const struct koshu_force_task *task,
                           const struct koshu_particle_view *particles,
                           double lists, struct koshu_tree_report *report);

/* ---- tree_sums.c: lists by the threads of the host ----------------------- */

/* What to sum, and on which particles. */
struct koshu_tree_job {
    struct koshu_backend *backend;
    const struct koshu_tree *tree; /* whose groups are: */
    const struct koshu_groups *groups;
    const double *a; /* accelerations with which the groups walk */
    /* NULL: walks `tree` and writes sums. Otherwise walks this tree, which has
     * none of the groups' particles, and adds sums. */
    const struct koshu_tree *others;
    struct koshu_walk_task task;
    const struct koshu_particle_view *particles; /* receives the sums */
    double *work;        /* receives each particle's interactions; or NULL */
    bool moves_messages; /* lets MPI make progress meanwhile */
};

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_sums_create(struct koshu_backend *backend,
                                    struct koshu_tree_sums **sums);
/* NULL is allowed. */
void koshu_tree_sums_destroy(struct koshu_tree_sums *sums);

/* Adds to the work: interactions, cells tested, what a device did, and the
 * seconds of all threads together in walk and force. KOSHU_ERROR_UNSUPPORTED:
 * sums of finite numbers are infinite or NaN. */
koshu_status koshu_tree_sums_do(struct koshu_tree_sums *sums,
                                const struct koshu_tree_job *job,
                                struct koshu_tree_report *work);

/* ---- tree_box.c: periodic boxes ------------------------------------------ */

/* by_engine: forces come from the backend's own tree.
 * KOSHU_ERROR_INVALID_ARGUMENT: the edge or the corner is not valid;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no expansions, or not for this case;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_box_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   bool by_engine,
                                   struct koshu_tree_box_sums **box);
/* NULL is allowed. */
void koshu_tree_box_destroy(struct koshu_tree_box_sums *box);

/* The images that a tree's groups walk; none for NULL. */
struct koshu_tree_images
koshu_tree_box_images(const struct koshu_tree_box_sums *box);

/* Replaces positions in the view by wrapped ones, in memory of `box`; with NULL
 * does nothing. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_box_wrap(struct koshu_tree_box_sums *box,
                                 struct koshu_particle_view *particles);

/* Adds to the sums of wrapped particles those by all other images and by the
 * background; with NULL nothing. Over several ranks it is collective, by the
 * particles of all; mass: all |m| of these. Errors as of koshu_fmm_sums(). */
koshu_status koshu_tree_box_add(struct koshu_tree_box_sums *box,
                                const struct koshu_force_task *task,
                                double mass,
                                const struct koshu_particle_view *particles);

/* The same on a store whose positions are wrapped, for the backend's own tree;
 * adds its time to the report. */
koshu_status koshu_tree_box_add_store(struct koshu_tree_box_sums *box,
                                      const struct koshu_force_task *task,
                                      struct koshu_particles *particles,
                                      unsigned fields,
                                      struct koshu_tree_report *report);

#endif
