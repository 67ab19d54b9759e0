/* SPDX-License-Identifier: MIT */
/*
 * A Fourier transform of N = A B complex numbers by T threads, with one
 * exchange between them:
 *
 *     X_(c + A d) = sum_b w_B^(b d) w_N^(b c) sum_a w_A^(a c) x_(b + B a)
 *
 * (Bailey 1990, J. Supercomputing 4, 23: "four steps".) Thread t handles b, and
 * then c, = t, t + T, ...
 */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_LINE_CUH
#define KOSHU_BACKEND_CUDA_SPECTRAL_LINE_CUH

#include "backend/cuda/spectral/radix.cuh"

namespace koshu {

template <int A, int B, int T> struct line {
    static constexpr int N = A * B, THREADS = T;
    static constexpr int PITCH = B + 1; /* padded against bank conflicts of
                                           shared memory */
    static constexpr int EXCHANGED = A * PITCH;

    /* load(n) returns x_n; store(k, X_k) takes a result; sync() is a barrier of
     * the T threads. exchange: EXCHANGED numbers, `stride` apart, which must
     * not be in use when store() is called. roots: exp(2 pi i b c / N) at c B +
     * b. */
    template <int SIGN, class Number, class Load, class Store, class Sync>
    static __device__ __forceinline__ void
    transform(int t, Number *exchange, int stride,
              const Number *__restrict__ roots, Load load, Store store,
              Sync sync)
    {
        constexpr int FIRST = (B + T - 1) / T, SECOND = (A + T - 1) / T;
        {
            Number x[FIRST][A];
#pragma unroll
            for (int i = 0; i < FIRST; i++)
#pragma unroll
                for (int a = 0; a < A; a++)
                    if (B % T == 0 || t + T * i < B)
                        x[i][a] = load(t + T * i + B * a);
#pragma unroll
            for (int i = 0; i < FIRST; i++) {
                const int b = t + T * i;
                if (B % T != 0 && b >= B) continue;
                radix<A, SIGN>::transform(x[i]);
#pragma unroll
                for (int c = 0; c < A; c++)
                    exchange[(c * PITCH + b) * stride] =
                            rotated<SIGN>(x[i][c], roots[c * B + b]);
            }
        }
        sync();
        Number y[SECOND][B];
#pragma unroll
        for (int i = 0; i < SECOND; i++)
#pragma unroll
            for (int b = 0; b < B; b++)
                if (A % T == 0 || t + T * i < A)
                    y[i][b] = exchange[((t + T * i) * PITCH + b) * stride];
        sync();
#pragma unroll
        for (int i = 0; i < SECOND; i++) {
            const int c = t + T * i;
            if (A % T != 0 && c >= A) continue;
            radix<B, SIGN>::transform(y[i]);
#pragma unroll
            for (int d = 0; d < B; d++) store(c + A * d, y[i][d]);
        }
    }
};

} /* namespace koshu */

#endif
