/* SPDX-License-Identifier: MIT */
/*
 * All kernels of one instruction set: compiled once for each, by a file
 * kernels_*.c with its own compiler options, after defining
 *
 *     #define ISA_KERNEL   the name of the function that returns a kernel
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "backend/simd/range.h"
#include "backend/simd/variants.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

/* i-particles that share each load of a j-vector, limited by the number of
 * registers. */
#if defined(__AVX512F__) || defined(__aarch64__)
enum { MAX_WIDTH = 2 };
#else
enum { MAX_WIDTH = 1 };
#endif

/* Compile-time variants of a kernel. */
struct variant {
    enum root root;
    bool potential;
    bool zero_safe; /* r may be zero */
};

/* ---- forces that cancel -------------------------------------------------- */

/*
 * The difference of floats x_j - x_i loses the digits of x_i below the last
 * digit of x_j. For all distant j-particles these are the same digits, so the
 * error does not average out: it is about 2e-9 of the sum of all |m d / r^3|.
 * That is negligible unless forces from all sides cancel, as in the middle of a
 * cluster. So i-particles whose force is less than CANCELLATION times that sum
 * (one in a thousand in a Plummer sphere) are recomputed in mixed precision, if
 * there are so many j-particles that finding them costs little.
 */
#define CANCELLATION (1.0 / 16)
enum { CANCELLATION_FROM = 256, SAMPLE = 16 };

/* ---- the sums, in each number type --------------------------------------- */

/* Vectors per tile: sums over a tile are rounded to float. */
#define TILE_VECTORS 32

#include "backend/simd/real_f32.h"
#include "backend/simd/gravity_pair.h"
#include "backend/simd/sum.h"
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#include "backend/simd/gravity_pair.h"
#include "backend/simd/sum.h"
#include "backend/simd/real_end.h"

/* ---- one function for each variant --------------------------------------- */

KERNELS(do_job_f64, struct simd_job, mixed, ROOT_MIXED, ROOT_MIXED_A)
KERNELS(do_job_f64, struct simd_job, full, ROOT_DOUBLE, ROOT_DOUBLE)
KERNELS(do_job_f32, struct simd_job, fast, ROOT_FAST, ROOT_FAST)
KERNELS(do_job_f32, struct simd_job, once, ROOT_SINGLE, ROOT_SINGLE_A)

/* once_*, and mixed_* for forces that nearly cancel. */
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
