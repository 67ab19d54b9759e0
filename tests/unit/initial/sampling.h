/* SPDX-License-Identifier: MIT */
/*
 * Shared by the tests of the initial models: creating a model, and comparing
 * the sample with the distribution it was drawn from.
 */
#ifndef KOSHU_TESTS_SAMPLING_H
#define KOSHU_TESTS_SAMPLING_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "initial/initial.h"

/* Created in set_up(), destroyed in tear_down(), for
 * cmocka_run_group_tests(). */
extern struct koshu_context *context;
int set_up(void **state);
int tear_down(void **state);

/* The model with default options, n particles and this seed. */
struct koshu_initial_options
model_options(enum koshu_model model, size_t n, uint64_t seed);

/* Creates the particles of these options; *view gives access to them. */
struct koshu_particles *make(const struct koshu_initial_options *options,
                             struct koshu_particle_view *view);

/* n distances from the origin, or n speeds; the caller frees them. */
double *radii(const struct koshu_particle_view *view);
double *speeds(const struct koshu_particle_view *view);

/* A cumulative distribution with its parameter. */
typedef double distribution(double value, double parameter);

/* The Kolmogorov-Smirnov statistic: the largest difference between the
 * distribution of n values, which get sorted, and the given one. */
double
ks_distance(double *values, size_t n, distribution *cdf, double parameter);

/*
 * Asserts that the values have this distribution. For n correct draws the
 * statistic exceeds 2.23 / sqrt(n) once in 1e4 (2 exp(-2 * 2.23^2)). Seeds are
 * fixed, so a draw that passes keeps passing.
 */
void assert_distributed(double *values, size_t n, distribution *cdf,
                        double parameter);

/* The largest of three such statistics: for isotropic vectors each component
 * over the length is uniform in [-1, 1]. */
double anisotropy(size_t n, const double *x, const double *y, const double *z);

/* Asserts that it is below the same bound. */
void
assert_isotropic(size_t n, const double *x, const double *y, const double *z);

/* Asserts that centre of mass and momentum are zero to rounding, and that the
 * masses sum to 1. */
void assert_centred(const struct koshu_particle_view *view);

/* T and W (without softening) with the standard errors of such sums over n
 * independent draws, estimated from the particles. */
struct energies {
    double T, T_error, W, W_error;
};
struct energies energies_of(const struct koshu_particle_view *view);

/* Asserts agreement within four standard errors: 6e-5 of all seeds would fail,
 * but the fixed ones do not. */
void
assert_energies(const struct koshu_particle_view *view, double T, double W);

/* Composite Simpson rule with n (even) intervals. */
double
integral(double from, double to, int n, distribution *f, double parameter);

#endif
