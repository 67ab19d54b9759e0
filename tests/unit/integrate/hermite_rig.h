/* SPDX-License-Identifier: MIT */
/* A Hermite integrator with its particles, for tests. */
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

/* A Plummer sphere on ref, in double precision, with results set to NaN. */
struct rig
rig_make(size_t n, int threads, const struct koshu_integrator_options *options);
void rig_free(struct rig *r);

void rig_run(struct rig *r, double until);

/* Block steps of at most 1/8; each call makes at most `max` of them. */
struct koshu_integrator_options blocks_of(uint64_t max);
struct koshu_integrator_options fixed(double dt);

/* Asserts equal particles and clocks, bit for bit. */
void assert_same_state(const struct rig *a, const struct rig *b);

/* Asserts the state after a block: steps are powers of two that divide their
 * start times, no particle is late, and all are synchronised at multiples of dt
 * (elsewhere only by chance). */
void assert_commensurable(const struct rig *r);

#endif
