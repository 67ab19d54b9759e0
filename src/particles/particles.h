/* SPDX-License-Identifier: MIT */
/*
 * The particle store within the library: arrays without a release, and how a
 * backend keeps a copy of fields on a device.
 *
 * For each group of fields the store knows whether the host's arrays are
 * valid and whether the device copy's are. Only these functions copy, and every
 * copy is counted.
 */
#ifndef KOSHU_PARTICLES_PARTICLES_H
#define KOSHU_PARTICLES_PARTICLES_H

#include <koshu/particles.h>

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays, as koshu_particles_acquire_write() lends them, for reading too:
 * not counted as a view, and good until anything else uses the store. */
KOSHU_MUST_CHECK koshu_status koshu_particles_on_host(
        struct koshu_particles *particles, unsigned fields,
        enum koshu_access access, struct koshu_particle_view *view);

/*
 * Before particles are moved (KOSHU_ACCESS_READ) or computed on
 * (KOSHU_ACCESS_WRITE): KOSHU_ERROR_INVALID_ARGUMENT where a caller has a view
 * that could read them, or one that could write them. caller: the function
 * that refuses, "koshu_solver_forces()".
 */
KOSHU_MUST_CHECK koshu_status
koshu_particles_refuse_views(struct koshu_particles *particles,
                             enum koshu_access of, const char *caller);

/* ---- the arrays of a store ---------------------------------------------- */

/* One array of a view. */
struct koshu_particle_array {
    const char *name; /* "vx", in files and messages */
    unsigned field;
    size_t offset; /* in struct koshu_particle_view */
};

/* Which: the others of a vector follow its first. Those of a snapshot come
 * first. All have 8 bytes for each particle: doubles, but for integers of ids,
 * ticks and steps. */
enum koshu_array {
    KOSHU_ARRAY_ID,
    KOSHU_ARRAY_MASS,
    KOSHU_ARRAY_X,
    KOSHU_ARRAY_VX = KOSHU_ARRAY_X + 3,
    KOSHU_ARRAY_POTENTIAL = KOSHU_ARRAY_VX + 3,
    KOSHU_SNAPSHOT_ARRAYS,
    KOSHU_ARRAY_AX = KOSHU_SNAPSHOT_ARRAYS,
    KOSHU_ARRAY_JX = KOSHU_ARRAY_AX + 3,
    KOSHU_ARRAY_TICK = KOSHU_ARRAY_JX + 3,
    KOSHU_ARRAY_STEP,
    KOSHU_ARRAY_WORK,
    KOSHU_ARRAY_INITIAL_MASS,
    KOSHU_ARRAYS
};
enum { KOSHU_ARRAY_ELEMENT = 8 };

extern const struct koshu_particle_array koshu_particle_arrays[KOSHU_ARRAYS];

/* The memory of the k-th of them; NULL: the view does not have it. */
void *koshu_particle_array(const struct koshu_particle_view *view, size_t k);

/* Makes the arrays of the field whose first array is the k-th, one behind the
 * other, zeroed, for n particles; false: there is no memory. */
bool
koshu_particle_add_block(struct koshu_particle_view *view, size_t k, size_t n);

/* Frees all arrays of a view. */
void koshu_particle_free_arrays(struct koshu_particle_view *view);

/* "particle 7 (id 12): vx = nan", and what of it; particle i of the view. */
koshu_status koshu_particles_fail(const struct koshu_particles *particles,
                                  const struct koshu_particle_view *view,
                                  size_t i, size_t array, koshu_status status,
                                  const char *what);

/* Are the arrays first ... end - 1 of the view finite? They are doubles.
 * KOSHU_ERROR_NOT_FINITE. */
KOSHU_MUST_CHECK koshu_status koshu_particles_check_finite(
        const struct koshu_particles *particles,
        const struct koshu_particle_view *view, size_t first, size_t end);

/* ---- units ------------------------------------------------------------- */

/* koshu_units_henon(), as an expression. */
#define KOSHU_HENON_UNITS ((struct koshu_units){1.0, 1.0, 1.0})

