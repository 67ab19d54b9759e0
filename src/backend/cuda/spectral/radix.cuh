/* SPDX-License-Identifier: MIT */
/*
 * Fourier transforms of a few complex numbers in registers, R = 2^a 3^b:
 *
 *     X_k = sum_n exp(SIGN 2 pi i n k / R) x_n
 *
 * by the Cooley-Tukey algorithm with factors 3, 4 and 2; roots of unity are
 * compile-time constants.
 */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_RADIX_CUH
#define KOSHU_BACKEND_CUDA_SPECTRAL_RADIX_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* ---- roots of unity ------------------------------------------------------ */

/* Taylor series, for x up to pi / 4. */
constexpr double
series(double x, int first)
{
    double term = first ? x : 1, sum = term;
    for (int n = first + 2; n < 24; n += 2) {
        term *= -x * x / (n * (n - 1));
        sum += term;
    }
    return sum;
}

/* cos(2 pi n / r): exact where it is 0, 1 or -1. */
constexpr double
cosine_of(int n, int r)
{
    const double eighth = 0.785398163397448309616;
    n = (n % r + r) % r;
    if (2 * n > r) n = r - n;
    if (4 * n > r) return -cosine_of(r - 2 * n, 2 * r);
    if (8 * n > r) return series(eighth * (2 * r - 8 * n) / r, 1);
    return series(eighth * 8 * n / r, 0);
}

/* exp(2 pi i n / R), n = 0 ... R - 1. */
template <int R> struct roots_of_unity {
    double x[R], y[R];

    constexpr roots_of_unity() : x(), y()
    {
        for (int n = 0; n < R; n++) {
            x[n] = cosine_of(n, R);
            y[n] = cosine_of(4 * n - R, 4 * R);
        }
    }
};

/* ---- complex numbers ---------------------------------------------------- */

template <class Number>
KOSHU_DEVICE Number
plus(Number a, Number b)
{
    return {a.x + b.x, a.y + b.y};
}

template <class Number>
KOSHU_DEVICE Number
minus(Number a, Number b)
{
    return {a.x - b.x, a.y - b.y};
}

/* SIGN i a. */
template <int SIGN, class Number>
KOSHU_DEVICE Number
turned(Number a)
{
    return {-SIGN * a.y, SIGN * a.x};
}

/* a times w, or times its conjugate if SIGN is -1. */
template <int SIGN, class Number>
KOSHU_DEVICE Number
rotated(Number a, Number w)
{
    return {a.x * w.x - SIGN * (a.y * w.y), a.y * w.x + SIGN * (a.x * w.y)};
}

/* ---- transforms --------------------------------------------------------- */

constexpr int
first_factor(int r)
{
    return r % 3 == 0 ? 3 : r % 4 == 0 ? 4 : r % 2 == 0 ? 2 : r;
}

template <int R, int SIGN> struct radix;

template <int SIGN> struct radix<1, SIGN> {
    template <class Number> static __device__ void transform(Number (&)[1])
    {
    }
};

template <int SIGN> struct radix<2, SIGN> {
    template <class Number>
    static __device__ __forceinline__ void transform(Number (&x)[2])
    {
        const Number a = x[0];
        x[0] = plus(a, x[1]);
        x[1] = minus(a, x[1]);
    }
};

template <int SIGN> struct radix<3, SIGN> {
    template <class Number>
    static __device__ __forceinline__ void transform(Number (&x)[3])
    {
        using Real = decltype(x[0].x);
        const Real h = (Real)0.86602540378443864676;
        const Number s = plus(x[1], x[2]), d = minus(x[1], x[2]);
        const Number a = {x[0].x - s.x / 2, x[0].y - s.y / 2};
        const Number b = turned<SIGN>(Number{h * d.x, h * d.y});
        x[0] = plus(x[0], s);
        x[1] = plus(a, b);
        x[2] = minus(a, b);
    }
};

template <int SIGN> struct radix<4, SIGN> {
    template <class Number>
    static __device__ __forceinline__ void transform(Number (&x)[4])
    {
        const Number a = plus(x[0], x[2]), b = minus(x[0], x[2]);
        const Number c = plus(x[1], x[3]);
        const Number d = turned<SIGN>(minus(x[1], x[3]));
        x[0] = plus(a, c);
        x[1] = plus(b, d);
        x[2] = minus(a, c);
        x[3] = minus(b, d);
    }
};

/* R = F M: M transforms of F numbers each, then F of M. */
template <int R, int SIGN> struct radix {
    static constexpr int F = first_factor(R), M = R / F;

    template <class Number>
    static __device__ __forceinline__ void transform(Number (&x)[R])
    {
        using Real = std::remove_reference_t<decltype(x[0].x)>;
        constexpr roots_of_unity<R> w;
        Number y[F][M];
#pragma unroll
        for (int b = 0; b < M; b++) {
            Number z[F];
#pragma unroll
            for (int a = 0; a < F; a++) z[a] = x[b + M * a];
            radix<F, SIGN>::transform(z);
#pragma unroll
            for (int c = 0; c < F; c++)
                y[c][b] = b * c == 0 ? z[c]
                                     : rotated<SIGN>(z[c],
                                                     Number{(Real)w.x[b * c],
                                                            (Real)w.y[b * c]});
        }
#pragma unroll
        for (int c = 0; c < F; c++) {
            radix<M, SIGN>::transform(y[c]);
#pragma unroll
            for (int d = 0; d < M; d++) x[c + F * d] = y[c][d];
        }
    }
};

} /* namespace koshu */

#endif
