/* SPDX-License-Identifier: MIT */
/* Accelerations of a sample of particles, with reference values. */
#ifndef KOSHU_SOLVE_SAMPLE_H
#define KOSHU_SOLVE_SAMPLE_H

#include <koshu/solver.h>

/*
 * The accelerations of n particles, 1 <= n <= all, spread evenly over those of
 * all ranks, as x y z: exact[3 n] from sums in double precision, got[3 n] from
 * the last forces. The same on all ranks. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY; errors as of koshu_force_direct(), in a periodic
 * box as of koshu_ewald_sums().
 */
koshu_status koshu_sample_take(const struct koshu_solver *solver,
                               struct koshu_particles *particles, size_t n,
                               double *exact, double *got);

#endif
