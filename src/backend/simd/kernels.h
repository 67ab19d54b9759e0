/* SPDX-License-Identifier: MIT */
/*
 * All kernels of one instruction set: compiled once for each, by a file
 * kernels_*.c with its own compiler options, after
 *
 *     #define ISA_KERNEL   the name of the function that finds a kernel
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backend/simd/kernel.h"
#include "backend/simd/range.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

/* i-particles that share one load of a j-vector: as many as there are
 * registers for. */
#if defined(__AVX512F__) || defined(__aarch64__)
enum { MAX_WIDTH = 2 };
#else
enum { MAX_WIDTH = 1 };
#endif

/* ---- formulas ----------------------------------------------------------- */

#define KOSHU_REAL vector_f32
#define KOSHU_TYPED(name) name##_f32
#include "kernels/gravity.h"
#include "kernels/rsqrt.h"
#include "backend/simd/root.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

#define KOSHU_REAL vector_f64
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/rsqrt.h"
#include "backend/simd/root.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

#include "backend/simd/scale.h"

/* What a kernel is compiled for. */
struct variant {
    enum root root;
    bool potential;
    bool zero_safe; /* r may be zero */
};

static void
store(const struct simd_job *job, const struct lane_sums *sum,
      struct scale scale)
{
    const struct koshu_force_sums *r = &job->result;
    for (size_t i = 0; i < job->i.n; i++) {
        r->ax[i] = total(sum[i].of[0]) * scale.a;
        r->ay[i] = total(sum[i].of[1]) * scale.a;
        r->az[i] = total(sum[i].of[2]) * scale.a;
        if (r->potential) r->potential[i] = -total(sum[i].of[3]) * scale.mr;
    }
}

/* ---- forces that cancel ---------------------------------------------------
 */

/*
 * A difference of floats x_j - x_i loses the digits of x_i that are below the
 * last one of x_j, the same digits for all distant j-particles: an error that
 * does not average out, about 2e-9 of the sum of all |m d / r^3|. It is small
 * beside the force but where forces from all sides cancel, as in the middle of
 * a cluster. i-particles whose force is less than the CANCELLATIONth part of
 * that sum (one in a thousand in a Plummer sphere) are recomputed in mixed
 * precision, where there are so many j-particles that finding them costs
 * little.
 */
#define CANCELLATION (1.0 / 16)
enum { CANCELLATION_FROM = 256, SAMPLE = 16 };

/* ---- the sums, in each number type ------------------------------------- */

/* Vectors in a tile: the sums of so many numbers are rounded to float. */
#define TILE_VECTORS 32

#define KOSHU_REAL vector_f32
#define KOSHU_TYPED(name) name##_f32
#define SCALAR float
#define MASK mask_f32
#define LANES LANES_F32
#include "backend/simd/sum.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED
#undef SCALAR
#undef MASK
#undef LANES

#define KOSHU_REAL vector_f64
#define KOSHU_TYPED(name) name##_f64
#define SCALAR double
#define MASK mask_f64
#define LANES LANES_F64
#include "backend/simd/sum.h"

/* ---- one function for each variant -------------------------------------- */

#define KERNEL(type, name, root, potential, zero_safe)                     \
    static __attribute__((noinline)) void name(const struct simd_job *job) \
    {                                                                      \
        do_job_##type(job, (struct variant){root, potential, zero_safe});  \
    }
#define KERNELS(type, name, root, root_a)                 \
    KERNEL(type, name##_a, root_a, false, false)          \
    KERNEL(type, name##_a_zero_safe, root_a, false, true) \
    KERNEL(type, name##_ap, root, true, false)            \
    KERNEL(type, name##_ap_zero_safe, root, true, true)

KERNELS(f64, mixed, ROOT_MIXED, ROOT_MIXED_A)
KERNELS(f64, full, ROOT_DOUBLE, ROOT_DOUBLE)
KERNELS(f32, fast, ROOT_FAST, ROOT_FAST)
KERNELS(f32, once, ROOT_SINGLE, ROOT_SINGLE_A)

/* once_*, and mixed_* for the forces that nearly cancel. */
#define SINGLE(name, zero_safe)                                     \
    static void single_##name(const struct simd_job *job)           \
    {                                                               \
        size_t which[SIMD_JOB_I];                                   \
        once_##name(job);                                           \
        if (job->j_last - job->j_first < CANCELLATION_FROM) return; \
        size_t n = find_cancellations_f32(                          \
                job, which,                                         \
                (struct variant){ROOT_SINGLE_A, false, zero_safe}); \
        koshu_simd_recompute(job, which, n, mixed_##name);          \
    }
SINGLE(a, false)
SINGLE(a_zero_safe, true)
SINGLE(ap, false)
SINGLE(ap_zero_safe, true)

#define CHOICE(name)                       \
    {                                      \
        {name##_a, name##_a_zero_safe},    \
        {                                  \
            name##_ap, name##_ap_zero_safe \
        }                                  \
    }

simd_kernel *
ISA_KERNEL(const struct koshu_force_task *task)
{
    static simd_kernel *const kernels[][2][2] = {CHOICE(single), CHOICE(mixed),
                                                 CHOICE(full), CHOICE(fast)};
    bool fast = task->fast && task->precision == KOSHU_PRECISION_SINGLE;
    double guard = task->precision == KOSHU_PRECISION_DOUBLE ? SIMD_GUARD_F64
                                                             : SIMD_GUARD_F32;
    return kernels[fast ? 3 : task->precision][task->potential]
                  [task->eps < guard];
}
