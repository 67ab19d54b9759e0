/* SPDX-License-Identifier: MIT */
/* Lane operations that C has no operator for; vector.h includes this file
 * between real_*.h and real_end.h. */
#include "kernels/rsqrt.h"

/* The same number in every lane. */
VECTOR_FN KOSHU_REAL
OF(every)(SCALAR x)
{
    return x - (KOSHU_REAL){0};
}

/* The sum of the lanes. */
VECTOR_FN double
OF(total)(KOSHU_REAL x)
{
    double sum = 0;
    for (int k = 0; k < LANES; k++) sum += x[k];
    return sum;
}

/* x where the mask is set, 0 elsewhere, even if x is NaN there. */
VECTOR_FN KOSHU_REAL
OF(keep)(KOSHU_REAL x, MASK mask)
{
    return (KOSHU_REAL)((MASK)x & mask);
}

VECTOR_FN KOSHU_REAL
OF(absolute)(KOSHU_REAL x)
{
    const MASK sign = (MASK) - (KOSHU_REAL){0};
    return OF(keep)(x, ~sign);
}

/* The smaller of both in each lane; b if one is NaN. */
VECTOR_FN KOSHU_REAL
OF(smaller)(KOSHU_REAL a, KOSHU_REAL b)
{
#ifdef VECTOR_INTRINSIC
    return PACKED(min)(a, b);
#else
    MASK first = a < b;
    return (KOSHU_REAL)(((MASK)a & first) | ((MASK)b & ~first));
#endif
}

/* Bit k is set if lane k of the mask is. */
VECTOR_FN unsigned
OF(bits)(MASK mask)
{
#if defined(__AVX512F__)
    const __m512i of = (__m512i)mask;
    return LANES == 8 ? _mm512_test_epi64_mask(of, of)
                      : _mm512_test_epi32_mask(of, of);
#elif defined(VECTOR_INTRINSIC)
    return (unsigned)PACKED(movemask)((KOSHU_REAL)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < LANES; k++) bits |= ((unsigned)mask[k] & 1u) << k;
    return bits;
#endif
}

/* Transposes LANES vectors: lane k of vector l becomes lane l of vector k. Each
 * step interleaves the first half of the vectors with the second. */
VECTOR_FN void
OF(transpose)(KOSHU_REAL *v)
{
    KOSHU_UNROLL
    for (int step = 1; step < LANES; step *= 2) {
        KOSHU_REAL w[LANES];
        KOSHU_UNROLL
        for (int k = 0; k < LANES / 2; k++) {
            w[2 * k] = INTERLEAVE(v[k], v[k + LANES / 2], 0);
            w[2 * k + 1] = INTERLEAVE(v[k], v[k + LANES / 2], LANES / 2);
        }
        KOSHU_UNROLL
        for (int k = 0; k < LANES; k++) v[k] = w[k];
    }
}

/* ---- 1 / sqrt(r2) for each enum root ------------------------------------- */

/* root_factor() / sqrt(r2) from the estimate y. */
VECTOR_FN KOSHU_REAL
KOSHU_TYPED(root_refine)(KOSHU_REAL r2, KOSHU_REAL y, const enum root root)
{
    if (root == ROOT_THIRD) return KOSHU_TYPED(rsqrt_third_order)(r2, y);
    if (root == ROOT_TWICE) y = 0.5f * KOSHU_TYPED(rsqrt_newton_twice)(r2, y);
    if (root == ROOT_TWICE || root == ROOT_NEWTON)
        return KOSHU_TYPED(rsqrt_newton_twice)(r2, y);
    return y;
}

VECTOR_FN KOSHU_REAL
KOSHU_TYPED(root_begin)(KOSHU_REAL r2, const enum root root)
{
    return root == ROOT_EXACT ? KOSHU_TYPED(rsqrt_exact)(r2)
                              : KOSHU_TYPED(rsqrt_estimate)(r2);
}
