/* SPDX-License-Identifier: MIT */
/*
 * Vectors of the instruction set that this file is compiled for: vector types
 * of GCC and Clang, whose operators work lane by lane, and the few operations
 * that C has no operator for. Only this file and lanes.h have intrinsics.
 *
 *     vector_f32, vector_f64    LANES_F32 floats, LANES_F64 doubles
 *     mask_f32, mask_f64        results of comparisons: 0 or -1 per lane
 */
#ifndef KOSHU_BACKEND_SIMD_VECTOR_H
#define KOSHU_BACKEND_SIMD_VECTOR_H

#include <math.h>
#include <stdint.h>

#include "kernels/kernels.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* VECTOR_INTRINSIC(add_ps): the x86 intrinsic for vectors of this width. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define VECTOR_INTRINSIC(name) _mm512_##name
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#define VECTOR_INTRINSIC(name) _mm256_##name
#else
#define VECTOR_BYTES 16
#if defined(__SSE2__)
#define VECTOR_INTRINSIC(name) _mm_##name
#endif
#endif

enum { LANES_F32 = VECTOR_BYTES / 4, LANES_F64 = VECTOR_BYTES / 8 };

typedef float vector_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double vector_f64 __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t mask_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t mask_f64 __attribute__((vector_size(VECTOR_BYTES)));

#define VECTOR_FN static inline __attribute__((always_inline, unused))

/* Interleaves the lanes k, k + 1, ... of a and b, as many as a vector has. */
#define INTERLEAVE_2(a, b, k) __builtin_shufflevector(a, b, k, 2 + k)
#define INTERLEAVE_4(a, b, k) \
    __builtin_shufflevector(a, b, k, 4 + k, 1 + k, 5 + k)
#define INTERLEAVE_8(a, b, k)                                            \
    __builtin_shufflevector(a, b, k, 8 + k, 1 + k, 9 + k, 2 + k, 10 + k, \
                            3 + k, 11 + k)
#define INTERLEAVE_16(a, b, k)                                             \
    __builtin_shufflevector(a, b, k, 16 + k, 1 + k, 17 + k, 2 + k, 18 + k, \
                            3 + k, 19 + k, 4 + k, 20 + k, 5 + k, 21 + k,   \
                            6 + k, 22 + k, 7 + k, 23 + k)
#if VECTOR_BYTES == 64
#define INTERLEAVE_F32 INTERLEAVE_16
#define INTERLEAVE_F64 INTERLEAVE_8
#elif VECTOR_BYTES == 32
#define INTERLEAVE_F32 INTERLEAVE_8
#define INTERLEAVE_F64 INTERLEAVE_4
#else
#define INTERLEAVE_F32 INTERLEAVE_4
#define INTERLEAVE_F64 INTERLEAVE_2
#endif

/* ---- reciprocal square roots --------------------------------------------- */

/*
 * How a kernel computes 1 / sqrt(r2); d is the largest relative error of
 * rsqrt_estimate_*().
 */
enum root {
    ROOT_EXACT,  /* rsqrt_exact_*() */
    ROOT_BARE,   /* the estimate itself */
    ROOT_NEWTON, /* one Newton step, twice the root: 3/2 d^2 */
    ROOT_THIRD,  /* one step of third order: 5/2 d^3 */
    ROOT_TWICE,  /* two Newton steps, twice the root: 27/8 d^4 */
    ROOT_CUBED   /* 1 / r^3 directly, for accelerations only: 15/2 d^2 */
};

/* The factor by which a kernel's 1 / sqrt(r2) is too large. ROOT_CUBED does not
 * compute it. */
VECTOR_FN double
root_factor(const enum root root)
{
    return root == ROOT_NEWTON || root == ROOT_TWICE ? 2 : 1;
}

/*
 * Each instruction set defines the roots of single, mixed (accurate to 2e-8)
 * and double precision: ROOT_SINGLE, ROOT_MIXED, ROOT_DOUBLE, and ROOT_*_A for
 * accelerations only. ROOT_FAST is the estimate itself; ROOT_ROUGH is accurate
 * to 6e-5.
 */
