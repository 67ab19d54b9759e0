/* SPDX-License-Identifier: MIT */
/*
 * Vectors of the instruction set that this file is compiled for: types of
 * GCC and Clang, whose operators work lane by lane, and the few operations
 * that C has no operator for. The only file of koshu with intrinsics.
 *
 *     vector_f32, vector_f64    LANES_F32 floats, LANES_F64 doubles
 *     mask_f32, mask_f64        what comparing them gives: 0 or -1 per lane
 */
#ifndef KOSHU_BACKEND_SIMD_VECTOR_H
#define KOSHU_BACKEND_SIMD_VECTOR_H

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

enum { LANES_F32 = VECTOR_BYTES / 4, LANES_F64 = VECTOR_BYTES / 8 };

typedef float vector_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double vector_f64 __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t mask_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t mask_f64 __attribute__((vector_size(VECTOR_BYTES)));
typedef float half_f32 __attribute__((vector_size(VECTOR_BYTES / 2)));

#define VECTOR_FN static inline __attribute__((always_inline, unused))

/* x where the mask is set, 0 elsewhere; whatever x is there, NaN too. */
VECTOR_FN vector_f32
keep_f32(vector_f32 x, mask_f32 mask)
{
    return (vector_f32)((mask_f32)x & mask);
}

VECTOR_FN vector_f64
keep_f64(vector_f64 x, mask_f64 mask)
{
    return (vector_f64)((mask_f64)x & mask);
}

/* How a kernel gets from the estimate of 1 / sqrt(r2) to the force; d is the
 * estimate's largest relative error. */
enum root {
    ROOT_BARE,   /* the estimate as it is */
    ROOT_NEWTON, /* one Newton step, twice the root: 3/2 d^2 */
    ROOT_THIRD,  /* one step of third order: 5/2 d^3 */
    ROOT_TWICE,  /* two Newton steps, twice the root: 27/8 d^4 */
    ROOT_CUBED   /* 1 / r^3 at once, for the acceleration alone: 15/2 d^2 */
};

/* rsqrt_estimate_*, and what full accuracy needs after it: ROOT_F32,
 * ROOT_F32_A for the acceleration alone, ROOT_F64. */
#if defined(__AVX512F__)
#define ROOT_F32 ROOT_NEWTON
#define ROOT_F32_A ROOT_CUBED
#define ROOT_F64 ROOT_TWICE

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    return (vector_f32)_mm512_rsqrt14_ps((__m512)x);
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return (vector_f64)_mm512_rsqrt14_pd((__m512d)x);
}

#elif defined(__AVX2__)
#define ROOT_F32 ROOT_THIRD
#define ROOT_F32_A ROOT_THIRD
#define ROOT_F64 ROOT_BARE

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    return (vector_f32)_mm256_rsqrt_ps((__m256)x);
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return 1 / (vector_f64)_mm256_sqrt_pd((__m256d)x);
}

#elif defined(__SSE2__)
#define ROOT_F32 ROOT_THIRD
#define ROOT_F32_A ROOT_THIRD
#define ROOT_F64 ROOT_BARE

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    return (vector_f32)_mm_rsqrt_ps((__m128)x);
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return 1 / (vector_f64)_mm_sqrt_pd((__m128d)x);
}

#elif defined(__aarch64__)
#define ROOT_F32 ROOT_NEWTON
#define ROOT_F32_A ROOT_CUBED
#define ROOT_F64 ROOT_BARE

/* 8 bits, and one step of the machine's own. */
VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    float32x4_t y = vrsqrteq_f32((float32x4_t)x);
    return (vector_f32)vmulq_f32(y,
                                 vrsqrtsq_f32(vmulq_f32((float32x4_t)x, y), y));
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return 1 / (vector_f64)vsqrtq_f64((float64x2_t)x);
}

#else
#define ROOT_F32 ROOT_BARE
#define ROOT_F32_A ROOT_BARE
#define ROOT_F64 ROOT_BARE

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    for (int k = 0; k < LANES_F32; k++) x[k] = 1 / sqrtf(x[k]);
    return x;
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    for (int k = 0; k < LANES_F64; k++) x[k] = 1 / sqrt(x[k]);
    return x;
}
#endif

/* ---- sums over lanes, in double precision -------------------------------- */

/* sum[0] += all lanes of a, ..., sum[3] += all lanes of d. */
VECTOR_FN void
add_lanes_f64(double sum[4], vector_f64 a, vector_f64 b, vector_f64 c,
              vector_f64 d)
{
    double s[4] = {0};
    for (int k = 0; k < LANES_F64; k++) {
        s[0] += a[k];
        s[1] += b[k];
        s[2] += c[k];
        s[3] += d[k];
    }
    for (int k = 0; k < 4; k++) sum[k] += s[k];
}

/* The two halves of x, lane by lane in double precision, added. */
VECTOR_FN vector_f64
fold_f32(vector_f32 x)
{
    half_f32 half[2];
    __builtin_memcpy(half, &x, sizeof x);
    return __builtin_convertvector(half[0], vector_f64) +
           __builtin_convertvector(half[1], vector_f64);
}

VECTOR_FN void
add_lanes_f32(double sum[4], vector_f32 a, vector_f32 b, vector_f32 c,
              vector_f32 d)
{
    add_lanes_f64(sum, fold_f32(a), fold_f32(b), fold_f32(c), fold_f32(d));
}

#endif