/* What numbers are multiplied by. */
struct koshu_unit_factors {
    double length, mass, velocity;
};

/* Multiplies all fields that every store has, but for ids, on the ranks that
 * have them. As koshu_particles_check(): what does not fit into a double. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_scale(struct koshu_particles *particles,
                      const struct koshu_unit_factors *factors);

/*
 * The size of a unit from a text, with a number before it or without, "pc",
 * "1e10 Msun", in cgs units. context may be NULL. KOSHU_ERROR_BAD_INPUT: it is
 * none of that quantity, or not positive.
 */
KOSHU_MUST_CHECK koshu_status koshu_unit_parse(struct koshu_context *context,
                                               const char *text,
                                               enum koshu_quantity quantity,
                                               double *cgs);

/* koshu_units_label() in gnuplot's enhanced text: "M_☉ pc^{-2}". */
void koshu_units_drawn_label(const struct koshu_units *units,
                             enum koshu_quantity quantity, size_t size,
                             char *text);

/* ---- copies on a device ------------------------------------------------- */

typedef koshu_status koshu_copy_fields(void *self, unsigned fields,
                                       const struct koshu_particle_view *host);

struct koshu_shell_search;

/* A copy of the fields elsewhere; made by a backend, which owns `self`. */
struct koshu_device_copy_ops {
    koshu_copy_fields *to_host, *from_host;
    void (*destroy)(void *self);

    /* OPTIONAL, both or none. Diagnostics of the particles there, as
     * kernels/diagnostics.h has them: the sums, added to those given, and a
     * search that has begun, to its end. */
    koshu_status (*sum)(void *self, struct koshu_sum *sums);
    koshu_status (*find_shells)(void *self, struct koshu_shell_search *search);

    /* OPTIONAL: of copies in which particles of a domain stay. */
    const struct koshu_resident_ops *resident;
};

/* ---- particles that change their stores --------------------------------- */

/*
 * Of n particles those of the numbers go[n_go], ascending, leave. Others come,
 * each before the particle that is number at[k] of those that stay (their
 * number: behind all), ascending too. A row has the fields of one particle: 8
 * bytes of each array, in the order of the arrays.
 */
struct koshu_change {
    unsigned fields; /* that go along; the others are undefined after it */
    size_t n_go, n_come;
    const uint32_t *go, *at;
    const void *rows; /* of those that come */
};

/* 8-byte elements of a row. */
size_t koshu_row_elements(unsigned fields);

/* Rows of the particles of these numbers, ascending, from where fields are
 * valid. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_rows(struct koshu_particles *particles, unsigned fields,
                     size_t n, const uint32_t *number, void *rows);

/* Fields that are valid on the device are then valid there alone. Views are
 * void. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_particles_change(
        struct koshu_particles *particles, const struct koshu_change *change);

/* Where fields are on a device, ids are brought into their order when they are
 * wanted, or by this: while the device is at work, say. */
void koshu_particles_settle(struct koshu_particles *particles);

/* Of how many particles of all ranks those of this one are, and from which on.
 */
void koshu_particles_set_slice(struct koshu_particles *particles, size_t first,
                               size_t total);

/* Where all are on this rank, particles of the numbers go[n], ascending, leave
 * for good; the others keep their order. KOSHU_ERROR_BAD_INPUT: none would be
 * left; KOSHU_ERROR_INVALID_ARGUMENT: a view is not released. */
KOSHU_MUST_CHECK koshu_status koshu_particles_remove(
        struct koshu_particles *particles, size_t n, const uint32_t *go);

/* ---- particles that stay on a device ------------------------------------ */

/* What is to be known of all particles of a store. */
struct koshu_particle_outline {
    double low[3], high[3];          /* infinite: there are none */
    double largest_mass, least_mass; /* |m|; least that is not 0, or infinite */
    bool finite;                     /* positions and masses */
    bool has_accelerations;          /* any that is not 0 */
};

/* A box of a decomposition (domain/bisection.c), along an axis. */
struct koshu_cut {
    int axis;
    bool is_sought; /* for a place to be cut, between these */
    double from, to;
    bool divides; /* particles from `at` on go to the box behind `next` */
    double at;
    uint32_t next; /* the number of the box from now on */
};

