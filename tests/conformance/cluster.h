/* SPDX-License-Identifier: MIT */
/*
 * Particles for the tests of j-particle stores, the sums that a backend
 * gives for them, and the sums by the definition in j_store.h, pair by pair
 * in long double.
 */
#ifndef KOSHU_TESTS_CLUSTER_H
#define KOSHU_TESTS_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/j_store.h>

#include "backend/j_store.h"

/* The arrays belong to the cluster. */
struct cluster {
    size_t n_i, n_j;
    struct koshu_i_particle *i;
    struct koshu_j_particle *j;
    double time, eps;
    bool nearest;
};

/*
 * n_j particles, uniform in the cube [-1, 1]^3 about (at, at, at), velocities
 * in [-1, 1]^3, masses in [0, 2/n_j), all at time 0 and without derivatives
 * beyond the velocity, ids 1000, 1001, ...; n_i others as i-particles, of the
 * id KOSHU_NO_ID. time 0, eps 0.05, nearest.
 */
struct cluster *cluster_create(size_t n_i, size_t n_j, double at);

/* The i-particles are the first n_i of the j-particles. */
struct cluster *cluster_create_self(size_t n_i, size_t n_j, double at);

/* Each i-particle is put where the first j-particle of its id is, if there is
 * one, at the common time. */
void cluster_match(struct cluster *c);

void cluster_destroy(struct cluster *c);

/* Results; `scale` holds the sums of the absolute values of the pairs' terms,
 * which rounding errors are measured by. */
struct sums {
    size_t n;
    struct koshu_jerk_result *of;
    double *scale_a, *scale_jerk, *scale_potential;
};

void sums_destroy(struct sums *s);

/* A memory of the context's backend that holds the cluster, at its time; the
 * caller destroys it. */
struct koshu_j_store *cluster_memory(struct koshu_context *context,
                                     const struct cluster *c,
                                     enum koshu_precision precision);

/* What such a memory says about the cluster's i-particles. The result is
 * poisoned before: nothing that is not written looks like a result. */
struct sums *memory_sums(struct koshu_context *context,
                         struct koshu_j_store *memory, const struct cluster *c);

/* Both at once. */
struct sums *cluster_sums(struct koshu_context *context,
                          const struct cluster *c,
                          enum koshu_precision precision);

/* What the definition says. rounded: of positions at the common time that are
 * rounded to float. */
struct sums *cluster_definition(const struct cluster *c, bool rounded);

/* r^2 of an i- and a j-particle at the common time. */
double cluster_r2(const struct cluster *c, size_t i, size_t j, bool rounded);

/*
 * Numbers that are further from `expected` than tolerance * scale, or not a
 * number; and nearest neighbours that another particle is nearer than, by more
 * than the tolerance, or whose r^2 is wrong. 0: all agree. The first
 * is printed. Where nearest neighbours were not requested, theirs must be as
 * they were.
 */
size_t sums_wrong(const struct sums *s, const struct sums *expected,
                  const struct cluster *c, bool rounded, double tolerance);

/* Are they the same, bit for bit? */
bool sums_identical(const struct sums *a, const struct sums *b);

#endif
