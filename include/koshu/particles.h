/* SPDX-License-Identifier: MIT */
/*
 * The particle store: a structure of arrays, double precision.
 *
 * Each array starts on a 64-byte boundary, and its length in memory is a
 * multiple of 64 bytes. The arrays of one field are equally spaced in memory, y
 * as far from x as z from y, so that they can be seen as one array of n rows;
 * arrays do not move during the life of the store. A field may be valid on the
 * host, on a device, or on both. The store owns its arrays; a caller borrows
 * them as a view:
 *
 *     struct koshu_particle_const_view view = {.size = sizeof view};
 *     koshu_particles_acquire_read(particles, KOSHU_FIELD_POSITION, &view);
 *     ... view.x[i] ...
 *     koshu_particles_release_read(particles);
 *
 * Functions that compute on the particles (koshu_solver_forces(), an
 * integrator, a simulation) fail while a view for writing is not released;
 * functions that change the order of the particles fail while any view is not
 * released. A view that was acquired before such a function may hold old values
 * after it: acquire again.
 *
 * In a context of several ranks (koshu/ranks.h) a store is partitioned: its
 * arrays hold the slice of this rank, which may be empty. Views must then be
 * acquired and released on all ranks alike, since forces of a tree or the FMM,
 * and steps with these, leave fields on the ranks that own the particles'
 * domains, and acquiring a view fetches them.
 *
 * Threads: a store is used by one thread at a time, as its context is. Several
 * threads may read and write the arrays of views.
 */
#ifndef KOSHU_PARTICLES_H
#define KOSHU_PARTICLES_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>
#include <koshu/units.h>

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

    /* For block time steps. A store has these fields, zeroed, once they are
     * first acquired; on the host. */
    KOSHU_FIELD_JERK = 1u << 6, /* jx jy jz */
    KOSHU_FIELD_STEP = 1u << 7, /* tick step; see koshu/integrator.h */

    /* For trees over several ranks: the number of interactions of each particle
     * in the last forces, by which the next domains are weighted. As above. */
    KOSHU_FIELD_WORK = 1u << 8, /* work */

    /* For stars that lose mass: their mass at the beginning. As above. */
    KOSHU_FIELD_INITIAL_MASS = 1u << 9 /* initial_mass */
};

/* Name of one field ("id", "mass", "position", ...); NULL for other numbers.
 * Bits count up from 1u << 0. */
KOSHU_API const char *koshu_field_name(enum koshu_field field);

/* Finds the field with a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no field has it, the message lists the names;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_field_find(struct koshu_context *context, const char *name,
                 enum koshu_field *field);

/* What a caller does with the arrays of a view. */
enum koshu_access {
    KOSHU_ACCESS_READ,
    KOSHU_ACCESS_WRITE,     /* all elements; old values may be missing */
    KOSHU_ACCESS_READ_WRITE /* or some elements */
};

/* Name ("read", "write", "read-write"); NULL past the last. */
KOSHU_API const char *koshu_access_name(enum koshu_access access);

/* Finds the access with a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it, the message lists the names;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_access_find(struct koshu_context *context, const char *name,
                  enum koshu_access *access);

/* Arrays for writing. All have n elements, those of this rank; arrays of fields
 * that were not acquired may hold old values, and those that the store does not
 * have are NULL. The caller sets size to the size of the struct. */
struct koshu_particle_view {
    size_t size;
    size_t n;
    uint64_t *id;
    double *mass;
    double *x, *y, *z;
    double *vx, *vy, *vz;
    double *ax, *ay, *az;
    double *potential;
    double *jx, *jy, *jz;
    uint64_t *tick, *step;
    double *work;
    double *initial_mass;
};

/* The same for reading. */
struct koshu_particle_const_view {
    size_t size;
    size_t n;
    const uint64_t *id;
    const double *mass;
    const double *x, *y, *z;
    const double *vx, *vy, *vz;
    const double *ax, *ay, *az;
    const double *potential;
    const double *jx, *jy, *jz;
    const uint64_t *tick, *step;
    const double *work;
    const double *initial_mass;
};

