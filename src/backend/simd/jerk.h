/* SPDX-License-Identifier: MIT */
/*
 * The kernels of j-particle stores, of each instruction set.
 *
 * Predicted j-particles are kept in vectors as the sums want them: `lanes`
 * particles side by side, positions as precise as the sum takes differences of
 * them, the rest as it computes. Indices that are not set, and what
 * fills up the last vector, are padding particles: massless and far away.
 */
#ifndef KOSHU_BACKEND_SIMD_JERK_H
#define KOSHU_BACKEND_SIMD_JERK_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/backend.h"
#include "backend/host_store.h"
#include "backend/simd/units.h"

enum {
    SIMD_JERK_I = 256,     /* i-particles of one job, at most */
    SIMD_JERK_GRAIN = 512, /* particles: a multiple of every kernel's tile */
    SIMD_JERK_ROUND = 16   /* a multiple of every vector, and of a block */
};

/*
 * i-particles against the j-particles of the indices j_first ... j_last - 1;
 * j_first is a multiple of SIMD_JERK_GRAIN. Indices excluded[excluded_first[k]]
 * ... excluded[excluded_first[k + 1] - 1], in ascending order, are those of
 * i-particle k's own id.
 */
struct simd_jerk_job {
    const void *predicted;
    const bool *is_set; /* indices that are not have no mass and are far away */
    size_t j_first, j_last;
    size_t n;
    const struct koshu_i_particle *i;
    const size_t *excluded_first, *excluded;
    double eps;
    struct koshu_jerk_result *result; /* overwritten, but for nearest ones */
};

/* What a kernel does about pairs at zero distance. */
enum simd_guard {
    SIMD_UNGUARDED,  /* nothing: the softening is enough */
    SIMD_GUARD_ZERO, /* eps = 0: leaves them out */
    SIMD_GUARD_TINY, /* computes what they give apart: it may be no float */
    SIMD_GUARDS
};

typedef void simd_jerk_kernel(const struct simd_jerk_job *job);

/* Indices first ... last - 1 to `time`; first is a multiple of SIMD_JERK_GRAIN.
 * There is memory up to the next multiple of SIMD_JERK_ROUND. */
struct simd_prediction {
    void *predicted;
    const struct host_store *from;
    size_t first, last;
    double time;
    struct simd_units units;
};

/* What there is for one precision. */
struct simd_jerk {
    size_t lanes, vector_size; /* of the predicted vectors */

    void (*predict)(const struct simd_prediction *p);
    bool scales; /* the caller's units are none for it */

    simd_jerk_kernel *sum[2][SIMD_GUARDS]; /* [with nearest neighbours] */
    double tiny; /* softenings below this, other than 0 */

    /* Of the first i-particle of the job: how many, and the first `max`. */
    uint64_t (*neighbours)(const struct simd_jerk_job *job, size_t max,
                           uint64_t *index);
};

#endif
