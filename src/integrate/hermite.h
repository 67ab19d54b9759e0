/* SPDX-License-Identifier: MIT */
/* What the Hermite integrator consists of; for hermite*.c only. */
#ifndef KOSHU_INTEGRATE_HERMITE_H
#define KOSHU_INTEGRATE_HERMITE_H

#include "backend/backend.h"
#include "integrate/integrate.h"

struct koshu_hermite {
    struct koshu_integrator base;

    const struct koshu_block_ops *ops; /* the device's, or the host's */
    /* NULL: to be made from the store, which always holds what it holds */
    struct koshu_block_engine *engine;

    double *accelerations; /* a copy of all, once a potential was needed */
    size_t capacity_accelerations;
    uint64_t max_block_steps; /* of the next call */
    double read_seconds; /* that the engine's particles took to read, last */
};

/* The time of a tick past the origin. */
double koshu_hermite_time_at(const struct koshu_hermite *h, uint64_t tick);

/* ---- hermite_engine.c: block steps, as long as nothing else is wanted ---- */

/* What engines are to do; time goes forward there. */
struct koshu_block_task koshu_hermite_task(const struct koshu_hermite *h);

/* The store's arrays, for block steps. Collective. */
koshu_status
koshu_hermite_acquire(struct koshu_hermite *h, struct koshu_block_particles *p);

/* Where there are enough, as many block steps up to the tick as a call makes;
 * the store has the particles after the last. A particle that is not finite,
 * or needs a step shorter than a tick, is named. Collective. */
koshu_status koshu_hermite_blocks(struct koshu_hermite *h, uint64_t until,
                                  struct koshu_block_progress *progress);

/* The store is changed: what the engine holds is no longer of it. */
void koshu_hermite_drop_engine(struct koshu_hermite *h);

/* KOSHU_ERROR_BAD_INPUT: a step of the store is shorter than a tick; the
 * particle is named. Collective. */
koshu_status koshu_hermite_check_steps(struct koshu_hermite *h);

/* ---- hermite_subsystems.c: with few-body groups
 * ------------------------------ */

/* KOSHU_ERROR_INVALID_ARGUMENT, KOSHU_ERROR_UNSUPPORTED: what does not go with
 * them. */
koshu_status koshu_hermite_check_subsystems(const struct koshu_hermite *h);

/* KOSHU_ERROR_BAD_INPUT: a mass or a radius that cannot be in a group. */
koshu_status koshu_hermite_check_bodies(struct koshu_hermite *h);

/* To the next synchronised time, or to `until` where that is before it: all
 * particles then stand there. */
koshu_status
koshu_hermite_advance_subsystems(struct koshu_hermite *h, double until);

/* ---- hermite_merge.c: bodies that have merged
 * --------------------------------- */

struct koshu_mergers;

/* Mergers since the clock's time into the store, which loses the particles that
 * are gone, and to the events. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_hermite_merge(struct koshu_hermite *h,
                                 const struct koshu_mergers *mergers);

/* ---- hermite_synchronise.c: all particles at once ------------------------ */

/* Accelerations and jerks of synchronised particles, and their first steps;
 * ticks are counted from here. */
koshu_status koshu_hermite_start(struct koshu_hermite *h);

/* Accelerations and jerks of particles that stand at one time and have other
 * masses, or are fewer; steps and ticks stay. */
koshu_status koshu_hermite_renew(struct koshu_hermite *h);

/* A partial step of each particle, from where it stands to that time; ticks
 * are counted from there. */
koshu_status koshu_hermite_synchronise(struct koshu_hermite *h, double time);

/* The square of the time in which the accelerations of particle i of p change,
 * about; external: what else acts, or NULL. */
double koshu_hermite_time_scale2(const struct koshu_block_particles *p,
                                 size_t i,
                                 const struct koshu_external *external);

/* Ticks are counted from the present time on, at which all particles p stand.
 */
void koshu_hermite_new_origin(struct koshu_hermite *h,
                              const struct koshu_block_particles *p);

/* Potentials of synchronised particles, by the solver always: those of the sums
 * with jerk are rounded otherwise, which a difference of energies would show.
 * Accelerations stay. */
koshu_status koshu_hermite_potential(struct koshu_hermite *h);

#endif
