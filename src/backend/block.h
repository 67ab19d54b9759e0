/* SPDX-License-Identifier: MIT */
/* Hermite with block time steps, all of it in the backend. */
#ifndef KOSHU_BACKEND_BLOCK_H
#define KOSHU_BACKEND_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>
#include <koshu/status.h>

struct koshu_backend;
struct koshu_backend_j_store;

/*
 * Particles in the middle of block time steps. Time is counted in ticks: all
 * but mass is that at tick[i]; the particle's next step ends at
 * tick[i] + step[i]. A step is a power of two and divides tick[i]; all
 * particles of one step stand at the same tick, the last that it divides.
 */
struct koshu_block_particles {
    size_t n;
    const double *mass;
    double *x, *y, *z, *vx, *vy, *vz, *ax, *ay, *az, *jx, *jy, *jz, *potential;
    uint64_t *tick, *step;
};

struct koshu_block_task {
    enum koshu_precision precision;
    double eps;
    bool nearest;        /* sums find the nearest neighbour, too */
    double tick;         /* time of one tick */
    uint64_t longest;    /* step, in ticks */
    bool fixed;          /* all steps are the longest */
    double eta;          /* of Aarseth's criterion; where not fixed */
    unsigned iterations; /* n of P(EC)^n, >= 1 */
    size_t first; /* with several ranks: how many particles others have before
                     these; that is where ids begin */
    struct koshu_interaction *interaction; /* in place of gravity; or NULL */
    struct koshu_backend_j_store *j_store; /* with the sums of all ranks, where
                                              all particles are here; or NULL */
};

struct koshu_block_progress {
    uint64_t tick;          /* of the last block step */
    uint64_t blocks, steps; /* block steps, and particle steps in them, made
                               by this call */
};

/* The whole integrator in the backend: predictor, sums, corrector, choice of
 * steps and scheduling of blocks. The formulas are kernels/hermite.h's. */
struct koshu_block_engine;

struct koshu_block_ops {
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_block_task *task, size_t n);
    /* Copies the particles. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_block_task *task,
                           const struct koshu_block_particles *particles,
                           struct koshu_block_engine **engine);
    void (*destroy)(struct koshu_block_engine *engine);
    /*
     * Block steps as long as the next one ends no later than `until`, at most
     * `max` of them; waits. Where `until` is a multiple of the longest step,
     * all particles stand there in the end. KOSHU_ERROR_NOT_FINITE, without a
     * message: a position or velocity has become infinite or NaN;
     * KOSHU_ERROR_BAD_INPUT, without a message: a step shorter than a tick
     * would be needed; whose it is, read() tells by a step of 0. After either
     * no block step can be made.
     */
    koshu_status (*run)(struct koshu_block_engine *engine, uint64_t until,
                        uint64_t max, struct koshu_block_progress *progress);
    /* Copies the particles back; mass is not written. */
    koshu_status (*read)(struct koshu_block_engine *engine,
                         const struct koshu_block_particles *particles);
};

#endif
