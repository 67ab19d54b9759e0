/* SPDX-License-Identifier: MIT */
/*
 * Regular solid harmonics of particles on the device (kernels/expansion.h).
 * Orders m are done one after the other, and of each only the last two degrees
 * are kept, so that they stay in registers for any p.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_HARMONICS_CUH
#define KOSHU_BACKEND_CUDA_FMM_HARMONICS_CUH

#include "backend/cuda/fmm/paths.cuh"

namespace koshu {

/* Where the factors of degree n begin among those of the recursion. */
KOSHU_DEVICE int
factors_of_degree(int n)
{
    return (n - 1) * (2 * n - 1);
}

/* Calls use(n, m, even, odd) with R_n^m and R_n^-m times `first` for all m <= n
 * <= p; odd is 0 for m = 0. */
template <class Real, class Use>
KOSHU_DEVICE void
for_each_harmonic(const koshu_expansion &e, const particle_in_cell<Real> &at,
                  Real first, const Use &use)
{
    const Real *c = formulas<Real>::coefficients(e) + e.regular;
    const Real r2 = at.x * at.x + (at.y * at.y + at.z * at.z);
    Real diagonal = first, diagonal_odd = 0;
    for (int m = 0; m <= e.p; m++) {
        if (m > 0) {
            const Real g = c[factors_of_degree(m) + 2 * (2 * m - 1)];
            const Real even = g * (at.x * diagonal - at.y * diagonal_odd);
            diagonal_odd = g * (at.x * diagonal_odd + at.y * diagonal);
            diagonal = even;
        }
        Real one = diagonal, one_odd = diagonal_odd, two = 0, two_odd = 0;
        use(m, m, one, one_odd);
        for (int n = m + 1; n <= e.p; n++) {
            const Real *f = c + factors_of_degree(n) + 2 * (m + n - 1);
            const Real a = f[0] * at.z, b = f[1] * r2;
            const Real even = a * one - b * two;
            const Real odd = a * one_odd - b * two_odd;
            two = one;
            two_odd = one_odd;
            one = even;
            one_odd = odd;
            use(n, m, even, odd);
        }
    }
}

/* ---- multipoles ---------------------------------------------------------- */

/* Two sums over the lanes: lane 0 gets that of `even`, lane 16 that of
 * `odd`. */
template <class Real>
KOSHU_DEVICE Real
sum_both(Real even, Real odd)
{
    const bool upper = threadIdx.x % WARP >= WARP / 2;
    Real sum = (upper ? odd : even) +
               __shfl_xor_sync(~0u, upper ? even : odd, WARP / 2);
    for (unsigned step = WARP / 4; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    return sum;
}

/* Adds a particle of each lane to the multipoles of a leaf; first: these are
 * the leaf's first particles. */
template <class Real>
KOSHU_DEVICE void
add_to_multipoles(const koshu_expansion &e, const particle_in_cell<Real> &p,
                  bool first, Real *row)
{
    for_each_harmonic(e, p, p.charge, [=](int n, int m, Real even, Real odd) {
        const Real sum = sum_both(even, odd);
        const unsigned lane = threadIdx.x % WARP;
        const int k = EXPANSION_AT(n, lane == 0 ? m : -m);
        if (lane == 0 || (lane == WARP / 2 && m > 0))
            row[k] = first ? sum : row[k] + sum;
    });
}

} /* namespace koshu */

#endif
