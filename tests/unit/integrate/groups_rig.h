/* SPDX-License-Identifier: MIT */
/* A small cluster with two binaries, with block steps and few-body groups. */
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

/* n massless particles at rest at the origin; fields: text in Hénon units, or
 * NULL. groups_use() creates the integrator. */
struct groups groups_of(size_t n, const char *fields);
void
groups_use(struct groups *g, const struct koshu_integrator_options *options);

/* A cluster on simd with this many threads; half of its systems are
 * binaries. */
struct groups
groups_make_binaries(const struct koshu_integrator_options *options,
                     int threads);

/* The cluster on ref, with binaries of semi-major axes 1e-3 and 8e-3. */
struct groups
groups_make(const struct koshu_integrator_options *options, const char *fields);
void groups_free(struct groups *g);

struct koshu_particle_view groups_view(struct koshu_particles *p);
void groups_run(struct groups *g, double until);

/* T + W, including the energy in the fields. */
double groups_energy(const struct groups *g);

/* Asserts equal particles and clocks, bit for bit. */
void groups_assert_same(const struct groups *a, const struct groups *b);

/* Asserts that a run restarted from another's particles continues as that
 * does. */
void groups_assert_resumes(const struct koshu_integrator_options *options,
                           const char *fields);

#endif
