/* SPDX-License-Identifier: MIT */
#include "backend/simd/range.h"
#include "backend/simd/simd.h"

static const struct koshu_fmm_kernels *
kernels(const struct koshu_backend *backend, enum koshu_precision precision)
{
    return ((const struct simd_backend *)backend)->isa->fmm(precision);
}

static double *
from(double *results, size_t first)
{
    return results ? results + first : NULL;
}

static void
near(const struct koshu_backend *backend, const struct koshu_force_task *task,
     const struct koshu_force_targets *i, const struct koshu_force_sources *j,
     const struct koshu_force_sums *result)
{
    const struct simd_isa *isa = ((const struct simd_backend *)backend)->isa;
    simd_kernel *kernel = isa->kernel(task);
    for (size_t k = 0; k < i->n; k += SIMD_JOB_I) {
        const size_t n = i->n - k < SIMD_JOB_I ? i->n - k : SIMD_JOB_I;
        const struct simd_job job = {.i = {n, i->x + k, i->y + k, i->z + k,
                                           i->self ? i->self + k : NULL},
                                     .j = *j,
                                     .j_last = j->n,
                                     .eps = task->eps,
                                     .result = {result->ax + k, result->ay + k,
                                                result->az + k,
                                                from(result->potential, k)}};
        kernel(&job);
    }
}

const struct koshu_fmm_ops koshu_simd_fmm = {.kernels = kernels, .near = near};
