/* SPDX-License-Identifier: MIT */
/*
 * The operators of backend/fmm.h in one number type. The lanes of a vector are
 * particles, children of a cell, or source cells of one target cell. Include
 * after defining
 *
 *     #define KOSHU_REAL, KOSHU_TYPED(name)   as kernels.h says
 *     #define SCALAR, LANES   the type and the number of the lanes
 *     #define COEFFICIENTS    of struct koshu_expansion: f32, f64
 *     #define PAIRS, NEAR     the sums over near pairs, and over near leaves
 *     #define CORES           the correction for vortex cores
 *     #define GAUSSIANS       sums of vortices' Gaussians, in double
 *     #define ADD_M2L         as expansion_m2l(), but v is kept, and adds to
 *                             `other`
 *     KOSHU_TYPED(inverse_root)(r2)   1 / sqrt(r2), 0 of 0
 *     KOSHU_TYPED(transpose)(v)       LANES vectors: lane k of the l-th
 *                                     becomes lane l of the k-th
 *
 * No include guard: once per number type.
 */
#include "backend/fmm_cells.h"
#include "backend/fmm_particles.h"
#include "backend/fmm_pairs.h"
#include "backend/fmm_softening.h"

static const struct koshu_fmm_kernels KOSHU_TYPED(fmm_kernels) = {
        .real = sizeof(SCALAR),
        .softening = &KOSHU_TYPED(softening_kernels),
        .p2m = KOSHU_TYPED(p2m),
        .m2m = KOSHU_TYPED(m2m),
        .m2l = KOSHU_TYPED(m2l),
        .l2l = KOSHU_TYPED(l2l),
        .l2p = KOSHU_TYPED(l2p),
        .near = NEAR,
        .pairs = PAIRS,
        .cores = CORES,
        .gaussians = GAUSSIANS};
