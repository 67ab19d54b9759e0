/* SPDX-License-Identifier: MIT */
/*
 * The kernels of j-particle stores, for each instruction set.
 *
 * Predicted j-particles are stored in vectors for the sums: `lanes` particles
 * side by side, positions in the precision of the sum's differences, everything
 * else in the precision of its arithmetic. Unset indices, and the rest of the
 * last vector, are padding particles: massless and far away.
 */
#ifndef KOSHU_BACKEND_SIMD_JERK_H
#define KOSHU_BACKEND_SIMD_JERK_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/backend.h"
#include "backend/host_store.h"
#include "backend/simd/units.h"

enum {
    SIMD_JERK_I = 256,     /* most i-particles of one job */
    SIMD_JERK_GRAIN = 512, /* particles: a multiple of every kernel's tile */
    SIMD_JERK_ROUND = 16   /* a multiple of every vector, and of a block */
};

/*
 * A job: i-particles against the j-particles with indices j_first ... j_last -
 * 1; j_first is a multiple of SIMD_JERK_GRAIN. Indices
 * excluded[excluded_first[k]] ... excluded[excluded_first[k + 1] - 1], in
 * ascending order, have i-particle k's own id.
 */
struct simd_jerk_job {
    const void *predicted;
    const bool *is_set; /* unset indices are massless and far away */
    size_t j_first, j_last;
    size_t n;
    const struct koshu_i_particle *i;
    const size_t *excluded_first, *excluded;
    double eps;
    struct koshu_jerk_result *result; /* overwritten, except for the nearest
                                       * neighbour */
};

/* How a kernel treats pairs at zero distance. */
enum simd_guard {
    SIMD_UNGUARDED,  /* not at all: the softening suffices */
    SIMD_GUARD_ZERO, /* leaves them out, because eps = 0 */
    SIMD_GUARD_TINY, /* computes them separately: their terms may overflow */
    SIMD_GUARDS
};

typedef void simd_jerk_kernel(const struct simd_jerk_job *job);

/* Predicts indices first ... last - 1 to `time`; first is a multiple of
 * SIMD_JERK_GRAIN. The memory extends to the next multiple of
 * SIMD_JERK_ROUND. */
struct simd_prediction {
    void *predicted;
    const struct host_store *from;
    size_t first, last;
    double time;
    struct simd_units units;
};

/* The kernels of one precision. */
struct simd_jerk {
    size_t lanes, vector_size; /* of the predicted vectors */

    void (*predict)(const struct simd_prediction *p);
    bool scales; /* sums need units of their own */

    simd_jerk_kernel *sum[2][SIMD_GUARDS]; /* [with nearest neighbours] */
    double tiny; /* nonzero softenings below this need SIMD_GUARD_TINY */

    /* For the first i-particle of the job: returns the number of neighbours,
     * and writes the indices of the first `max`. */
    uint64_t (*neighbours)(const struct simd_jerk_job *job, size_t max,
                           uint64_t *index);
};

#endif
