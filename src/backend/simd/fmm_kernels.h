/* SPDX-License-Identifier: MIT */
/*
 * The operators of the fast multipole method in one instruction set: compiled
 * once for each, by a file fmm_kernels_*.c with its own compiler options, after
 * defining
 *
 *     #define ISA_FMM   the name of the function that returns them
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "backend/simd/vector.h"
#include "kernels/kernels.h"

/* Compile-time variants of a sum over near leaves. */
struct variant {
    enum root root;
    bool potential;
    bool zero_safe; /* r may be zero */
    bool split;     /* positions have high and low parts */
};

/* Vectors in a tile of sources; vectors of a tile that are summed separately,
 * for precision; targets whose sums are kept at a time. */
enum { NEAR_VECTORS = 64, NEAR_BLOCK = 16, NEAR_TARGETS = 256 };

static void pairs_single(const struct koshu_fmm_pairs *p);
static void near_single(const struct koshu_fmm_near *near);
static void near_double(const struct koshu_fmm_near *near);
static void
gaussians_f64(const struct koshu_fmm_rows *rows, const double *g, double *sums);

/* add_m2l_f32() and add_m2l_f64() of simd/translation.h. */
#define DECLARE_ADD_M2L(scalar, type)                                       \
    struct expansion_direction_##type;                                      \
    static void add_m2l_##type(                                             \
            const struct koshu_expansion *e, const scalar *coefficient,     \
            const struct expansion_direction_##type *d, vector_##type near, \
            vector_##type far, const vector_##type *v, vector_##type *sum)
DECLARE_ADD_M2L(float, f32);
DECLARE_ADD_M2L(double, f64);

#include "backend/simd/real_f32.h"
#define PAIRS pairs_single
#define NEAR near_single
#define ADD_M2L add_m2l_f32
#define COEFFICIENTS f32
#define ROOT ROOT_SINGLE
#define CORES cores_f32
#define GAUSSIANS gaussians_f64
#include "backend/simd/inverse_root.h"
#include "backend/simd/cores.h"
#include "backend/fmm_operators.h"
#include "backend/simd/gravity_pair.h"
#include "backend/simd/near.h"
#include "backend/simd/translation.h"
#undef CORES
#undef GAUSSIANS
#undef ROOT
#undef ADD_M2L
#undef PAIRS
#undef NEAR
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#define PAIRS pairs_f64
#define NEAR near_double
#define ADD_M2L add_m2l_f64
#define COEFFICIENTS f64
#define ROOT ROOT_DOUBLE
#define CORES cores_f64
#define GAUSSIANS gaussians_f64
#include "backend/simd/inverse_root.h"
#include "backend/simd/core_rows.h"
#include "backend/fmm_operators.h"
#include "backend/simd/gravity_pair.h"
#include "backend/simd/near.h"
#include "backend/simd/translation.h"
#undef CORES
#undef GAUSSIANS
#undef ROOT
#undef ADD_M2L
#undef PAIRS
#undef NEAR
#undef COEFFICIENTS
#include "backend/simd/real_end.h"

/* Uses double if a pair is so near that its contribution overflows floats. */
static void
pairs_single(const struct koshu_fmm_pairs *p)
{
    const size_t n = p->n_rhs * KOSHU_FMM_FIELDS * p->n_i;
    bool finite = true;
    pairs_f32(p);
    for (size_t k = 0; k < n; k++) finite &= isfinite(p->sums[k]) != 0;
    if (!finite) pairs_f64(p);
}

/* ---- near leaves --------------------------------------------------------- */

typedef void near_kernel(const struct koshu_fmm_near *near);

/* One function per variant. apart: any source may be at a target's position;
 * otherwise only the leaf's own particles may. */
#define NEAR_KERNEL(name, do_near, root, split)                    \
    static __attribute__((noinline)) void name##_apart(            \
            const struct koshu_fmm_near *near)                     \
    {                                                              \
        do_near(near, (struct variant){root, true, true, split});  \
    }                                                              \
    static __attribute__((noinline)) void name(                    \
            const struct koshu_fmm_near *near)                     \
    {                                                              \
        do_near(near, (struct variant){root, true, false, split}); \
    }
NEAR_KERNEL(fast, do_near_f32, ROOT_ROUGH, false)
NEAR_KERNEL(once, do_near_f32, ROOT_SINGLE, false)
NEAR_KERNEL(split, do_near_f32, ROOT_SINGLE, true)
NEAR_KERNEL(full, do_near_f64, ROOT_DOUBLE, false)

/* Calls full_apart() if a pair is so near that its contribution overflows, or
 * that its distance is rounded to 0. */
static void
near_checked(near_kernel *kernel, const struct koshu_fmm_near *near)
{
    const size_t n = KOSHU_FMM_HESSIAN * near->targets->cell[near->leaf].n;
    bool finite = true;
    kernel(near);
    for (size_t k = 0; k < n; k++) finite &= isfinite(near->sums[k]) != 0;
    if (!finite) full_apart(near);
}

static void
near_double(const struct koshu_fmm_near *near)
{
    near_checked(near->targets == near->sources ? full : full_apart, near);
}

static void
near_single(const struct koshu_fmm_near *near)
{
    static near_kernel *const kernels[][2] = {
            {fast_apart, fast}, {once_apart, once}, {split_apart, split}};
    const struct koshu_force_task *task = near->task;
    const bool single = task->precision == KOSHU_PRECISION_SINGLE;
    near_checked(
            kernels[!single ? 2 : !task->fast][near->targets == near->sources],
            near);
}

const struct koshu_fmm_kernels *
ISA_FMM(enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_DOUBLE ? &fmm_kernels_f64
                                               : &fmm_kernels_f32;
}
