/* SPDX-License-Identifier: MIT */
/* The method of a solver whose pairs are an interaction of the user's own. */
#ifndef KOSHU_SOLVE_SOLVER_INTERACTION_H
#define KOSHU_SOLVE_SOLVER_INTERACTION_H

#include "solve/solve.h"

/* KOSHU_ERROR_INVALID_ARGUMENT: there is no interaction; and as
 * koshu_interaction_sums_create(). */
koshu_status koshu_solver_create_sums(struct koshu_solver *solver);

/* struct koshu_solver_method's forces. */
koshu_status koshu_solver_do_sums(struct koshu_solver *solver,
                                  const struct koshu_force_task *task,
                                  struct koshu_particles *particles,
                                  unsigned fields);

#endif
