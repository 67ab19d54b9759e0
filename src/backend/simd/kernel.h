/* SPDX-License-Identifier: MIT */
/*
 * The kernels of direct sums of each instruction set, and their jobs.
 */
#ifndef KOSHU_BACKEND_SIMD_KERNEL_H
#define KOSHU_BACKEND_SIMD_KERNEL_H

#include <stddef.h>

#include "backend/backend.h"

enum {
    SIMD_JOB_I = 512,   /* most i-particles of one job */
    SIMD_J_GRAIN = 4096 /* a multiple of every kernel's tile of j-particles */
};

/*
 * A job: i-particles of one set against the j-particles j_first ... j_last - 1
 * of that set; i.self counts from the start of j. The i.n results are
 * overwritten; potential is NULL if it is not requested.
 */
struct simd_job {
    struct koshu_force_targets i;
    struct koshu_force_sources j;
    size_t j_first, j_last;
    double eps;
    struct koshu_force_sums result;
};

typedef void simd_kernel(const struct simd_job *job);

/* The range of nonzero softenings that sums with jerk support in single and
 * mixed precision. */
#define SIMD_SMALLEST_EPS 1e-36
#define SIMD_LARGEST_EPS 1e18

/* Below this softening r^-3 of a coincident pair may overflow, so kernels check
 * for pairs at zero distance. */
#define SIMD_GUARD_F32 1e-12
#define SIMD_GUARD_F64 1e-100

#endif
