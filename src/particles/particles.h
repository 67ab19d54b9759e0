/* SPDX-License-Identifier: MIT */
/*
 * The particle store as the library's modules see it: access to arrays without
 * a view to release, and the interface of a copy of fields on a device.
 *
 * For each group of fields the store knows whether the host's arrays are valid
 * and whether the device copy's are. Only these functions copy, and every copy
 * is counted.
 */
#ifndef KOSHU_PARTICLES_PARTICLES_H
#define KOSHU_PARTICLES_PARTICLES_H

#include <koshu/particles.h>

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays, for reading and writing, as koshu_particles_acquire_write() lends
 * them, but not counted as a view; valid until the next use of the store. */
KOSHU_MUST_CHECK koshu_status koshu_particles_on_host(
        struct koshu_particles *particles, unsigned fields,
        enum koshu_access access, struct koshu_particle_view *view);

/*
 * To be called before particles are moved (KOSHU_ACCESS_READ) or computed on
 * (KOSHU_ACCESS_WRITE). KOSHU_ERROR_INVALID_ARGUMENT where a caller still has a
 * view through which it could read them, or write them. caller: the function
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

/* The arrays of a view. The other components of a vector follow the first; the
 * arrays of a snapshot come first. All have 8 bytes per particle: doubles,
 * except for ids, ticks and steps, which are integers. */
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

/* The memory of the k-th array; NULL: the view does not have it. */
void *koshu_particle_array(const struct koshu_particle_view *view, size_t k);

/* Allocates the arrays of the field whose first array is the k-th, in one
 * block, zeroed, for n particles. false: out of memory. */
bool
koshu_particle_add_block(struct koshu_particle_view *view, size_t k, size_t n);

/* Frees all arrays of a view. */
void koshu_particle_free_arrays(struct koshu_particle_view *view);

/* Fails with "particle 7 (id 12): vx = nan" and an explanation, for particle i
 * of the view. */
koshu_status koshu_particles_fail(const struct koshu_particles *particles,
                                  const struct koshu_particle_view *view,
                                  size_t i, size_t array, koshu_status status,
                                  const char *what);

/* Are the arrays first ... end - 1 of the view finite? All must be doubles.
 * KOSHU_ERROR_NOT_FINITE. */
KOSHU_MUST_CHECK koshu_status koshu_particles_check_finite(
        const struct koshu_particles *particles,
        const struct koshu_particle_view *view, size_t first, size_t end);

/* ---- units ------------------------------------------------------------- */

/* koshu_units_henon(), as an expression. */
#define KOSHU_HENON_UNITS ((struct koshu_units){1.0, 1.0, 1.0})

/* Factors that convert the numbers of one unit system to those of another. */
struct koshu_unit_factors {
    double length, mass, velocity;
};

/* Multiplies all fields that every store has, except ids, on the ranks that
 * have them. Fails like koshu_particles_check() where a result does not fit
 * into a double. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_scale(struct koshu_particles *particles,
                      const struct koshu_unit_factors *factors);

/*
 * Reads the size of a unit, in cgs units, from a text with or without a number:
 * "pc", "1e10 Msun". context may be NULL. KOSHU_ERROR_BAD_INPUT: it is not a
 * unit of that quantity, or not positive.
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

/* A copy of fields on a device. The backend that made it owns `self`. */
struct koshu_device_copy_ops {
    koshu_copy_fields *to_host, *from_host;
    void (*destroy)(void *self);

    /* OPTIONAL, both or none. Diagnostics of the particles on the device, as in
     * kernels/diagnostics.h: sum() adds to the given sums; find_shells()
     * completes a search that has begun. */
    koshu_status (*sum)(void *self, struct koshu_sum *sums);
    koshu_status (*find_shells)(void *self, struct koshu_shell_search *search);

    /* OPTIONAL: for copies in which the particles of a domain stay. */
    const struct koshu_resident_ops *resident;
};

/* ---- particles that change their stores --------------------------------- */

/*
 * Of n particles, those with the indices go[n_go], ascending, leave. Others
 * join: the k-th before the particle that has index at[k] among those that stay
 * (their number: after all of them), also ascending. A row has the fields of
 * one particle: 8 bytes of each array, in the order of the arrays.
 */
struct koshu_change {
    unsigned fields; /* in the rows; other fields are undefined afterwards */
    size_t n_go, n_come;
    const uint32_t *go, *at;
    const void *rows; /* of those that join */
};

/* The number of 8-byte elements of a row. */
size_t koshu_row_elements(unsigned fields);

/* Writes rows of the particles with these indices, ascending, from the side
 * where the fields are valid. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_rows(struct koshu_particles *particles, unsigned fields,
                     size_t n, const uint32_t *number, void *rows);

/* Makes the change; a device copy must be resident, on a single device. Fields
 * that are valid on the device are valid only there afterwards. Views become
 * invalid. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_particles_change(
        struct koshu_particles *particles, const struct koshu_change *change);

/* Where fields are on a device, ids are reordered when they are first needed.
 * Calling this does it earlier, for example while the device is at work. */
void koshu_particles_settle(struct koshu_particles *particles);

/* Says that this store's particles are those from `first` on, of `total` on all
 * ranks. */
void koshu_particles_set_slice(struct koshu_particles *particles, size_t first,
                               size_t total);

/* Removes the particles with the indices go[n], ascending, where all are on
 * this rank; the others keep their order. KOSHU_ERROR_BAD_INPUT: none would be
 * left; KOSHU_ERROR_INVALID_ARGUMENT: a view is not released. */
