/* SPDX-License-Identifier: MIT */
/* A system under test: a Hermite integrator with its particles. */
#ifndef KOSHU_TESTS_HERMITE_RIG_H
#define KOSHU_TESTS_HERMITE_RIG_H

#include <koshu/integrator.h>

#include "check.h"
#include "integrator.h"

struct rig {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_integrator *hermite;
    struct koshu_particle_view v;
};

static const double rig_softening = 1.0 / 32;

/* A Plummer sphere on ref, in double precision, results poisoned. */
struct rig
rig_make(size_t n, int threads, const struct koshu_integrator_options *options);
void rig_free(struct rig *r);

void rig_run(struct rig *r, double until);

/* Block steps of 1/8 at most, each call making `most` of them. */
struct koshu_integrator_options blocks_of(uint64_t max);
struct koshu_integrator_options fixed(double dt);

/* Bit for bit, particles and clock. */
void assert_same_state(const struct rig *a, const struct rig *b);

/* After a block: steps are powers of two that divide where they begin, no
 * particle is late, and all are together at multiples of dt (and elsewhere
 * only by chance). */
void assert_commensurable(const struct rig *r);

#endif
