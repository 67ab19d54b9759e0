/* SPDX-License-Identifier: MIT */
/*
 * The kernels with jerk of one instruction set: compiled once for each, by a
 * file jerk_kernels_*.c with its own compiler options, after defining
 *
 *     #define ISA_JERK   the name of the function that returns them
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

/* Compile-time variants of a kernel. */
struct variant {
    enum root root;
    bool nearest;
    enum simd_guard guard;
};

/* Vectors per tile: sums over a tile are rounded to float. */
enum { TILE_VECTORS = 32 };

/*
 * Coordinates of the last vector's empty lanes: further from any particle than
 * all others, lest one of them become the nearest neighbour, while the square
 * of that distance and its inverse are still finite. In float units particles
 * are nearer than 1e18, or moved there. Mixed precision uses the same, as its
 * root is taken from floats, too.
 */
#define FAR_FOR_FLOAT 4e18f
#define FAR_FOR_DOUBLE 1e150

/* ---- the sums of one i-particle ------------------------------------------ */

/* Lane sums of a, of m / r and of the jerk. */
struct jerk_lanes {
    struct lane_sums a_mr, jerk;
};

static void
store(struct koshu_jerk_result *to, const struct jerk_lanes *sum, double factor)
{
    double f = 1 / factor, f3 = f * f * f;
    for (int c = 0; c < 3; c++) {
        to->a[c] = total(sum->a_mr.of[c]) * f3;
        to->jerk[c] = total(sum->jerk.of[c]) * f3;
    }
    to->potential = -total(sum->a_mr.of[3]) * f;
}

/* ---- in each number type ------------------------------------------------- */

#include "backend/simd/real_f64.h"
#include "kernels/hermite.h"
#include "backend/simd/real_end.h"

#include "backend/simd/real_f32.h"
#include "backend/simd/jerk_vector.h"
#include "backend/simd/jerk_near.h"
#include "backend/simd/jerk_sum.h"
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#include "backend/simd/jerk_vector.h"
#include "backend/simd/jerk_near.h"
#include "backend/simd/jerk_sum.h"
#include "backend/simd/real_end.h"

/* ---- one function for each variant --------------------------------------- */

#define KERNEL(type, name, root, nearest, guard)                    \
    static __attribute__((noinline)) void name(                     \
            const struct simd_jerk_job *job)                        \
    {                                                               \
        do_job_##type(job, (struct variant){root, nearest, guard}); \
    }
#define KERNELS(type, name, root)                                  \
    KERNEL(type, name, root, false, SIMD_UNGUARDED)                \
    KERNEL(type, name##_zero, root, false, SIMD_GUARD_ZERO)        \
    KERNEL(type, name##_tiny, root, false, SIMD_GUARD_TINY)        \
    KERNEL(type, name##_nearest, root, true, SIMD_UNGUARDED)       \
    KERNEL(type, name##_nearest_zero, root, true, SIMD_GUARD_ZERO) \
    KERNEL(type, name##_nearest_tiny, root, true, SIMD_GUARD_TINY)

/*
 * Mixed precision is double except for the root. Floats would not do: the terms
 * of a pair's force have about ten roundings of 3e-8, which leave 2.3e-8 in the
 * sum over the 16,384 particles of a Plummer sphere, and 7e-8 for 1024
 * particles.
 */
KERNELS(f32, single, ROOT_SINGLE)
KERNELS(f64, mixed, ROOT_MIXED)
KERNELS(f64, full, ROOT_DOUBLE)

#define PREDICT(type, name, far, max)                           \
    static void predict_##name(const struct simd_prediction *p) \
    {                                                           \
        predict_##type(p, far, max);                            \
    }
PREDICT(f32, single, FAR_FOR_FLOAT, 1e18)
PREDICT(f64, mixed, FAR_FOR_FLOAT, 1e18)
PREDICT(f64, full, FAR_FOR_DOUBLE, INFINITY)

#define CHOICE(type, name, type_lanes, smallest, in_floats)                  \
    {                                                                        \
        .lanes = type_lanes, .vector_size = sizeof(struct j_vector_##type),  \
        .predict = predict_##name, .scales = in_floats,                      \
        .sum = {{name, name##_zero, name##_tiny},                            \
                {name##_nearest, name##_nearest_zero, name##_nearest_tiny}}, \
        .tiny = smallest, .neighbours = neighbours_##type                    \
    }

const struct simd_jerk *
ISA_JERK(enum koshu_precision precision)
{
    static const struct simd_jerk choices[] = {
            CHOICE(f32, single, LANES_F32, SIMD_GUARD_F32, true),
            CHOICE(f64, mixed, LANES_F64, SIMD_GUARD_F32, true),
            CHOICE(f64, full, LANES_F64, SIMD_GUARD_F64, false)};
    return &choices[precision];
}
