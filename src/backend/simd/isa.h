/* SPDX-License-Identifier: MIT */
/*
 * The instruction sets of this build and their kernels.
 */
#ifndef KOSHU_BACKEND_SIMD_ISA_H
#define KOSHU_BACKEND_SIMD_ISA_H

#include "backend/compiled/compiled.h"
#include "backend/fmm.h"
#include "backend/simd/jerk.h"
#include "backend/simd/kernel.h"
#include "backend/simd/walk.h"

struct simd_isa {
    const char *name;   /* the value of KOSHU_ISA that selects it: "avx512" */
    const char *title;  /* for the user: "AVX-512" */
    bool (*runs)(void); /* does this processor have it? */
    simd_kernel *(*kernel)(const struct koshu_force_task *task);
    const struct simd_jerk *(*jerk)(enum koshu_precision precision);
    simd_walk_kernel *(*walk)(const struct koshu_walk_task *task);
    const struct koshu_fmm_kernels *(*fmm)(enum koshu_precision precision);
    struct compiled_target target; /* for compilers of user-defined
                                    * interactions */
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

/* Instruction sets of this build, the best first; NULL past the last. The last
 * one, "base", is the compiler's default and runs on every processor of the
 * architecture. */
const struct simd_isa *koshu_simd_isa_at(size_t k);

/*
 * The instruction set that the environment variable KOSHU_ISA names, else the
 * best one that this processor has. Status: KOSHU_ERROR_INVALID_ARGUMENT
 * (KOSHU_ISA names none of them).
 */
koshu_status koshu_simd_isa_choose(struct koshu_context *context,
                                   const struct simd_isa **isa);

#endif
