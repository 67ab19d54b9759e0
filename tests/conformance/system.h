/* SPDX-License-Identifier: MIT */
/*
 * Particles for conformance tests, the forces that a backend gives for them,
 * and the forces by the definition in force.h, pair by pair in long double.
 */
#ifndef KOSHU_TESTS_SYSTEM_H
#define KOSHU_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>

/* One set or many. All arrays belong to the system. */
struct system {
    size_t n_sets, *i_offset, *j_offset;
    size_t n_i;
    double *xi, *yi, *zi;
    int64_t *self; /* ids; KOSHU_NO_ID throughout, unless a test changes it */
    size_t n_j;
    double *xj, *yj, *zj, *mass;
};

/* Arrays of n; `scale` holds the sums of the absolute values of the pairs'
 * forces and potentials, which rounding errors are measured by. */
struct forces {
    size_t n;
    double *ax, *ay, *az, *potential;
    double *scale_a, *scale_potential;
};

/* Uniform in [0, 1); the same sequence from the same *state. */
double uniform(uint64_t *state);

/*
 * One set: n_j particles, uniform in the cube [-1, 1]^3 about (at, at, at),
 * masses uniform in [0, 2/n_j), and n_i others as i-particles. `rounded`:
 * coordinates are rounded to float.
 */
struct system *system_create(size_t n_i, size_t n_j, double at, bool rounded);

/* One set in which the i-particles are the first n_i of the n_j j-particles,
 * self set. */
struct system *
system_create_self(size_t n_i, size_t n_j, double at, bool rounded);

/* The sets' sizes are n_i[s] and n_j[s]; every third i-particle is one of its
 * set's j-particles, where there are any. */
struct system *system_create_sets(size_t n_sets, const size_t *n_i,
                                  const size_t *n_j, bool rounded);

/* i-particles that are j-particles are put where those are. */
void system_match(struct system *s);

void system_destroy(struct system *s);

/* Results of n i-particles, all NaN. */
struct forces *forces_create(size_t n);
void forces_destroy(struct forces *f);

/* What the backend of the context computes. The result is poisoned before. */
struct forces *system_forces(struct koshu_context *context,
                             const struct system *s,
                             const struct koshu_force_options *options);

/* The same without potentials. */
struct forces *system_accelerations(struct koshu_context *context,
                                    const struct system *s,
                                    const struct koshu_force_options *options);

/* Its particles, for koshu_force_direct(). */
struct koshu_i_particles system_i(const struct system *s);
struct koshu_j_particles system_j(const struct system *s);

/* What the definition says. */
struct forces *system_definition(const struct system *s, double eps);

/* Components that are further from `expected` than tolerance * scale (or not
 * a number); 0: all agree. The first of them is printed. The potential is
 * examined where `potential`, else it must be as it was: NaN. */
size_t forces_wrong(const struct forces *f, const struct forces *expected,
                    bool potential, double tolerance);

/* Are they the same, bit for bit? */
bool forces_identical(const struct forces *a, const struct forces *b);

#endif