/*
 * Makes a store of n particles, on all ranks together; all fields zero, ids 0
 * ... n-1. Logs a warning if they take more memory than is free now.
 * Ownership: the caller destroys the store, before its context; *particles is
 * NULL after a failure.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: n = 0, or NULL;
 * KOSHU_ERROR_OUT_OF_MEMORY: they take more than the machine, its control
 * groups or RLIMIT_AS have, or an allocation failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_create(struct koshu_context *context, size_t n,
                       struct koshu_particles **particles);

/* Frees the store and its arrays; views of it are no longer valid. NULL is
 * allowed. */
KOSHU_API void koshu_particles_destroy(struct koshu_particles *particles);

/* The number of particles on all ranks; of those in this rank's arrays; and the
 * index of the first of these. With one rank: n, n and 0. 0 for NULL. */
KOSHU_API size_t koshu_particles_total(const struct koshu_particles *particles);
KOSHU_API size_t koshu_particles_count(const struct koshu_particles *particles);
KOSHU_API size_t koshu_particles_first(const struct koshu_particles *particles);

/* The context that the store was made from; NULL for NULL.
 * Ownership: the context still belongs to its creator. */
KOSHU_API struct koshu_context *
koshu_particles_context(const struct koshu_particles *particles);

/*
 * Makes the fields valid on the host, and lends their arrays for reading.
 * Ownership: the arrays stay the store's, and valid until
 * koshu_particles_release_read().
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: unknown fields, or view->size is not
 * set; KOSHU_ERROR_OUT_OF_MEMORY: fields that the store did not have;
 * KOSHU_ERROR_DEVICE: a copy failed. Nothing is then lent.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_acquire_read(struct koshu_particles *particles, unsigned fields,
                             struct koshu_particle_const_view *view);

/*
 * Lends the arrays of the fields for writing. With KOSHU_ACCESS_READ_WRITE they
 * are made valid on the host first; with KOSHU_ACCESS_WRITE the caller writes
 * all elements. A device's copy of these fields is stale then, and is renewed
 * when it is next needed.
 * Ownership: the arrays stay the store's, and valid until
 * koshu_particles_release_write().
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: unknown fields, KOSHU_ACCESS_READ, or
 * view->size is not set; KOSHU_ERROR_OUT_OF_MEMORY: fields that the store did
 * not have; KOSHU_ERROR_DEVICE: a copy failed. Nothing is then lent.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_particles_acquire_write(
        struct koshu_particles *particles, unsigned fields,
        enum koshu_access access, struct koshu_particle_view *view);

/* Release one view, acquired by koshu_particles_acquire_read() or by
 * koshu_particles_acquire_write(). Without such a view they do nothing; NULL is
 * allowed. */
KOSHU_API void koshu_particles_release_read(struct koshu_particles *particles);
KOSHU_API void koshu_particles_release_write(struct koshu_particles *particles);

/*
 * Changes the order: particle k becomes what particle from[k] was, in every
 * field; with several ranks, among those of this rank.
 * Shapes: from[n], n = koshu_particles_count().
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: n is another number, from is not a
 * permutation of 0 ... n-1, or a view is not released (the store is then
 * unchanged); KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE: a copy failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_particles_permute(
        struct koshu_particles *particles, size_t n, const size_t *from);

/*
 * Checks that every mass is finite and >= 0, every position and velocity
 * finite. With several ranks each checks its own particles, and the status is
 * its own: koshu_ranks_collective_status() makes it that of all.
 * Status: KOSHU_ERROR_NOT_FINITE, KOSHU_ERROR_BAD_INPUT: a negative mass; the
 * message names the first such particle by index, id, field and value;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL; KOSHU_ERROR_DEVICE: a copy from a device
 * failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_particles_check(struct koshu_particles *particles);

/*
 * Converts masses, positions, velocities, accelerations and potentials of this
 * rank's particles into other units. Other numbers, such as the time, are
 * converted by koshu_units_factor().
 * Units: numbers are in `from` before, in `to` after.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, or only one of the systems is
 * dimensionless; KOSHU_ERROR_NOT_FINITE: a number is out of range in the new
 * units; KOSHU_ERROR_DEVICE: a copy failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_particles_convert(
        struct koshu_particles *particles, const struct koshu_units *from,
        const struct koshu_units *to);

#ifdef __cplusplus
}
#endif

#endif
