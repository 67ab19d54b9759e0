/* SPDX-License-Identifier: MIT */
/* Forces by Barnes' modified tree algorithm, with lists made by the host. */
#ifndef KOSHU_SOLVE_TREECODE_H
#define KOSHU_SOLVE_TREECODE_H

#include <koshu/solver.h>

#include "backend/backend.h"

struct koshu_treecode;

/* KOSHU_INVALID_ARGUMENT: an option out of its range; KOSHU_UNSUPPORTED: the
 * backend has no sums over lists, or not in this precision. */
koshu_status koshu_treecode_create(struct koshu_backend *backend,
                                   const struct koshu_solver_options *options,
                                   struct koshu_treecode **treecode);
void koshu_treecode_destroy(struct koshu_treecode *treecode);

/* Accelerations, and potentials where asked for, of all particles. */
koshu_status koshu_treecode_forces(struct koshu_treecode *treecode,
                                   const struct koshu_force_task *task,
                                   const struct koshu_particle_view *particles);

struct koshu_tree_report
koshu_treecode_report(const struct koshu_treecode *treecode);

#endif