#if defined(__AVX512F__) /* d = 2^-14 */
#define ROOT_SINGLE ROOT_NEWTON
#define ROOT_SINGLE_A ROOT_CUBED
#define ROOT_FAST ROOT_BARE
#define ROOT_ROUGH ROOT_BARE
#define ROOT_MIXED ROOT_NEWTON
#define ROOT_MIXED_A ROOT_CUBED
#define ROOT_DOUBLE ROOT_TWICE

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    return _mm512_rsqrt14_ps(x);
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return _mm512_rsqrt14_pd(x);
}

#elif defined(__SSE2__) /* d = 1.5 * 2^-12; in float, so for |x| < 3e38 */
#define ROOT_SINGLE ROOT_THIRD
#define ROOT_SINGLE_A ROOT_THIRD
#define ROOT_FAST ROOT_BARE
#define ROOT_ROUGH ROOT_THIRD
#define ROOT_MIXED ROOT_THIRD
#define ROOT_MIXED_A ROOT_THIRD
#define ROOT_DOUBLE ROOT_EXACT

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    return VECTOR_INTRINSIC(rsqrt_ps)(x);
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    return VECTOR_INTRINSIC(cvtps_pd)(
            _mm_rsqrt_ps(VECTOR_INTRINSIC(cvtpd_ps)(x)));
}

#elif defined(__aarch64__) /* d = 2^-15: 8 bits and one step */
#define ROOT_SINGLE ROOT_NEWTON
#define ROOT_SINGLE_A ROOT_CUBED
#define ROOT_FAST ROOT_BARE
#define ROOT_ROUGH ROOT_BARE
#define ROOT_MIXED ROOT_NEWTON
#define ROOT_MIXED_A ROOT_CUBED
#define ROOT_DOUBLE ROOT_EXACT

VECTOR_FN vector_f32
rsqrt_estimate_f32(vector_f32 x)
{
    float32x4_t r2 = (float32x4_t)x, y = vrsqrteq_f32(r2);
    return (vector_f32)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(r2, y), y));
}

VECTOR_FN vector_f64
rsqrt_estimate_f64(vector_f64 x)
{
    float64x2_t r2 = (float64x2_t)x, y = vrsqrteq_f64(r2);
    return (vector_f64)vmulq_f64(y, vrsqrtsq_f64(vmulq_f64(r2, y), y));
}

#else
#define ROOT_SINGLE ROOT_EXACT
#define ROOT_SINGLE_A ROOT_EXACT
#define ROOT_FAST ROOT_EXACT
#define ROOT_ROUGH ROOT_EXACT
#define ROOT_MIXED ROOT_EXACT
#define ROOT_MIXED_A ROOT_EXACT
#define ROOT_DOUBLE ROOT_EXACT
#define rsqrt_estimate_f32 rsqrt_exact_f32
#define rsqrt_estimate_f64 rsqrt_exact_f64
#endif

VECTOR_FN vector_f32
rsqrt_exact_f32(vector_f32 x)
{
    for (int k = 0; k < LANES_F32; k++) x[k] = sqrtf(x[k]);
    return 1 / x;
}

VECTOR_FN vector_f64
rsqrt_exact_f64(vector_f64 x)
{
#if defined(__SSE2__) && !defined(__AVX512F__)
    return 1 / VECTOR_INTRINSIC(sqrt_pd)(x);
#else
    for (int k = 0; k < LANES_F64; k++) x[k] = sqrt(x[k]);
    return 1 / x;
#endif
}

/* ---- in each number type ------------------------------------------------- */

#include "backend/simd/real_f32.h"
#include "backend/simd/lanes.h"
#include "backend/simd/real_end.h"

#include "backend/simd/real_f64.h"
#include "backend/simd/lanes.h"
#include "backend/simd/real_end.h"

/* ---- conversion ---------------------------------------------------------- */

/* LANES doubles, rounded to float. */
VECTOR_FN vector_f32
round_f32(const double *from)
{
    vector_f32 x;
    float lane[LANES_F32];
    for (int k = 0; k < LANES_F32; k++) lane[k] = (float)from[k];
    __builtin_memcpy(&x, lane, sizeof x);
    return x;
}

VECTOR_FN vector_f64
round_f64(const double *from)
{
    vector_f64 x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}

