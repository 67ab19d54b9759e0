/* SPDX-License-Identifier: MIT */
/* Leapfrog runs, for tests of particles that stay on a device. */
#ifndef KOSHU_TESTS_GPU_RUN_H
#define KOSHU_TESTS_GPU_RUN_H

#include <koshu/koshu.h>

struct run {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *leapfrog;
};

/* A Plummer model of n particles at time 0; steps chosen by a rule are shorter
 * than the fixed ones. */
struct run run_begin(struct koshu_context *context, size_t n,
                     const struct koshu_solver_options *options,
                     enum koshu_step_rule rule);
void run_end(struct run *run);

/* Takes 20 steps in double precision, with one particle kicked on the host
 * half-way: x[2 i] and x[2 i + 1] become x and v_x of particle i. */
void run_steps(struct koshu_context *context, size_t n,
               enum koshu_step_rule rule, double *x);

#endif
