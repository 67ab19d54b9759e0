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
    case ROOT_EXACT:
    case ROOT_BARE:
    case ROOT_THIRD: break;
    case ROOT_NEWTON:
    case ROOT_TWICE: return (struct scale){0.125, 0.5};
    case ROOT_CUBED: return (struct scale){KOSHU_GRAVITY_ESTIMATE_SCALE, 1};
    }
    return (struct scale){1, 1};
}

static void
store(const struct simd_job *job, const struct lane_sums *sum,
      struct scale scale)
{
    const struct koshu_force_result *r = &job->result;
    for (size_t i = 0; i < job->i.n; i++) {
        r->ax[i] = total(sum[i].of[0]) * scale.a;
        r->ay[i] = total(sum[i].of[1]) * scale.a;
        r->az[i] = total(sum[i].of[2]) * scale.a;
        if (r->potential) r->potential[i] = -total(sum[i].of[3]) * scale.mr;
    }
}

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

KERNELS(f32, single, ROOT_SINGLE, ROOT_SINGLE_A)
KERNELS(f64, mixed, ROOT_MIXED, ROOT_MIXED_A)
KERNELS(f64, full, ROOT_DOUBLE, ROOT_DOUBLE)
KERNELS(f32, fast, ROOT_FAST, ROOT_FAST)

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
