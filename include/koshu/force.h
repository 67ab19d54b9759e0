/* SPDX-License-Identifier: MIT */
/*
 * Gravity of j-particles (sources) on i-particles (targets) by direct summation
 * (Hamada07 eq. 1):
 *
 *     a_i   =  sum_j m_j r_ij / (r_ij^2 + eps^2)^(3/2),   r_ij = x_j - x_i
 *     pot_i = -sum_j m_j      / (r_ij^2 + eps^2)^(1/2)
 *
 * with G = 1: any consistent units. A pair of an i- and a j-particle with the
 * same id is left out. Any other pair at zero distance contributes no
 * acceleration; to the potential it contributes -m_j / eps if eps > 0, and
 * nothing if eps = 0.
 *
 * The sum over j is taken in tiles: partial sums inside a tile, tiles added in
 * double precision (Hamada07 eq. 2), so that the error does not grow with N.
 * Tiles and their order depend only on the sizes of the sets: the result does
 * not depend on the number of threads, bit for bit.
 *
 * Threads: one thread at a time uses a context; threads may use different
 * contexts at the same time. koshu_precision_name() is for any thread.
 */
#ifndef KOSHU_FORCE_H
#define KOSHU_FORCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- precision ----------------------------------------------------------- */

/*
 * Relative error of the acceleration, |a - a_double| / |a_double|, over all
 * particles of a Plummer sphere in Hénon units; tests/conformance/test_accuracy
 * holds each backend to it.
 */
enum koshu_precision {
    /* Positions rounded to float, float arithmetic. Largest error below 5e-7
     * at eps = 0.1 for N up to 131,072, against double on the rounded
     * positions. (A GPU sums stores of up to 2048 particles in double.) */
    KOSHU_PRECISION_SINGLE,
    /* Positions kept to 48 bits or more, so that close pairs keep their digits
     * wherever they are; the force of a pair has the precision of float. rms
     * error below 2e-8, largest below 5e-7, at eps = 0.01, also 1e4 lengths
     * off-centre. A CPU computes in double, but square roots only to 2e-8; a
     * GPU uses pairs of floats. */
    KOSHU_PRECISION_MIXED,
    /* Double precision throughout: errors of a few 1e-16 sqrt(N). */
    KOSHU_PRECISION_DOUBLE
};

/*
 * Units do not matter: lengths and masses from 1e-30 to 1e30 give forces as
 * accurate as numbers near 1 (tests/conformance/test_scales). A CPU checks the
 * numbers, and sums in double if floats do not hold every m / r^3 in the
 * caller's units; it also recomputes in double the particles whose sum is
 * infinite because another is too close. A GPU scales lengths and masses to
 * units of its own. There, in single and mixed precision, the smallest mass
 * must not be less than 1e-30 of the largest. On several GPUs, the softening
 * must not be more than 1e18 times the largest coordinate; if it is less than
 * 1e-12 of that, no pair may be closer than 1e-12 of it (single without fast:
 * 1e-18), except pairs at zero distance. Numbers that are not finite give
 * forces that are not.
 */

/* Returns "single", "mixed" or "double"; NULL for a number past the last. */
KOSHU_API const char *koshu_precision_name(enum koshu_precision precision);

/*
 * Finds the precision of a name.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument; KOSHU_ERROR_NOT_FOUND:
 *     no precision has this name; the message lists them.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_precision_find(struct koshu_context *context, const char *name,
                     enum koshu_precision *precision);

/* ---- particles ----------------------------------------------------------- */

/* The id of an i-particle that is not one of the j-particles. */
#define KOSHU_NO_ID INT64_C(-1)

/* The index of a nearest neighbour that does not exist. */
#define KOSHU_NO_INDEX UINT64_MAX

/*
 * Particles are given as a structure of arrays with n elements, in host memory,
 * of any alignment; the arrays remain the caller's and are not kept. Arrays
 * that a call does not use, or that are marked optional, may be NULL. x y z (vx
 * vy vz, ...) must be given all or none.
 */

