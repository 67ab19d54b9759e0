/* SPDX-License-Identifier: MIT */
/*
 * Particles for the tests of j-particle stores, the sums that a backend
 * computes for them, and the same sums by the definition in j_store.h, pair by
 * pair in long double.
 */
#ifndef KOSHU_TESTS_CLUSTER_H
#define KOSHU_TESTS_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/j_store.h>

#include "backend/j_store.h"

/* The cluster owns the arrays. */
struct cluster {
    size_t n_i, n_j;
    struct koshu_i_particle *i;
    struct koshu_j_particle *j;
    double time, eps;
    bool nearest;
};

/*
 * n_j j-particles, uniform in the cube [-1, 1]^3 about (at, at, at), velocities
 * in [-1, 1]^3, masses in [0, 2/n_j), all at time 0 and without derivatives
 * beyond the velocity, ids 1000, 1001, ...; and n_i separate i-particles with
 * id KOSHU_NO_ID. time 0, eps 0.05, nearest neighbours requested.
 */
struct cluster *cluster_create(size_t n_i, size_t n_j, double at);

/* The same, but the i-particles are the first n_i of the j-particles. */
struct cluster *cluster_create_self(size_t n_i, size_t n_j, double at);

/* Moves each i-particle to the predicted position of the first j-particle with
 * its id, if there is one. */
void cluster_match(struct cluster *c);

void cluster_destroy(struct cluster *c);

/* Results; `scale` holds the sums of the absolute values of the pairs' terms,
 * the unit in which rounding errors are measured. */
struct sums {
    size_t n;
    struct koshu_jerk_result *of;
    double *scale_a, *scale_jerk, *scale_potential;
};

void sums_destroy(struct sums *s);

/* A j-particle store on the context's backend that holds the cluster, at its
 * time; the caller destroys it. */
struct koshu_j_store *cluster_memory(struct koshu_context *context,
                                     const struct cluster *c,
                                     enum koshu_precision precision);

/* That store's sums for the cluster's i-particles. The result is filled with
 * garbage first, so that an unwritten number cannot pass for a result. */
struct sums *memory_sums(struct koshu_context *context,
                         struct koshu_j_store *memory, const struct cluster *c);

/* Creates the store, sums, and destroys it. */
struct sums *cluster_sums(struct koshu_context *context,
                          const struct cluster *c,
                          enum koshu_precision precision);

/* The sums by definition. rounded: with positions at the common time rounded to
 * float. */
struct sums *cluster_definition(const struct cluster *c, bool rounded);

/* r^2 between an i- and a j-particle at the common time. */
double cluster_r2(const struct cluster *c, size_t i, size_t j, bool rounded);

/*
 * Number of wrong results, 0 if all agree; the first is printed. A number is
 * wrong if it is NaN or further from `expected` than tolerance * scale. A
 * nearest neighbour is wrong if another particle is nearer by more than the
 * tolerance, or if its r^2 is wrong. Where nearest neighbours were not
 * requested, those fields must be unchanged.
 */
size_t sums_wrong(const struct sums *s, const struct sums *expected,
                  const struct cluster *c, bool rounded, double tolerance);

/* Do all results agree bit for bit? */
bool sums_identical(const struct sums *a, const struct sums *b);

#endif
