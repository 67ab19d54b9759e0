/* SPDX-License-Identifier: MIT */
/*
 * Which instruction sets there are, and which is used.
 */
#ifndef KOSHU_BACKEND_SIMD_ISA_H
#define KOSHU_BACKEND_SIMD_ISA_H

#include "backend/compiled/compiled.h"
#include "backend/fmm.h"
#include "backend/simd/jerk.h"
#include "backend/simd/kernel.h"
#include "backend/simd/walk.h"

struct simd_isa {
    const char *name;   /* what KOSHU_ISA chooses it by: "avx512" */
    const char *title;  /* in words: "AVX-512" */
    bool (*runs)(void); /* does this processor have it? */
    simd_kernel *(*kernel)(const struct koshu_force_task *task);
    const struct simd_jerk *(*jerk)(enum koshu_precision precision);
    simd_walk_kernel *(*walk)(const struct koshu_walk_task *task);
    const struct koshu_fmm_kernels *(*fmm)(enum koshu_precision precision);
    struct compiled_target target; /* what a compiler is told of it */
};

#define SIMD_ISA_FUNCTIONS(isa)                                                \
    simd_kernel *koshu_simd_kernel_##isa(const struct koshu_force_task *task); \
    const struct simd_jerk *koshu_simd_jerk_##isa(                             \
            enum koshu_precision precision);                                   \
    simd_walk_kernel *koshu_simd_walk_##isa(                                   \
            const struct koshu_walk_task *task);                               \
    const struct koshu_fmm_kernels *koshu_simd_fmm_##isa(                      \
            enum koshu_precision precision)
SIMD_ISA_FUNCTIONS(avx512);
SIMD_ISA_FUNCTIONS(avx2);
SIMD_ISA_FUNCTIONS(sse42);
SIMD_ISA_FUNCTIONS(base);

/* Those of this build, the best first; the last, "base", is what the compiler
 * takes for granted, and runs anywhere. NULL past the last. */
const struct simd_isa *koshu_simd_isa_at(size_t k);

/*
 * The one that the environment variable KOSHU_ISA names, else the best that
 * this processor has. KOSHU_ERROR_INVALID_ARGUMENT: KOSHU_ISA names none of
 * these.
 */
koshu_status koshu_simd_isa_choose(struct koshu_context *context,
                                   const struct simd_isa **isa);

#endif
