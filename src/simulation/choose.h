/* SPDX-License-Identifier: MIT */
/* What a run's particles and accuracy take; what is no run of particles. */
#ifndef KOSHU_SIMULATION_CHOOSE_H
#define KOSHU_SIMULATION_CHOOSE_H

#include <koshu/parameters.h>
#include <koshu/particles.h>

/* With solver.accuracy: sets the keys of the method and parameters that it
 * takes for n particles, with an offset as koshu_solver_choice has it.
 * KOSHU_ERROR_BAD_INPUT: none keeps it. */
koshu_status koshu_choose_solver(struct koshu_context *context,
                                 struct koshu_parameters *parameters,
                                 uint64_t n, double offset);

/* The same for n of which these are a sample; *offset is theirs. Collective. */
koshu_status
koshu_choose_solver_for(struct koshu_context *context,
                        struct koshu_parameters *parameters, uint64_t n,
                        struct koshu_particles *particles, double *offset);

/* As koshu_parameters_check(); KOSHU_ERROR_BAD_INPUT: they are a flow's, too.
 */
koshu_status koshu_check_particles(struct koshu_context *context,
                                   const struct koshu_parameters *parameters);

#endif
