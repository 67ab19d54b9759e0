/* SPDX-License-Identifier: MIT */
/* Particles in comoving coordinates, with H0 = 1 and G = 1, for physics tests
 * of cosmology. */
#ifndef KOSHU_TESTS_UNIVERSE_H
#define KOSHU_TESTS_UNIVERSE_H

#include "integrate/integrate.h"
#include "system.h"

/* A lattice of n^3 particles at rest, of mean density, in the periodic box [0,
 * 1). Forces by the defaults of a run: the FMM of order 8, theta = 0.5, in
 * single precision. */
struct system universe_box(size_t n, double omega_m, double eps);

/* The particles of such a lattice about 0 within a radius of 1/2, in vacuum,
 * with direct sums. */
struct system universe_sphere(size_t n, double omega_m, double eps);

/* Creates a leapfrog that starts at a and has steps of ln a. */
void universe_integrate(struct system *s, double dt, double a);

/* Steps until a. */
void universe_run(struct system *s, double a);

/* The background cosmology. */
struct koshu_cosmology universe_of(double omega_m);

#endif
