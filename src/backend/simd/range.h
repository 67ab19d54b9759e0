/* SPDX-License-Identifier: MIT */
/*
 * Do the sums of single and mixed precision fit floats in the caller's units
 * (kernels/float_range.h)? If not, sums are computed in double.
 */
#ifndef KOSHU_BACKEND_SIMD_RANGE_H
#define KOSHU_BACKEND_SIMD_RANGE_H

#include "backend/simd/kernel.h"

/* Largest and smallest absolute values; NaN is ignored. */
struct simd_range {
    double reach;          /* the largest coordinate */
    double largest, least; /* of masses; least: nonzero, infinite if there is
                            * none */
};

/* The particles of a batch. */
struct simd_range
koshu_simd_range_of_batch(const struct koshu_force_batch *batch, int threads);

/* Is every term of a sum a normal float, except for pairs that are too near?
 * Sums that contain those become infinite or NaN. */
bool koshu_simd_range_fits(const struct simd_range *range,
                           enum koshu_precision precision, double eps);

/* ---- recompute.c --------------------------------------------------------- */

/* Does the job for the n i-particles which[] only. */
void koshu_simd_recompute(const struct simd_job *job, const size_t *which,
                          size_t n, simd_kernel *kernel);

/* Recomputes sums that are infinite or NaN. Returns true if others are so weak
 * that they may lack terms that underflowed. */
bool koshu_simd_recompute_lost(const struct simd_job *job, simd_kernel *kernel);

#endif
