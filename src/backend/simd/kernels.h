/* SPDX-License-Identifier: MIT */
/*
 * All kernels of one instruction set: compiled once for each, by a file
 * isa_*.c with its own compiler options, after
 *
 *     #define ISA_KERNEL   the name of the function that finds a kernel
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backend/simd/kernel.h"
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
#undef KOSHU_REAL
#undef KOSHU_TYPED

#define KOSHU_REAL vector_f64
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/rsqrt.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

/* What a kernel is compiled for. */
struct variant {
    enum root root;
    bool potential;
    bool guarded; /* r may be zero */
};

/* What sums must be multiplied by. */
struct scale {
    double a, mr;
};

VECTOR_FN struct scale
scale_of(const enum root root)
{
    switch (root) {
    case ROOT_BARE:
    case ROOT_THIRD: break;
    case ROOT_NEWTON:
    case ROOT_TWICE: return (struct scale){0.125, 0.5};
    case ROOT_CUBED: return (struct scale){KOSHU_GRAVITY_ESTIMATE_SCALE, 1};
    }
    return (struct scale){1, 1};
}

VECTOR_FN vector_f32
root_f32(vector_f32 r2, vector_f32 y, const enum root root)
{
    if (root == ROOT_NEWTON) return rsqrt_newton_twice_f32(r2, y);
    if (root == ROOT_THIRD) return rsqrt_third_order_f32(r2, y);
    return y;
}

VECTOR_FN vector_f64
root_f64(vector_f64 r2, vector_f64 y, const enum root root)
{
    if (root == ROOT_TWICE)
        return rsqrt_newton_twice_f64(r2, 0.5 * rsqrt_newton_twice_f64(r2, y));
    return y;
}

static void
store(const struct simd_job *job, double sum[][4], struct scale scale)
{
    for (size_t i = 0; i < job->i.n; i++) {
        job->result.ax[i] = sum[i][0] * scale.a;
        job->result.ay[i] = sum[i][1] * scale.a;
        job->result.az[i] = sum[i][2] * scale.a;
        if (job->result.potential)
            job->result.potential[i] = -sum[i][3] * scale.mr;
    }
}

/* ---- the sums, in each precision ---------------------------------------- */

#define KOSHU_REAL vector_f32
#define KOSHU_TYPED(name) name##_f32
#define SCALAR float
#define MASK mask_f32
#define LANES LANES_F32
#define SUM(name) name##_single
#define TILE_VECTORS 64
#define MIXED 0
#include "backend/simd/sum.h"
#undef SUM
#undef TILE_VECTORS
#undef MIXED

#define SUM(name) name##_mixed
#define TILE_VECTORS 32
#define MIXED 1
#include "backend/simd/sum.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED
#undef SCALAR
#undef MASK
#undef LANES
#undef SUM
#undef TILE_VECTORS
#undef MIXED

#define KOSHU_REAL vector_f64
#define KOSHU_TYPED(name) name##_f64
#define SCALAR double
#define MASK mask_f64
#define LANES LANES_F64
#define SUM(name) name##_double
#define TILE_VECTORS 64
#define MIXED 0
#include "backend/simd/sum.h"

/* ---- one function for each variant -------------------------------------- */

#define KERNEL(precision, name, root, potential, guarded)                    \
    static void name(const struct simd_job *job)                             \
    {                                                                        \
        do_job_##precision(job, (struct variant){root, potential, guarded}); \
    }
#define KERNELS(precision, name, root, root_acceleration)               \
    KERNEL(precision, name##_a, root_acceleration, false, false)        \
    KERNEL(precision, name##_a_guarded, root_acceleration, false, true) \
    KERNEL(precision, name##_ap, root, true, false)                     \
    KERNEL(precision, name##_ap_guarded, root, true, true)

KERNELS(single, fast, ROOT_BARE, ROOT_BARE)
KERNELS(single, single, ROOT_F32, ROOT_F32_A)
KERNELS(mixed, mixed, ROOT_F32, ROOT_F32_A)
KERNELS(double, full, ROOT_F64, ROOT_F64)

#define CHOICE(name)                     \
    {                                    \
        {name##_a, name##_a_guarded},    \
        {                                \
            name##_ap, name##_ap_guarded \
        }                                \
    }

simd_kernel *
ISA_KERNEL(const struct koshu_force_task *task)
{
    static simd_kernel *const kernels[][2][2] = {CHOICE(single), CHOICE(mixed),
                                                 CHOICE(full), CHOICE(fast)};
    bool fast = task->fast && task->precision == KOSHU_SINGLE;
    double guard =
            task->precision == KOSHU_DOUBLE ? SIMD_GUARD_F64 : SIMD_GUARD_F32;
    return kernels[fast ? 3 : task->precision][task->potential]
                  [task->eps < guard];
}
