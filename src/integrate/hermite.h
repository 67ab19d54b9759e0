/* SPDX-License-Identifier: MIT */
/* What the Hermite integrator consists of; for hermite*.c only. */
#ifndef KOSHU_INTEGRATE_HERMITE_H
#define KOSHU_INTEGRATE_HERMITE_H

#include <koshu/integrator.h>

#include "backend/backend.h"

/* Particle i stands at origin_time + tick[i] dt / KOSHU_TICKS. */
struct koshu_hermite_clock {
    double time;             /* at which the last block step ended */
    double synchronised;     /* the last time at which all particles stood */
    double origin_time;      /* where ticks count from */
    double dt;               /* that ticks are a part of */
    uint64_t ticks;          /* past origin_time */
    uint64_t block_steps;    /* made so far */
    uint64_t particle_steps; /* of one particle each, in them */
    uint64_t origin_steps;   /* synchronised steps up to origin_time */
};

struct koshu_hermite {
    struct koshu_context *context;
    struct koshu_integrator_options options;
    struct koshu_solver *solver;
    struct koshu_backend *backend; /* the context's */
    struct koshu_particles *particles;
    struct koshu_hermite_clock clock;
    bool evaluated; /* the store's accelerations, jerks and steps are there */

    /* NULL: to be made from the store, which always holds what it holds */
    struct koshu_block_engine *engine;
    const struct koshu_block_ops *ops; /* the engine's */

    double *accelerations;    /* a copy of all, once a potential was needed */
    uint64_t max_block_steps; /* of the next call */
    double read_seconds; /* that the engine's particles took to read, last */
    uint64_t interactions;
    double seconds;
};

/* What engines are to do; time goes forward there. */
struct koshu_block_task koshu_hermite_task(const struct koshu_hermite *h);

/* The store's arrays, for block steps. */
koshu_status
koshu_hermite_acquire(struct koshu_hermite *h, struct koshu_block_particles *p);

/* A particle is not finite, after a step that ended at `time`. */
koshu_status koshu_hermite_not_finite(struct koshu_hermite *h, double time);

/* ---- hermite_synchronise.c: all particles at once ------------------------ */

/* Accelerations and jerks of synchronised particles, and their first steps;
 * ticks are counted from here. */
koshu_status koshu_hermite_start(struct koshu_hermite *h);

/* A partial step of each particle, from where it stands to that time; ticks
 * are counted from there. */
koshu_status koshu_hermite_synchronise(struct koshu_hermite *h, double time);

/* Potentials of synchronised particles, by the solver always: those of the sums
 * with jerk are rounded otherwise, which a difference of energies would show.
 * Accelerations stay. */
koshu_status koshu_hermite_potential(struct koshu_hermite *h);

#endif
