/* SPDX-License-Identifier: MIT */
/*
 * Do floats hold the sums of single and mixed precision in the units of the
 * caller (kernels/float_range.h)? Where they do not, sums are taken in double.
 */
#ifndef KOSHU_BACKEND_SIMD_RANGE_H
#define KOSHU_BACKEND_SIMD_RANGE_H

#include "backend/simd/kernel.h"

/* Of numbers of any sign; NaN does not count. */
struct simd_range {
    double reach;          /* the largest coordinate */
    double largest, least; /* mass; least: that is not 0, infinite if none is */
};

/* The particles of a batch. */
struct simd_range
koshu_simd_range_of_batch(const struct koshu_force_batch *batch, int threads);

/* Is every term of a sum a normal float, but for pairs that are too near? Sums
 * with these are infinite, or NaN. */
bool koshu_simd_range_fits(const struct simd_range *range,
                           enum koshu_precision precision, double eps);

/* ---- recompute.c --------------------------------------------------------- */

/* The same job for the n i-particles which[] alone. */
void koshu_simd_recompute(const struct simd_job *job, const size_t *which,
                          size_t n, simd_kernel *kernel);

/* Recomputes those whose sums are infinite or NaN. true: others are so weak
 * that they may lack terms, which were no floats. */
bool koshu_simd_recompute_lost(const struct simd_job *job, simd_kernel *kernel);

#endif
