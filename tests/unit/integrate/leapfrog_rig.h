/* SPDX-License-Identifier: MIT */
/* A system under test: a leapfrog with its particles. */
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
    struct koshu_particle_view v; /* the ref backend works on the host */
};

/* n particles of mass 1, with no speed, on the x axis at 1, -1, 2, -2, ...; the
 * accelerations and potentials are poisoned. The context becomes the rig's. */
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

/* Bit for bit. */
void assert_same_state(const struct rig *a, const struct rig *b);

#endif
