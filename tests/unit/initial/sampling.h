/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the initial models share: making one, and comparing what
 * was drawn with what should have been.
 */
#ifndef KOSHU_TESTS_SAMPLING_H
#define KOSHU_TESTS_SAMPLING_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "initial/initial.h"

/* Made in set_up(), destroyed in tear_down(): for cmocka_run_group_tests(). */
extern struct koshu_context *context;
int set_up(void **state);
int tear_down(void **state);

/* The model with its default options, n particles and this seed. */
struct koshu_initial_options
model_options(enum koshu_model model, size_t n, uint64_t seed);

/* The particles of these options; *view shows them. */
struct koshu_particles *make(const struct koshu_initial_options *options,
                             struct koshu_particle_view *view);

/* n distances from the origin, and n speeds; the caller frees them. */
double *radii(const struct koshu_particle_view *view);
double *speeds(const struct koshu_particle_view *view);

/* A cumulative distribution with its parameter. */
typedef double distribution(double value, double parameter);

/* The largest difference between the distribution of n values (they are
 * sorted) and the given one: the statistic of Kolmogorov and Smirnov. */
double
ks_distance(double *values, size_t n, distribution *cdf, double parameter);

/*
 * The values have this distribution. The distance of n honest draws passes
 * 2.23 / sqrt(n) once in 1e4 (2 exp(-2 * 2.23^2)); the seeds are fixed, so
 * that a draw that passed passes indefinitely.
 */
void assert_distributed(double *values, size_t n, distribution *cdf,
                        double parameter);

/* The largest such distance of three: isotropic vectors (x, y, z) have each
 * component over the length uniform in [-1, 1]. */
double anisotropy(size_t n, const double *x, const double *y, const double *z);

/* It is below the same bound. */
void
assert_isotropic(size_t n, const double *x, const double *y, const double *z);

/* Centre of mass and momentum are zero to rounding, the masses sum to 1. */
void assert_centred(const struct koshu_particle_view *view);

/* T and W (softening 0) with the standard errors of such sums of n independent
 * draws, measured on the particles. */
struct energies {
    double T, T_error, W, W_error;
};
struct energies energies_of(const struct koshu_particle_view *view);

/* Within four standard errors: 6e-5 of all seeds would fail, the fixed ones
 * do not. */
void
assert_energies(const struct koshu_particle_view *view, double T, double W);

/* Composite Simpson rule with n (even) intervals. */
double
integral(double from, double to, int n, distribution *f, double parameter);

#endif
