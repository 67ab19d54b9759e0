/* SPDX-License-Identifier: MIT */
/* The Hermite integrator with block time steps, run entirely in the backend. */
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
 * fields but mass are those at tick[i]; the particle's next step ends at
 * tick[i] + step[i]. A step is a power of two and divides tick[i]; all
 * particles with the same step are at the same tick, the last one that the step
 * divides.
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
    bool nearest;        /* sums also find the nearest neighbour */
    double tick;         /* time of one tick */
    uint64_t longest;    /* step, in ticks */
    bool fixed;          /* all steps are the longest */
    double eta;          /* of Aarseth's criterion, unless fixed */
    unsigned iterations; /* n of P(EC)^n, >= 1 */
    size_t first; /* with several ranks: number of particles of the ranks before
                   * this one, the id of its first particle */
    struct koshu_interaction *interaction; /* instead of gravity; or NULL */
    struct koshu_backend_j_store *j_store; /* computes the sums over all
                                            * ranks, if all particles are
                                            * here; or NULL */
};

struct koshu_block_progress {
    uint64_t tick;          /* at the last block step */
    uint64_t blocks, steps; /* block steps, and particle steps in them, made by
                             * this call */
};

/* The whole integrator in the backend: predictor, sums, corrector, choice of
 * steps and scheduling of blocks. The formulas are those of
 * kernels/hermite.h. */
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
     * Makes block steps, at most `max`, while the next one ends no later than
     * `until`; waits. If `until` is a multiple of the longest step, and max is
     * not reached, all particles are at that time afterwards. Status, without a
     * message: KOSHU_ERROR_NOT_FINITE (a position or velocity is infinite or
     * NaN), KOSHU_ERROR_BAD_INPUT (a step shorter than a tick would be needed;
     * read() marks its particle by a step of 0). After either error no further
     * block step can be made.
     */
    koshu_status (*run)(struct koshu_block_engine *engine, uint64_t until,
                        uint64_t max, struct koshu_block_progress *progress);
    /* Copies the particles back; mass is not written. */
    koshu_status (*read)(struct koshu_block_engine *engine,
                         const struct koshu_block_particles *particles);
};

#endif
