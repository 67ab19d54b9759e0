/* SPDX-License-Identifier: MIT */
/*
 * The particle store: a structure of arrays, double precision.
 *
 * Each array starts on a 64-byte boundary, and its length in memory is a
 * multiple of 64 bytes. A field may be valid on the host, on a device, or on
 * both; koshu_particles_acquire() makes it valid on the host, so that a
 * particle is never read stale. The store owns its arrays; a view borrows
 * them until the store is resized, permuted or destroyed.
 *
 * In a context of several ranks (koshu/ranks.h) a store is dealt out: its
 * arrays hold the slice of this rank, which may be empty.
 */
#ifndef KOSHU_PARTICLES_H
#define KOSHU_PARTICLES_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_particles;

/* Groups of arrays, to be combined with |. */
enum koshu_field {
    KOSHU_FIELD_ID = 1u << 0,           /* id */
    KOSHU_FIELD_MASS = 1u << 1,         /* mass */
    KOSHU_FIELD_POSITION = 1u << 2,     /* x y z */
    KOSHU_FIELD_VELOCITY = 1u << 3,     /* vx vy vz */
    KOSHU_FIELD_ACCELERATION = 1u << 4, /* ax ay az */
    KOSHU_FIELD_POTENTIAL = 1u << 5,    /* potential, per unit mass, negative */
    KOSHU_FIELD_ALL = (1u << 6) - 1,    /* those above, which every store has */

    /* Of block time steps. A store has them, zeroed, from the first time that
     * they are acquired; on the host. */
    KOSHU_FIELD_JERK = 1u << 6, /* jx jy jz */
    KOSHU_FIELD_STEP = 1u << 7  /* tick step; see koshu/hermite.h */
};

enum koshu_access {
    KOSHU_ACCESS_READ,
    KOSHU_ACCESS_WRITE,
    KOSHU_ACCESS_READ_WRITE
};

/* All arrays have n elements, those of this rank; those not asked for may hold
 * old values, and those that the store does not have are NULL. */
struct koshu_particle_view {
    size_t n;
    uint64_t *id;
    double *mass;
    double *x, *y, *z;
    double *vx, *vy, *vz;
    double *ax, *ay, *az;
    double *potential;
    double *jx, *jy, *jz;
    uint64_t *tick, *step;
};

/*
 * n particles, on all ranks together; all fields zero, ids 0 ... n-1.
 * KOSHU_ERROR_INVALID_ARGUMENT: n = 0; KOSHU_ERROR_OUT_OF_MEMORY: they take
 * more than the machine, its control groups or RLIMIT_AS have, or there is no
 * more. Where they take more than is free now, the log has a warning.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_create(struct koshu_context *context, size_t n,
                       struct koshu_particles **particles);

/* NULL is allowed. */
KOSHU_API void koshu_particles_destroy(struct koshu_particles *particles);

/* Particles in all; those in this rank's arrays, and the number of the first of
 * them. With one rank: n, n and 0. */
KOSHU_API size_t koshu_particles_total(const struct koshu_particles *particles);
KOSHU_API size_t koshu_particles_count(const struct koshu_particles *particles);
KOSHU_API size_t koshu_particles_first(const struct koshu_particles *particles);

/* The context that the store was made from. */
KOSHU_API struct koshu_context *
koshu_particles_context(const struct koshu_particles *particles);

/*
 * Makes the fields valid on the host (for KOSHU_ACCESS_READ and
 * KOSHU_ACCESS_READ_WRITE) and hands out the arrays. After KOSHU_ACCESS_WRITE
 * and KOSHU_ACCESS_READ_WRITE a device's copy of these fields is stale, and is
 * renewed when it is next needed. KOSHU_ERROR_INVALID_ARGUMENT: unknown fields;
 * KOSHU_ERROR_OUT_OF_MEMORY: fields that the store did not have;
 * KOSHU_ERROR_DEVICE: a copy failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_particles_acquire(
        struct koshu_particles *particles, unsigned fields,
        enum koshu_access access, struct koshu_particle_view *view);

/*
 * New order: particle k becomes what particle order[k] was, in every field;
 * with several ranks, among those of this rank. KOSHU_ERROR_INVALID_ARGUMENT:
 * order is not a permutation of 0 ... n-1 (the store is then unchanged);
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_permute(struct koshu_particles *particles, const size_t *order);

/*
 * Is every mass finite and >= 0, every position and velocity finite?
 * KOSHU_ERROR_NOT_FINITE or KOSHU_ERROR_BAD_INPUT (a negative mass): the
 * message names the first offending particle by index, id, field and value.
 * With several ranks each looks at its own, and none knows what others have
 * found: koshu_ranks_collective_status().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_check(struct koshu_particles *particles);

#ifdef __cplusplus
}
#endif

#endif