/* i-particles, the targets: the forces on them are computed. */
struct koshu_i_particles {
    size_t n;
    const double *x, *y, *z;
    /* Optional: each KOSHU_NO_ID or an id >= 0. NULL: no pair is left out. */
    const int64_t *id;
    /* j-particle stores (koshu/j_store.h) only, optional; NULL: zeros. */
    const double *vx, *vy, *vz;
    const double *h2; /* squared radius for lists of neighbours */
};

/* j-particles, the sources: they exert the forces. */
struct koshu_j_particles {
    size_t n;
    const double *x, *y, *z, *mass;
    /* Optional: each >= 0; in a direct sum they must differ. NULL: the index of
     * the particle in its set, or in the store. */
    const int64_t *id;
    /* j-particle stores only, optional; NULL: zeros. Velocity, acceleration,
     * jerk and snap at the particle's own time. */
    const double *vx, *vy, *vz, *ax, *ay, *az, *jx, *jy, *jz, *sx, *sy, *sz;
    const double *time;
};

/*
 * Results: arrays of as many elements as there are i-particles; overwritten.
 * ax, ay and az must be given. An optional array that is NULL is not written.
 */
struct koshu_force_result {
    double *ax, *ay, *az;
    double *potential; /* optional; negative */
    /* j-particle stores only, optional. */
    double *jx, *jy, *jz;
    double *nearest_r2; /* infinite if there is no neighbour */
    uint64_t *nearest;  /* its index, or KOSHU_NO_INDEX */
};

/* ---- direct sums --------------------------------------------------------- */

struct koshu_force_options {
    size_t size; /* of this struct, set by koshu_force_options_default() */
    enum koshu_precision precision;
    double softening; /* eps, a length, >= 0 and finite */
    /* Single precision only: uses the processor's estimate of the reciprocal
     * square root without a Newton step. rms error about 3e-5 with AVX-512 (14
     * bits), 7e-5 with AVX2 and SSE (12 bits). Ignored by backends without such
     * an estimate. */
    bool fast;
};

/* Defaults: single precision, softening 0, not fast. */
KOSHU_DECLARE_DEFAULT(koshu_force_options)

/*
 * Computes the accelerations, and where result->potential is given the
 * potentials, of one set of j-particles on one set of i-particles: the formulas
 * above. j->n = 0 gives zeros; i->n = 0 does nothing. Options NULL: defaults.
 * Shapes: i, j and result as their structs say; velocities and what else only
 *     stores use is not read.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a required array is NULL, an unknown
 *     precision, a softening that is negative or not finite, an id below that
 *     of its struct, two j-particles of one id, options without a size;
 *     KOSHU_ERROR_UNSUPPORTED: no backend of this context can do it, or jerks
 *     or nearest neighbours are requested; KOSHU_ERROR_NO_DEVICE: the backend
 *     of the context has none; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 * Error: see enum koshu_precision.
 * Source: Hamada07 eq. 1 and 2.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_force_direct(
        struct koshu_context *context, const struct koshu_i_particles *i,
        const struct koshu_j_particles *j,
        const struct koshu_force_options *options,
        const struct koshu_force_result *result);

/*
 * Computes the forces of n_sets sets of j-particles, each on i-particles of its
 * own, in one call. Set s is the i-particles i_offset[s] ... i_offset[s+1]-1
 * against the j-particles j_offset[s] ... j_offset[s+1]-1. Without j->id, ids
 * count from 0 in each set.
 * Shapes: i_offset and j_offset have n_sets + 1 elements, begin with 0, never
 *     decrease, and end with i->n and j->n; else as koshu_force_direct().
 * Units: G = 1.
 * Status: those of koshu_force_direct(), KOSHU_ERROR_INVALID_ARGUMENT also for
 *     offsets that are not so.
 * Error: see enum koshu_precision.
 * Source: the multiple walks of Hamada09.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_force_direct_sets(
        struct koshu_context *context, size_t n_sets, const size_t *i_offset,
        const size_t *j_offset, const struct koshu_i_particles *i,
        const struct koshu_j_particles *j,
        const struct koshu_force_options *options,
        const struct koshu_force_result *result);

#ifdef __cplusplus
}
#endif

#endif
