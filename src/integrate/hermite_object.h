/* SPDX-License-Identifier: MIT */
/* What the Hermite integrator consists of; for hermite*.c only. */
#ifndef KOSHU_INTEGRATE_HERMITE_OBJECT_H
#define KOSHU_INTEGRATE_HERMITE_OBJECT_H

#include <koshu/hermite.h>

#include "backend/backend.h"

struct koshu_hermite {
    struct koshu_context *context;
    struct koshu_hermite_options options;
    struct koshu_solver *solver;
    struct koshu_backend *backend; /* the solver's */
    struct koshu_particles *particles;
    struct koshu_hermite_clock clock;
    bool evaluated; /* the store's accelerations, jerks and steps are there */

    /* NULL: to be made from the store, which always holds what it holds */
    struct koshu_block_engine *engine;
    const struct koshu_block_ops *ops; /* the engine's */

    double *accelerations; /* room for all, once a potential was wanted */
    uint64_t most_blocks;  /* of the next call */
    double read_seconds;   /* that the engine's particles took to read, last */
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

/* ---- hermite_together.c: what is done with all particles at once --------- */

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
