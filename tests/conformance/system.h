/* SPDX-License-Identifier: MIT */
/*
 * Particles for conformance tests, the forces that a backend computes for them,
 * and the forces by the definition in force.h, pair by pair in long double.
 */
#ifndef KOSHU_TESTS_SYSTEM_H
#define KOSHU_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>

/* One set or many. The system owns all arrays. */
struct system {
    size_t n_sets, *i_offset, *j_offset;
    size_t n_i;
    double *xi, *yi, *zi;
    /* ids of the i-particles; all KOSHU_NO_ID unless a test changes them */
    int64_t *self;
    size_t n_j;
    double *xj, *yj, *zj, *mass;
};

/* Arrays of length n; `scale` holds the sums of the absolute values of the
 * pairs' forces and potentials, the unit in which rounding errors are
 * measured. */
struct forces {
    size_t n;
    double *ax, *ay, *az, *potential;
    double *scale_a, *scale_potential;
};

/* Uniform in [0, 1); equal *state gives an equal sequence. */
double uniform(uint64_t *state);

/*
 * One set: n_j j-particles, uniform in the cube [-1, 1]^3 about (at, at, at),
 * masses uniform in [0, 2/n_j), and n_i separate i-particles. `rounded`:
 * coordinates are rounded to float.
 */
struct system *system_create(size_t n_i, size_t n_j, double at, bool rounded);

/* One set whose i-particles are the first n_i of the n_j j-particles, with
 * `self` set. */
struct system *
system_create_self(size_t n_i, size_t n_j, double at, bool rounded);

/* Several sets of sizes n_i[s] and n_j[s]; every third i-particle is one of its
 * set's j-particles, where it has any. */
struct system *system_create_sets(size_t n_sets, const size_t *n_i,
                                  const size_t *n_j, bool rounded);

/* Moves i-particles that are also j-particles to the positions of those. */
void system_match(struct system *s);

void system_destroy(struct system *s);

/* Results for n i-particles, all set to NaN. */
struct forces *forces_create(size_t n);
void forces_destroy(struct forces *f);

/* Forces by the context's backend. The result is filled with NaN first. */
struct forces *system_forces(struct koshu_context *context,
                             const struct system *s,
                             const struct koshu_force_options *options);

/* The same, but without potentials. */
struct forces *system_accelerations(struct koshu_context *context,
                                    const struct system *s,
                                    const struct koshu_force_options *options);

/* The i-particles, for koshu_force_direct(). */
struct koshu_i_particles system_i(const struct system *s);
struct koshu_j_particles system_j(const struct system *s);

/* Forces by definition. */
struct forces *system_definition(const struct system *s, double eps);

/* Number of components that are NaN or further from `expected` than tolerance *
 * scale; 0 if all agree. The first is printed. Without `potential`, the
 * potentials must still be NaN. */
size_t forces_wrong(const struct forces *f, const struct forces *expected,
                    bool potential, double tolerance);

/* Do all results agree bit for bit? */
bool forces_identical(const struct forces *a, const struct forces *b);

#endif
