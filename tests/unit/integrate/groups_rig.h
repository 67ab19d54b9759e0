/* SPDX-License-Identifier: MIT */
/* A small cluster with two binaries, by block steps with few-body groups. */
#ifndef KOSHU_TESTS_GROUPS_RIG_H
#define KOSHU_TESTS_GROUPS_RIG_H

#include <koshu/koshu.h>

#include "check.h"
#include "integrator.h"

enum { N = 34, N_BINARIES = 420 };

struct groups {
    struct koshu_context *context;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_external *external; /* or NULL */
    struct koshu_integrator *integrator;
};

struct koshu_integrator_options groups_options(void);

/* n particles at rest at the origin, without mass; fields: a text in Hénon
 * units, or NULL. groups_use() makes the integrator. */
struct groups groups_of(size_t n, const char *fields);
void
groups_use(struct groups *g, const struct koshu_integrator_options *options);

/* Another on simd, half of whose systems are binaries, by so many threads. */
struct groups
groups_make_binaries(const struct koshu_integrator_options *options,
                     int threads);

/* The cluster on ref, of binaries of semi-major axes 1e-3 and 8e-3. */
struct groups
groups_make(const struct koshu_integrator_options *options, const char *fields);
void groups_free(struct groups *g);

struct koshu_particle_view groups_view(struct koshu_particles *p);
void groups_run(struct groups *g, double until);

/* T + W, and that of the fields. */
double groups_energy(const struct groups *g);

/* Bit for bit, particles and clock. */
void groups_assert_same(const struct groups *a, const struct groups *b);

/* A run that goes on from the store of another goes on as that does. */
void groups_assert_resumes(const struct koshu_integrator_options *options,
                           const char *fields);

#endif
