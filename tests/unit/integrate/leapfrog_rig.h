/* SPDX-License-Identifier: MIT */
/* A leapfrog with its particles, for tests. */
#ifndef KOSHU_TESTS_LEAPFROG_RIG_H
#define KOSHU_TESTS_LEAPFROG_RIG_H

#include <koshu/integrator.h>

#include "check.h"
#include "integrator.h"

struct rig {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_integrator *leapfrog;
    struct koshu_particle_view v; /* on the host, where ref works */
};

/* n particles of mass 1 at rest on the x axis at 1, -1, 2, -2, ...;
 * accelerations and potentials are NaN. The rig takes over the context. */
struct rig rig_on(struct koshu_context *context, size_t n, double eps,
                  const struct koshu_integrator_options *options, double time);
/* On ref, with two threads. */
struct rig rig_make(size_t n, double eps,
                    const struct koshu_integrator_options *options,
                    double time);
/* Without softening, from time 0. */
struct rig rig_fixed(size_t n, double dt);
void rig_free(struct rig *r);

void rig_step(struct rig *r, double until);
double rig_time(const struct rig *r);

/* Asserts equal states, bit for bit. */
void assert_same_state(const struct rig *a, const struct rig *b);

#endif
