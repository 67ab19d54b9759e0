/* SPDX-License-Identifier: MIT */
/* Particles in comoving coordinates, with H0 = 1 and G = 1, for physics tests
 * of a universe. */
#ifndef KOSHU_TESTS_UNIVERSE_H
#define KOSHU_TESTS_UNIVERSE_H

#include "integrate/integrate.h"
#include "system.h"

/* A lattice of n^3 particles at rest, of the mean density, in the periodic box
 * [0, 1); forces as a run has them by default, the FMM of order 8, theta = 0.5,
 * in single precision. */
struct system universe_box(size_t n, double omega_m, double eps);

/* Those of such a lattice about 0 that are within a radius of 1/2, alone in
 * space; direct sums. */
struct system universe_sphere(size_t n, double omega_m, double eps);

/* A leapfrog from a, by steps of ln a. */
void universe_integrate(struct system *s, double dt, double a);

/* Steps until a. */
void universe_run(struct system *s, double a);

/* Its background. */
struct koshu_cosmology universe_of(double omega_m);

#endif
