/* SPDX-License-Identifier: MIT */
/* The solver method that sums a user-defined interaction. */
#ifndef KOSHU_SOLVE_SOLVER_INTERACTION_H
#define KOSHU_SOLVE_SOLVER_INTERACTION_H

#include "solve/solve.h"

/* KOSHU_ERROR_INVALID_ARGUMENT: no interaction is given; and as
 * koshu_interaction_sums_create(). */
koshu_status koshu_solver_create_sums(struct koshu_solver *solver);

/* The `forces` of struct koshu_solver_method. */
koshu_status koshu_solver_do_sums(struct koshu_solver *solver,
                                  const struct koshu_force_task *task,
                                  struct koshu_particles *particles,
                                  unsigned fields);

#endif
