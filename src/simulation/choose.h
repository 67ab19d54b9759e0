/* SPDX-License-Identifier: MIT */
/* Chooses a run's solver by accuracy, and checks that it is a run of
 * particles. */
#ifndef KOSHU_SIMULATION_CHOOSE_H
#define KOSHU_SIMULATION_CHOOSE_H

#include <koshu/parameters.h>
#include <koshu/particles.h>

/* With solver.accuracy: sets the keys of the method and parameters that it
 * requires for n particles; offset as in koshu_solver_choice.
 * KOSHU_ERROR_BAD_INPUT: no method meets it. */
koshu_status koshu_choose_solver(struct koshu_context *context,
                                 struct koshu_parameters *parameters,
                                 uint64_t n, double offset);

/* The same for n particles of which a sample is given; *offset is the sample's.
 * Collective. */
koshu_status
koshu_choose_solver_for(struct koshu_context *context,
                        struct koshu_parameters *parameters, uint64_t n,
                        struct koshu_particles *particles, double *offset);

/* As koshu_parameters_check(); KOSHU_ERROR_BAD_INPUT: the parameters are those
 * of a flow. */
koshu_status koshu_check_particles(struct koshu_context *context,
                                   const struct koshu_parameters *parameters);

#endif