/* Rounds doubles to float and stores them in the lanes from `to` on. */
VECTOR_FN void
put_f32(float *to, vector_f64 from)
{
    typedef float half __attribute__((vector_size(VECTOR_BYTES / 2)));
    half x = __builtin_convertvector(from, half);
    __builtin_memcpy(to, &x, sizeof x);
}

VECTOR_FN void
put_f64(double *to, vector_f64 from)
{
    __builtin_memcpy(to, &from, sizeof from);
}

/* The rounding errors of that. */
VECTOR_FN vector_f64
rest_f32(vector_f64 x)
{
    typedef float half __attribute__((vector_size(VECTOR_BYTES / 2)));
    const half rounded = __builtin_convertvector(x, half);
    return x - __builtin_convertvector(rounded, vector_f64);
}

VECTOR_FN vector_f64
rest_f64(vector_f64 x)
{
    return x - x;
}

/* ---- sums over lanes ----------------------------------------------------- */

/*
 * Sums of four vectors, kept as four doubles each: lanes that are four apart
 * are added first, then accumulated in double. The four doubles are added only
 * after all tiles.
 */
struct lane_sums {
    double of[4][4];
};

VECTOR_FN double
total(const double lane[4])
{
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

#if VECTOR_BYTES == 64
/* Adds the two halves of a, and those of b. */
#define FOLD_HALVES_F32(a, b)                                                  \
    (__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, \
                             21, 22, 23) +                                     \
     __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26,   \
                             27, 28, 29, 30, 31))
#define FOLD_QUARTERS_F32(a, b)                                                \
    (__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19,   \
                             24, 25, 26, 27) +                                 \
     __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, \
                             28, 29, 30, 31))
#define FOLD_HALVES_F64(a, b)                                  \
    (__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + \
     __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15))

VECTOR_FN void
add_doubles(double *to, __m512d x)
{
    _mm512_storeu_pd(to, _mm512_loadu_pd(to) + x);
}

VECTOR_FN void
add_lanes_f32(struct lane_sums *sum, vector_f32 a, vector_f32 b, vector_f32 c,
              vector_f32 d)
{
    vector_f32 ab = FOLD_HALVES_F32(a, b), cd = FOLD_HALVES_F32(c, d);
    __m512 abcd = (__m512)FOLD_QUARTERS_F32(ab, cd);
    __m256 high = (__m256)_mm512_extractf64x4_pd((__m512d)abcd, 1);
    add_doubles(sum->of[0], _mm512_cvtps_pd(_mm512_castps512_ps256(abcd)));
    add_doubles(sum->of[2], _mm512_cvtps_pd(high));
}

VECTOR_FN void
add_lanes_f64(struct lane_sums *sum, vector_f64 a, vector_f64 b, vector_f64 c,
              vector_f64 d)
{
    add_doubles(sum->of[0], (__m512d)FOLD_HALVES_F64(a, b));
    add_doubles(sum->of[2], (__m512d)FOLD_HALVES_F64(c, d));
}

#else
typedef float quad_f32 __attribute__((vector_size(16)));
typedef double quad_f64 __attribute__((vector_size(32)));

VECTOR_FN void
add_quads(double to[4], vector_f32 x)
{
    quad_f32 part[LANES_F32 / 4];
    quad_f64 sum;
    __builtin_memcpy(part, &x, sizeof x);
    for (int k = 1; k < LANES_F32 / 4; k++) part[0] += part[k];
    __builtin_memcpy(&sum, to, sizeof sum);
    sum += __builtin_convertvector(part[0], quad_f64);
    __builtin_memcpy(to, &sum, sizeof sum);
}

VECTOR_FN void
add_lanes_f32(struct lane_sums *sum, vector_f32 a, vector_f32 b, vector_f32 c,
              vector_f32 d)
{
    add_quads(sum->of[0], a);
    add_quads(sum->of[1], b);
    add_quads(sum->of[2], c);
    add_quads(sum->of[3], d);
}

VECTOR_FN void
add_lanes_f64(struct lane_sums *sum, vector_f64 a, vector_f64 b, vector_f64 c,
              vector_f64 d)
{
    for (int k = 0; k < LANES_F64; k++) {
        sum->of[0][k] += a[k];
        sum->of[1][k] += b[k];
        sum->of[2][k] += c[k];
        sum->of[3][k] += d[k];
    }
}
#endif

#endif
