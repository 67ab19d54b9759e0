/* SPDX-License-Identifier: MIT */
/* Forces by Barnes' modified tree algorithm, by lists of the host, or all by
 * the backend. */
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
    struct koshu_tree tree; /* of the last forces by lists of the host */
    struct koshu_groups groups;
    double *a; /* that each group's particles had, in the tree's units */
    size_t capacity_a;
    struct koshu_tree_ranks *ranks;   /* NULL: there is one */
    struct koshu_tree_engine *engine; /* that does it all; or NULL */
    struct koshu_tree_sums *sums;     /* of lists of the host; or NULL */
    struct koshu_tree_box_sums *box;  /* NULL: free space */
    struct koshu_n_crit n_crit;
    bool guided; /* the last forces had all that their criterion goes by */
};

/* KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no sums over lists, or not in this
 * precision. */
koshu_status koshu_treecode_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   struct koshu_treecode **treecode);
void koshu_treecode_destroy(struct koshu_treecode *treecode);

/* Accelerations, and potentials where requested, of all particles, by lists of
 * the host; and the report of that. */
koshu_status koshu_treecode_forces(struct koshu_treecode *treecode,
                                   const struct koshu_force_task *task,
                                   const struct koshu_particle_view *particles,
                                   struct koshu_tree_report *report);

/* The same on a store, wherever its fields are; fields: as in
 * koshu_solver_forces(). */
koshu_status koshu_treecode_forces_store(struct koshu_treecode *treecode,
                                         const struct koshu_force_task *task,
                                         struct koshu_particles *particles,
                                         unsigned fields,
                                         struct koshu_tree_report *report);

/* ---- tree_forces.c: the same, step by step ------------------------------- */

struct koshu_tree_job;

/* Does the criterion go by accelerations? */
bool koshu_treecode_wants_accelerations(const struct koshu_treecode *treecode);

/* Which the relative criterion needs, of an earlier step. */
bool koshu_has_accelerations(const struct koshu_particle_view *particles);

/* Tree, groups and what they walk with, of particles with the accelerations
 * that they had; first: they had none, so that the criterion is the geometric
 * one. Begins the report. Errors as of koshu_tree_make(). */
koshu_status koshu_treecode_prepare(struct koshu_treecode *treecode,
                                    const struct koshu_force_task *task,
                                    bool first,
                                    const struct koshu_particle_view *particles,
                                    struct koshu_tree_report *report);

/* The sums over the tree's own particles. KOSHU_ERROR_UNSUPPORTED: floats do
 * not hold the softening. */
koshu_status koshu_treecode_job(const struct koshu_treecode *treecode,
                                const struct koshu_force_task *task,
                                const struct koshu_particle_view *particles,
                                struct koshu_tree_job *job);

/* When all sums are done, which took so many seconds: brings them to the
 * caller's units, and ends the report. */
void koshu_treecode_finish(struct koshu_treecode *treecode,
                           const struct koshu_force_task *task,
                           const struct koshu_particle_view *particles,
                           double lists, struct koshu_tree_report *report);

/* ---- tree_sums.c: lists by the threads of the host ----------------------- */

/* What is to be summed, and on which particles. */
struct koshu_tree_job {
    struct koshu_backend *backend;
    const struct koshu_tree *tree; /* of these groups: */
    const struct koshu_groups *groups;
    const double *a; /* what each group walks with */
    /* NULL: the tree is walked, and sums are written; else this one is, which
     * has none of the groups' particles, and sums are added. */
    const struct koshu_tree *others;
    struct koshu_walk_task task;
    const struct koshu_particle_view *particles; /* gets the sums */
    double *work;        /* of each particle, gets its interactions; or NULL */
    bool moves_messages; /* between ranks, while it sums */
};

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_sums_create(struct koshu_backend *backend,
                                    struct koshu_tree_sums **sums);
/* NULL is allowed. */
void koshu_tree_sums_destroy(struct koshu_tree_sums *sums);

/* Adds to the work: interactions, cells tested, what a device did, and as walk
 * and force the seconds of all threads together. KOSHU_ERROR_UNSUPPORTED: sums
 * are infinite or NaN, of numbers that are not. */
koshu_status koshu_tree_sums_do(struct koshu_tree_sums *sums,
                                const struct koshu_tree_job *job,
                                struct koshu_tree_report *work);

/* ---- tree_box.c: periodic boxes ------------------------------------------ */

/* by_engine: forces come from the backend's own tree.
 * KOSHU_ERROR_INVALID_ARGUMENT: the edge or the corner is none;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no expansions, or not for this;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_box_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   bool by_engine,
                                   struct koshu_tree_box_sums **box);
/* NULL is allowed. */
void koshu_tree_box_destroy(struct koshu_tree_box_sums *box);

/* The images that a tree's groups are to walk; with NULL none. */
struct koshu_tree_images
koshu_tree_box_images(const struct koshu_tree_box_sums *box);

/* The view gets positions in the box, in memory of the box's; with NULL it
 * keeps its own. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_box_wrap(struct koshu_tree_box_sums *box,
                                 struct koshu_particle_view *particles);

/* Adds to the sums of wrapped particles what all other images do, and the
 * background; with NULL nothing. Over several ranks by the particles of all;
 * mass: of these all |m|; collective. Errors as of koshu_fmm_sums(). */
koshu_status koshu_tree_box_add(struct koshu_tree_box_sums *box,
                                const struct koshu_force_task *task,
                                double mass,
                                const struct koshu_particle_view *particles);

/* The same on a store, whose positions are in the box, by the backend's own
 * tree; its time goes to the report. */
koshu_status koshu_tree_box_add_store(struct koshu_tree_box_sums *box,
                                      const struct koshu_force_task *task,
                                      struct koshu_particles *particles,
                                      unsigned fields,
                                      struct koshu_tree_report *report);

#endif
