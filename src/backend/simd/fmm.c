/* SPDX-License-Identifier: MIT */
/* The FMM operators of the instruction set in use. */
#include "backend/simd/simd.h"

static const struct koshu_fmm_kernels *
kernels(const struct koshu_backend *backend, enum koshu_precision precision)
{
    return ((const struct simd_backend *)backend)->isa->fmm(precision);
}

const struct koshu_fmm_ops koshu_simd_fmm = {.kernels = kernels};
