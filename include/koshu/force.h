/* SPDX-License-Identifier: MIT */
/*
 * Gravity of j-particles on i-particles by direct summation (Hamada07 eq. 1):
 *
 *     a_i   =  sum_j m_j r_ij / (r_ij^2 + eps^2)^(3/2),   r_ij = x_j - x_i
 *     pot_i = -sum_j m_j      / (r_ij^2 + eps^2)^(1/2)
 *
 * with G = 1. A pair of an i-particle and the j-particle that it is itself
 * (self) is left out. Any other pair at zero distance gives no acceleration;
 * it gives the potential -m_j / eps where eps > 0, and none where eps = 0.
 *
 * The sum over j is taken in tiles: partial sums inside a tile, tiles added
 * in double precision (Hamada07 eq. 2), so that the error does not grow with
 * N. Tiles and their order depend on the sizes of the sets alone: the result
 * is the same, bit for bit, for any number of threads.
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
    /* Positions kept to 48 bits or more, so that close pairs keep their
     * digits wherever they are; the force of a pair is as good as float can
     * tell. rms error below 2e-8, largest below 5e-7, at eps = 0.01, also 1e4
     * lengths off-centre. A CPU computes with doubles, but takes the root no
     * better than 2e-8; a GPU with pairs of floats. */
    KOSHU_PRECISION_MIXED,
    /* Double precision throughout: errors of a few 1e-16 sqrt(N). */
    KOSHU_PRECISION_DOUBLE
};

/*
 * Units do not matter: lengths and masses from 1e-30 to 1e30 give forces that
 * are as good as near 1 (tests/conformance/test_scales). A CPU looks at the
 * numbers, and sums in double where floats do not hold every m / r^3 in the
 * caller's units; so it does again for particles whose sum is infinite, as
 * another is too near. A GPU counts lengths and masses in units of its own.
 * There, in single and mixed precision, the smallest mass must not be less than
 * 1e-30 of the largest, the softening, on several GPUs, not more than 1e18
 * times the largest coordinate, and where it is less than 1e-12 of that no pair
 * may be nearer than 1e-12 of it (single without fast: 1e-18), but for pairs at
 * zero distance. What is not finite gives forces that are not.
 */

/* "single", "mixed", "double"; "?" for a number that is no precision. */
KOSHU_API const char *koshu_precision_name(enum koshu_precision precision);

struct koshu_force_options {
    enum koshu_precision precision;
    double softening; /* eps, a length, >= 0 and finite */
    bool potential;   /* compute pot as well */
    /* Single precision only: the bare reciprocal square root estimate of the
     * processor, without a Newton step. rms error about 3e-5 with AVX-512
     * (14 bits), 7e-5 with AVX2 and SSE (12 bits). A backend that has no such
     * estimate ignores it. */
    bool fast;
};

/* single, softening 0, with potential, not fast */
KOSHU_API struct koshu_force_options koshu_force_options_default(void);

#define KOSHU_NO_SELF UINT64_MAX

/* i-particles: the ones that feel. Arrays of n, host memory, no alignment. */
struct koshu_i_particles {
    size_t n;
    const double *x, *y, *z;
    /* self[i]: the index of i-particle i among the j-particles of its set, or
     * KOSHU_NO_SELF. NULL: no i-particle is in the j-set. */
    const uint64_t *self;
};

/* j-particles: the ones that act. */
struct koshu_j_particles {
    size_t n;
    const double *x, *y, *z, *mass;
};

/* Results, arrays of as many elements as there are i-particles; overwritten.
 * potential may be NULL where it is not computed. */
struct koshu_force_result {
    double *ax, *ay, *az, *potential;
};

/*
 * One i-set against one j-set. j->n = 0 gives zeros; i->n = 0 does nothing.
 * KOSHU_ERROR_INVALID_ARGUMENT: a NULL array, an unknown precision, a softening
 * that is negative or not finite, a self index that is neither below j->n nor
 * KOSHU_NO_SELF;
 * KOSHU_ERROR_UNSUPPORTED: no backend of this context can do it;
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_force_direct(
        struct koshu_context *context,
        const struct koshu_force_options *options,
        const struct koshu_i_particles *i, const struct koshu_j_particles *j,
        const struct koshu_force_result *result);

/*
 * n_sets i-sets, each against a j-set of its own, in one call (the multiple
 * walks of Hamada09): set s is the i-particles i_offset[s] ... i_offset[s+1]-1
 * against the j-particles j_offset[s] ... j_offset[s+1]-1. Both arrays have
 * n_sets + 1 elements, begin with 0, never decrease, and end with i->n and
 * j->n. self counts from the beginning of the set's own j-particles.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_force_direct_sets(
        struct koshu_context *context,
        const struct koshu_force_options *options, size_t n_sets,
        const size_t *i_offset, const size_t *j_offset,
        const struct koshu_i_particles *i, const struct koshu_j_particles *j,
        const struct koshu_force_result *result);

#ifdef __cplusplus
}
#endif

#endif
