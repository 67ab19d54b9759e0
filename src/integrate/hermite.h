/* SPDX-License-Identifier: MIT */
/* The Hermite integrator's struct and what its files share; included by
 * hermite*.c only. */
#ifndef KOSHU_INTEGRATE_HERMITE_H
#define KOSHU_INTEGRATE_HERMITE_H

#include "backend/backend.h"
#include "integrate/integrate.h"

struct koshu_hermite {
    struct koshu_integrator base;

    const struct koshu_block_ops *ops; /* the device's, or the host's */
    /* NULL: to be made from the particle store, which is always up to date */
    struct koshu_block_engine *engine;

    /* a copy of all, made when a potential is first needed */
    double *accelerations;
    size_t capacity_accelerations;
    uint64_t max_block_steps; /* in the next call */
    double read_seconds; /* time the last read of the engine's particles took */
};

/* The time that is `tick` ticks after the origin. */
double koshu_hermite_time_at(const struct koshu_hermite *h, uint64_t tick);

/* ---- hermite_engine.c: block steps, as long as nothing else is wanted ---- */

/* The task for engines, in which time always runs forwards. */
struct koshu_block_task koshu_hermite_task(const struct koshu_hermite *h);

/* The store's arrays, for block steps. Collective. */
koshu_status
koshu_hermite_acquire(struct koshu_hermite *h, struct koshu_block_particles *p);

/* Makes block steps up to the tick `until`, at most as many as one call may
 * make, and writes the particles after the last to the store. Names the
 * particle that is not finite or needs a step shorter than a tick.
 * Collective. */
koshu_status koshu_hermite_blocks(struct koshu_hermite *h, uint64_t until,
                                  struct koshu_block_progress *progress);

/* To be called after a change of the store: the engine's copy of the particles
 * is out of date. */
void koshu_hermite_drop_engine(struct koshu_hermite *h);

/* KOSHU_ERROR_BAD_INPUT: a step of the store is shorter than a tick; the
 * particle is named. Collective. */
koshu_status koshu_hermite_check_steps(struct koshu_hermite *h);

/* ---- hermite_subsystems.c: with few-body groups -------------------------- */

/* KOSHU_ERROR_INVALID_ARGUMENT, KOSHU_ERROR_UNSUPPORTED: an option cannot be
 * combined with groups. */
koshu_status koshu_hermite_check_subsystems(const struct koshu_hermite *h);

/* KOSHU_ERROR_BAD_INPUT: a mass or a radius that cannot be in a group. */
koshu_status koshu_hermite_check_bodies(struct koshu_hermite *h);

/* Advances to the next synchronised time, or to `until` if that is earlier. All
 * particles are synchronised there. */
koshu_status
koshu_hermite_advance_subsystems(struct koshu_hermite *h, double until);

/* ---- hermite_merge.c: bodies that have merged ---------------------------- */

struct koshu_mergers;

/* Applies the mergers since the clock's time: adds them to the events and
 * removes merged particles from the store. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_hermite_merge(struct koshu_hermite *h,
                                 const struct koshu_mergers *mergers);

/* ---- hermite_synchronise.c: all particles at once ------------------------ */

/* Computes accelerations, jerks and first steps of synchronised particles.
 * Ticks are counted from here. */
koshu_status koshu_hermite_start(struct koshu_hermite *h);

/* Recomputes accelerations and jerks of synchronised particles after masses
 * have changed or particles have been removed. Steps and ticks do not
 * change. */
koshu_status koshu_hermite_renew(struct koshu_hermite *h);

/* Advances each particle by a partial step to `time`. Ticks are counted from
 * there. */
koshu_status koshu_hermite_synchronise(struct koshu_hermite *h, double time);

/* The square of the approximate time in which the acceleration of particle i of
 * p changes; external: the external fields, or NULL. */
double koshu_hermite_time_scale2(const struct koshu_block_particles *p,
                                 size_t i,
                                 const struct koshu_external *external);

/* Counts ticks from the present time, at which all particles p are
 * synchronised. */
void koshu_hermite_new_origin(struct koshu_hermite *h,
                              const struct koshu_block_particles *p);

/* Potentials of synchronised particles, always from the solver: the sums with
 * jerk round differently, which would show in energy differences. Accelerations
 * do not change. */
koshu_status koshu_hermite_potential(struct koshu_hermite *h);

#endif