/* Each particle is in one of n boxes, at first all in one. */
struct koshu_cut_ops {
    koshu_status (*start)(void *self);
    /* Adds the weights of particles in each of so many bins of each interval
     * in which a box's cut is sought: of each box there are `zooms`, cut[box *
     * zooms ...]. */
    koshu_status (*count)(void *self, size_t n, size_t zooms,
                          const struct koshu_cut *cut, size_t bins,
                          uint64_t *count);
    koshu_status (*divide)(void *self, size_t n, const struct koshu_cut *cut);
    /* How many are not in this box; and those: their number << 32 | the box, in
     * any order. */
    koshu_status (*count_others)(void *self, uint32_t box, size_t *n);
    koshu_status (*others)(void *self, uint32_t box, size_t n, uint64_t *other);
};

struct koshu_resident_ops {
    koshu_status (*outline)(void *self, bool accelerations,
                            struct koshu_particle_outline *outline);
    struct koshu_cut_ops cuts; /* of positions by KOSHU_FIELD_WORK */
    /* Of the fields of a row, those that are there. */
    koshu_status (*rows)(void *self, unsigned fields, unsigned there, size_t n,
                         const uint32_t *number, void *rows);
    koshu_status (*change)(void *self, const struct koshu_change *change,
                           unsigned there);
};

/* Those of the device copy, and itself; NULL: it has none. */
const struct koshu_resident_ops *
koshu_particles_resident(const struct koshu_particles *particles, void **self);

/* ---- copies on a device ------------------------------------------------- */

/* Gives the store its device copy (it has at most one; the old one is
 * destroyed). ops NULL: takes it away, after bringing what only it holds
 * back. */
koshu_status
koshu_particles_set_device_copy(struct koshu_particles *particles,
                                const struct koshu_device_copy_ops *ops,
                                void *self);

/* The device copy, if it was set with these ops; NULL otherwise. */
void *koshu_particles_device_copy(const struct koshu_particles *particles,
                                  const struct koshu_device_copy_ops *ops);

/* The operations of the device copy, and itself, where it sums diagnostics and
 * has all these fields; NULL otherwise. */
const struct koshu_device_copy_ops *
koshu_particles_device_sums(const struct koshu_particles *particles,
                            unsigned fields, void **self);

/* koshu_particles_on_host() for the device copy. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_on_device(struct koshu_particles *particles, unsigned fields,
                          enum koshu_access access);

/* Of one particle of a store, without the fields of block time steps. */
#define KOSHU_PARTICLE_BYTES ((size_t)(12 * 8))

/* Before work on n particles begins that needs at least so many bytes for each,
 * on the rank that has them: KOSHU_ERROR_OUT_OF_MEMORY where they cannot be
 * had, a warning in the log where they are not there now. */
koshu_status
koshu_particles_require(struct koshu_context *context, size_t n, size_t each);

/* A store of n particles that lie in a larger one of `total` from `first` on,
 * or are no slice of this rank; n may be 0. Ids are first ... first + n - 1.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_particles_create_slice(struct koshu_context *context,
                                          size_t total,
                                          struct koshu_slice slice,
                                          struct koshu_particles **particles);

/* Those of the fields that are valid on the device alone, to the arrays of
 * another store's view; those of this one stay what they are. */
KOSHU_MUST_CHECK koshu_status koshu_particles_download(
        struct koshu_particles *particles, unsigned fields,
        const struct koshu_particle_view *view, unsigned *downloaded);

/* Fields of a store, which it has, into another of as many particles. The
 * message of a failure is in the context of the one whose it is. */
KOSHU_MUST_CHECK koshu_status koshu_particles_copy(struct koshu_particles *from,
                                                   unsigned fields,
                                                   struct koshu_particles *to);

/* The fields that the store has by now. */
unsigned koshu_particles_fields(const struct koshu_particles *particles);

/* Bytes copied between host and device so far. */
uint64_t koshu_particles_bytes_copied(const struct koshu_particles *particles);

#ifdef __cplusplus
}
#endif

#endif
