/* SPDX-License-Identifier: MIT */
/* Cartesian expansions (kernels/cartesian.h) of an order K known to the
 * compiler, in a thread's registers; and helpers for other orders. */
#ifndef KOSHU_BACKEND_CUDA_FMM_CARTESIAN_TERMS_CUH
#define KOSHU_BACKEND_CUDA_FMM_CARTESIAN_TERMS_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* The number of terms of degree up to n. */
#ifndef CARTESIAN_TERMS
#define CARTESIAN_TERMS(n) (((n) + 1) * ((n) + 2) * ((n) + 3) / 6)
#endif

/* The index of (i, j, k), as in fmm/cartesian.c. */
static __host__ __device__ constexpr int
cartesian_at(int i, int j, int k)
{
    const int rest = j + k, below = i + rest - 1;
    return CARTESIAN_TERMS(below) + rest * (rest + 1) / 2 + k;
}

/* Calls use(a, x^i y^j z^k) for all terms a up to the order. */
template <class Real, class Use>
KOSHU_DEVICE void
for_each_power(int order, Real x, Real y, Real z, const Use &use)
{
    Real of_x = 1;
    for (int i = 0; i <= order; i++, of_x *= x) {
        Real of_xy = of_x;
        for (int j = 0; i + j <= order; j++, of_xy *= y) {
            Real of_xyz = of_xy;
            for (int k = 0; i + j + k <= order; k++, of_xyz *= z)
                use(cartesian_at(i, j, k), of_xyz);
        }
    }
}

/* The tables of struct koshu_cartesian; product: -1 beyond the order. Plain
 * arrays, which the compiler resolves in unrolled loops. */
template <int K> struct cartesian_table {
    static constexpr int TERMS = CARTESIAN_TERMS(K);
    int power[TERMS][3], degree[TERMS], axis[TERMS], less[TERMS], parent[TERMS],
            grand[TERMS], product[TERMS][TERMS];

    constexpr cartesian_table()
        : power(), degree(), axis(), less(), parent(), grand(), product()
    {
        for (int i = 0; i <= K; i++)
            for (int j = 0; i + j <= K; j++)
                for (int k = 0; i + j + k <= K; k++) write_term(i, j, k);
        for (int a = 0; a < TERMS; a++)
            for (int b = 0; b < TERMS; b++)
                product[a][b] =
                        degree[a] + degree[b] <= K
                                ? cartesian_at(power[a][0] + power[b][0],
                                               power[a][1] + power[b][1],
                                               power[a][2] + power[b][2])
                                : -1;
    }
    constexpr void write_term(int i, int j, int k)
    {
        const int a = cartesian_at(i, j, k), on = i ? 0 : j ? 1 : 2;
        const int x = on == 0, y = on == 1, z = on == 2;
        const int n = x * i + y * j + z * k;
        power[a][0] = i;
        power[a][1] = j;
        power[a][2] = k;
        degree[a] = i + j + k;
        axis[a] = on;
        if (n > 0) parent[a] = cartesian_at(i - x, j - y, k - z);
        if (n < 2) return;
        less[a] = n - 1;
        grand[a] = cartesian_at(i - 2 * x, j - 2 * y, k - 2 * z);
    }
};

/* Multiplies degree n by first factor^n. */
template <int K, class Real>
KOSHU_DEVICE void
scale_terms(Real *v, Real first, Real factor)
{
    constexpr cartesian_table<K> table;
    Real by[K + 1];
    by[0] = first;
#pragma unroll
    for (int n = 1; n <= K; n++) by[n] = by[n - 1] * factor;
#pragma unroll
    for (int a = 0; a < table.TERMS; a++) v[a] *= by[table.degree[a]];
}

/* to[a] = sum_b d[a + b] v[b] */
template <int K, class Real>
KOSHU_DEVICE void
contract_terms(const Real *d, const Real *v, Real *to)
{
    constexpr cartesian_table<K> table;
#pragma unroll
    for (int a = 0; a < table.TERMS; a++) {
        to[a] = 0;
#pragma unroll
        for (int b = 0; b < table.TERMS; b++)
            if (table.product[a][b] >= 0)
                to[a] += d[table.product[a][b]] * v[b];
    }
}

/* Derivatives with respect to the radius, (1/r d/dr)^k. */
template <int K, class Real>
KOSHU_DEVICE void
radial_derivatives(Real sigma, Real *radial)
{
    Real power = sigma, factor = 1;
#pragma unroll
    for (int k = 0; k <= K; k++) {
        radial[k] = factor * (power - 1);
        power *= sigma * sigma;
        factor *= (Real)(-1 - 2 * k);
    }
}

/* The same as cartesian_derivatives(). */
template <int K, class Real>
KOSHU_DEVICE void
derivatives(const Real u[3], Real sigma, Real *d)
{
    constexpr cartesian_table<K> table;
    Real radial[K + 1];
    radial_derivatives<K>(sigma, radial);
#pragma unroll
    for (int k = K; k >= 0; k--) {
#pragma unroll
        for (int a = table.TERMS - 1; a > 0; a--) {
            if (table.degree[a] > K - k) continue;
            d[a] = u[table.axis[a]] * d[table.parent[a]];
            if (table.less[a] > 0)
                d[a] += (Real)table.less[a] * d[table.grand[a]];
        }
        d[0] = radial[k];
    }
}

} /* namespace koshu */

#endif
