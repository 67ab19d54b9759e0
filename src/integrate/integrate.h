/* SPDX-License-Identifier: MIT */
/*
 * Integrators as a run sees them, whichever it is; and what they share.
 */
#ifndef KOSHU_INTEGRATE_INTEGRATE_H
#define KOSHU_INTEGRATE_INTEGRATE_H

#include <koshu/hermite.h>
#include <koshu/leapfrog.h>

/*
 * Where a run stands: what a checkpoint keeps besides the particles. A round
 * ends when all particles stand at the same time: each step of the leapfrog,
 * each longest step of block steps.
 */
struct koshu_integrator_clock {
    double time;
    double synchronised;     /* the time when the last round ended */
    uint64_t steps;          /* made so far: of all particles, or of blocks */
    uint64_t particle_steps; /* in blocks; else 0 */
    uint64_t rounds;
    double origin_time; /* the grid of rounds: see the integrators' clocks */
    uint64_t origin_rounds;
    double tick;    /* what a tick is, and how many are past origin_time; */
    uint64_t ticks; /* 0 where there are none */
};

struct koshu_integrator_work {
    uint64_t interactions;
    double seconds;
};

struct koshu_integrator_ops {
    void (*destroy)(void *self);
    koshu_status (*evaluate)(void *self);
    /* To the end of the round, or `until` where that comes first; or less, so
     * that a caller who looks for something else in between need not wait. */
    koshu_status (*advance)(void *self, double until, bool potential);
    struct koshu_integrator_clock (*clock)(const void *self);
    /* Goes on from there. changed: forces, steps and their grid are not what
     * they were, and are computed anew. */
    koshu_status (*resume)(void *self,
                           const struct koshu_integrator_clock *clock,
                           bool changed);
    /* Besides the solver's. */
    struct koshu_integrator_work (*work)(const void *self);
};

struct koshu_integrator {
    const struct koshu_integrator_ops *ops;
    void *self; /* NULL: none; nothing is to be destroyed */
};

/* As koshu_leapfrog_create() and koshu_hermite_create(). */
koshu_status
koshu_integrator_leapfrog(const struct koshu_leapfrog_options *options,
                          struct koshu_solver *solver,
                          struct koshu_particles *particles, double time,
                          struct koshu_integrator *integrator);
koshu_status
koshu_integrator_hermite(const struct koshu_hermite_options *options,
                         struct koshu_solver *solver,
                         struct koshu_particles *particles, double time,
                         struct koshu_integrator *integrator);

/* ---- finite.c ------------------------------------------------------------ */

/* KOSHU_ERROR_NOT_FINITE, naming the first particle that is not finite: where
 * there is a bad position, it is the cause of every bad acceleration, so fields
 * go before particles. KOSHU_OK: all are. Collective. */
koshu_status koshu_find_not_finite(struct koshu_particles *particles,
                                   uint64_t step, double time);

/* ---- block_host.c -------------------------------------------------------- */

/* Block time steps with any backend that has a j-particle store. */
struct koshu_block_ops;
extern const struct koshu_block_ops koshu_block_host;

#endif