KOSHU_MUST_CHECK koshu_status koshu_particles_remove(
        struct koshu_particles *particles, size_t n, const uint32_t *go);

/* ---- particles that stay on a device ------------------------------------ */

/* A summary of all particles of a store. */
struct koshu_particle_outline {
    double low[3], high[3]; /* infinite: there are no particles */
    /* of |m|; least: of those not 0, or infinite */
    double largest_mass, least_mass;
    bool finite;            /* positions and masses */
    bool has_accelerations; /* is any not 0? */
};

/* How a box of a domain decomposition (domain/bisection.c) is cut along an
 * axis. */
struct koshu_cut {
    int axis;
    bool is_sought; /* the cut is searched for between these */
    double from, to;
    bool divides; /* particles from `at` on go to box next + 1 */
    double at;
    uint32_t next; /* the new number of the box */
};

/* Each particle is in one of n boxes; at first all are in one. */
struct koshu_cut_ops {
    koshu_status (*start)(void *self);
    /* For each interval in which a cut is searched for, adds the weights of the
     * particles in each of so many bins. Each box has `zooms` intervals,
     * cut[box * zooms ...]. */
    koshu_status (*count)(void *self, size_t n, size_t zooms,
                          const struct koshu_cut *cut, size_t bins,
                          uint64_t *count);
    koshu_status (*divide)(void *self, size_t n, const struct koshu_cut *cut);
    /* The number of particles that are not in this box and, unless they are
     * more than `capacity`, a list of them: index << 32 | box, in any order. */
    koshu_status (*others)(void *self, uint32_t box, size_t capacity,
                           uint64_t *other, size_t *n);
};

struct koshu_resident_ops {
    koshu_status (*outline)(void *self, bool accelerations,
                            struct koshu_particle_outline *outline);
    struct koshu_cut_ops cuts; /* of positions, weighted by KOSHU_FIELD_WORK */
    /* Rows of these fields; only those in `there` are on the device. */
    koshu_status (*rows)(void *self, unsigned fields, unsigned there, size_t n,
                         const uint32_t *number, void *rows);
    koshu_status (*change)(void *self, const struct koshu_change *change,
                           unsigned there);
};

/* The operations of the device copy, and its `self`; NULL: it has none. */
const struct koshu_resident_ops *
koshu_particles_resident(const struct koshu_particles *particles, void **self);

/* ---- copies on a device ------------------------------------------------- */

/* Gives the store its device copy. It has at most one; the old one is
 * destroyed. ops NULL: removes it, after copying back what only it holds. */
koshu_status
koshu_particles_set_device_copy(struct koshu_particles *particles,
                                const struct koshu_device_copy_ops *ops,
                                void *self);

/* Brings all particles to the host, before a change that the device copy could
 * not follow: those of several devices and of domains cannot. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_leave_device(struct koshu_particles *particles);

/* The device copy, if it was set with these ops; otherwise NULL. */
void *koshu_particles_device_copy(const struct koshu_particles *particles,
                                  const struct koshu_device_copy_ops *ops);

/* The operations of the device copy, and its `self`, if it sums diagnostics and
 * has all these fields; otherwise NULL. */
const struct koshu_device_copy_ops *
koshu_particles_device_sums(const struct koshu_particles *particles,
                            unsigned fields, void **self);

/* The same as koshu_particles_on_host(), for the device copy. */
KOSHU_MUST_CHECK koshu_status
koshu_particles_on_device(struct koshu_particles *particles, unsigned fields,
                          enum koshu_access access);

/* From now on, large fields that are copied to the device are valid only there,
 * and take no memory on the host until they are needed there. */
void koshu_particles_leave_host(struct koshu_particles *particles);

/* Fields that are zero because nothing has been written to them, and others
 * that the store does not have. */
unsigned koshu_particles_unwritten(const struct koshu_particles *particles);

/* Memory of one particle, without the fields of block time steps. */
#define KOSHU_PARTICLE_BYTES ((size_t)(12 * 8))

/* To be called on the rank that stores them, before work on n particles that
 * needs at least so many bytes for each. KOSHU_ERROR_OUT_OF_MEMORY where there
 * cannot be that much memory; a warning in the log where it is not available
 * now. */
koshu_status
koshu_particles_require(struct koshu_context *context, size_t n, size_t each);

/* A store of n particles that are a slice, from `first` on, of `total`
 * particles on all ranks, or are no slice of this rank; n may be 0. Ids are
 * first ... first + n - 1. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_particles_create_slice(struct koshu_context *context,
                                          size_t total,
                                          struct koshu_slice slice,
                                          struct koshu_particles **particles);

/* Copies those of the fields that are valid only on the device to another
 * store's arrays. This store does not change. */
KOSHU_MUST_CHECK koshu_status koshu_particles_download(
        struct koshu_particles *particles, unsigned fields,
        const struct koshu_particle_view *view, unsigned *downloaded);

/* Copies fields, which `from` must have, to a store of as many particles. The
 * message of a failure is in the context of the store that failed. */
KOSHU_MUST_CHECK koshu_status koshu_particles_copy(struct koshu_particles *from,
                                                   unsigned fields,
                                                   struct koshu_particles *to);

/* The fields that the store has now. */
unsigned koshu_particles_fields(const struct koshu_particles *particles);

/* Bytes copied between host and device so far. */
uint64_t koshu_particles_bytes_copied(const struct koshu_particles *particles);

#ifdef __cplusplus
}
#endif

#endif
