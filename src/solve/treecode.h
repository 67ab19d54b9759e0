/* SPDX-License-Identifier: MIT */
/* Forces by Barnes' modified tree algorithm, by lists of the host, or all by
 * the backend. */
#ifndef KOSHU_SOLVE_TREECODE_H
#define KOSHU_SOLVE_TREECODE_H

#include <koshu/solver.h>

#include "backend/backend.h"

struct koshu_treecode;

/* KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range;
 * KOSHU_ERROR_UNSUPPORTED: the backend has no sums over lists, or not in this
 * precision. */
koshu_status koshu_treecode_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   struct koshu_treecode **treecode);
void koshu_treecode_destroy(struct koshu_treecode *treecode);

/* Accelerations, and potentials where requested, of all particles, by lists of
 * the host. */
koshu_status koshu_treecode_forces(struct koshu_treecode *treecode,
                                   const struct koshu_force_task *task,
                                   const struct koshu_particle_view *particles);

/* The same on a store, wherever its fields are; fields: as in
 * koshu_solver_forces(). */
koshu_status koshu_treecode_forces_store(struct koshu_treecode *treecode,
                                         const struct koshu_force_task *task,
                                         struct koshu_particles *particles,
                                         unsigned fields);

/* Which of n particles is k-th in the tree of the last forces; NULL: that was
 * none of so many. */
const uint32_t *
koshu_treecode_order(const struct koshu_treecode *treecode, size_t n);

struct koshu_context *
koshu_treecode_context(const struct koshu_treecode *treecode);
const struct koshu_solver_options *
koshu_treecode_options(const struct koshu_treecode *treecode);

/* Do the particles stay on a device that makes the tree? */
bool koshu_treecode_on_device(const struct koshu_treecode *treecode);

/* Does that device sample them, as in struct koshu_tree_ops? Then: */
bool koshu_treecode_samples(const struct koshu_treecode *treecode);
koshu_status koshu_treecode_sample(struct koshu_treecode *treecode, double eps,
                                   struct koshu_particles *particles,
                                   size_t sample, double *accelerations);

/* Of the last forces, and of all. */
struct koshu_tree_report
koshu_treecode_report(const struct koshu_treecode *treecode);
struct koshu_tree_report
koshu_treecode_total(const struct koshu_treecode *treecode);

/* ---- tree_errors.c ------------------------------------------------------- */

/* See koshu_solver_tree_errors(), all but the Barnes-Hut list length; then that
 * alone. 1 <= sample <= n. */
koshu_status koshu_tree_errors_take(struct koshu_treecode *treecode,
                                    struct koshu_particles *particles,
                                    size_t sample,
                                    struct koshu_tree_errors *errors);
koshu_status koshu_tree_barnes_hut_length(struct koshu_treecode *treecode,
                                          struct koshu_particles *particles,
                                          size_t sample, double *length);

#endif
