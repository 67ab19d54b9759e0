/* SPDX-License-Identifier: MIT */
/*
 * The kernels of each instruction set, and the jobs that they do.
 */
#ifndef KOSHU_BACKEND_SIMD_KERNEL_H
#define KOSHU_BACKEND_SIMD_KERNEL_H

#include <stddef.h>

#include "backend/backend.h"

enum {
    SIMD_JOB_I = 512,   /* i-particles of one job, at most */
    SIMD_J_GRAIN = 4096 /* a multiple of every kernel's tile of j-particles */
};

/*
 * i-particles of one set against the j-particles j_first ... j_last - 1 of
 * that set; i.self counts from the beginning of j. The i.n results are
 * overwritten; potential is NULL where it is not requested.
 */
struct simd_job {
    struct koshu_force_targets i;
    struct koshu_force_sources j;
    size_t j_first, j_last;
    double eps;
    struct koshu_force_sums result;
};

typedef void simd_kernel(const struct simd_job *job);

/* Softenings, other than 0, that sums with jerk can do in single and mixed
 * precision. */
#define SIMD_SMALLEST_EPS 1e-36
#define SIMD_LARGEST_EPS 1e18

/* Below this softening r^-3 of a coincident pair may overflow: kernels then
 * look for pairs at zero distance. */
#define SIMD_GUARD_F32 1e-12
#define SIMD_GUARD_F64 1e-100

#endif
