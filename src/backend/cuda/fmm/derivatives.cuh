/* SPDX-License-Identifier: MIT */
/* Derivatives of local expansions, and their transpose, multipoles of dipoles
 * (kernels/expansion.h). Each term is computed on its own, so that lanes need
 * not wait for each other. */
#ifndef KOSHU_BACKEND_CUDA_FMM_DERIVATIVES_CUH
#define KOSHU_BACKEND_CUDA_FMM_DERIVATIVES_CUH

#include "backend/cuda/fmm/harmonics.cuh"

namespace koshu {

/* The largest n with n^2 <= k. */
KOSHU_DEVICE int
degree_of(int k)
{
    return (int)sqrtf((float)k + 0.5f);
}

template <class Real> struct gradient_terms {
    Real x, y, z;
};

/* The gradient's terms of degree n, order m (< 0: sines), of a local expansion
 * whose coefficients are `step` numbers apart. Gathers what
 * expansion_gradient() scatters. */
template <class Real>
KOSHU_DEVICE gradient_terms<Real>
gradient_term(const koshu_expansion &e, const Real *local, int step, int n,
              int m)
{
    const int above = n + 1, order = m < 0 ? -m : m, sign = m < 0 ? -1 : 1;
    const Real *c = formulas<Real>::coefficients(e) + e.gradient +
                    3 * ((above - 1) * (above + 2) / 2);
    const Real higher = c[3 * (order + 1)];
    gradient_terms<Real> t = {};
    t.x = higher * local[step * EXPANSION_AT(above, sign * (order + 1))];
    t.y = sign * higher *
          local[step * EXPANSION_AT(above, -sign * (order + 1))];
    t.z = c[3 * order + 2] * local[step * EXPANSION_AT(above, m)];
    if (order == 0) return t;
    const Real lower = c[3 * (order - 1) + 1];
    const Real even = local[step * EXPANSION_AT(above, order - 1)];
    const Real odd =
            order > 1 ? local[step * EXPANSION_AT(above, 1 - order)] : (Real)0;
    t.x -= lower * (m < 0 ? odd : even);
    t.y += lower * (m < 0 ? -even : odd);
    return t;
}

/* The multipole of degree n > 0, order m (< 0: sines), of dipoles whose sums
 * p_c R_n^m up to order p - 1 start at d[c * terms]. Gathers what
 * expansion_dipoles() scatters. */
template <class Real>
KOSHU_DEVICE Real
dipole_term(const koshu_expansion &e, const Real *d, int terms, int n, int m)
{
    const int order = m < 0 ? -m : m, below = EXPANSION_AT(n - 1, 0);
    const Real *c = formulas<Real>::coefficients(e) + e.gradient +
                    3 * ((n - 1) * (n + 2) / 2 + order);
    const Real *x = d + below, *y = x + terms, *z = y + terms;
    const Real sign = m < 0 ? -1 : 1;
    Real sum = 0;
    if (order < n) sum += c[2] * z[m];
    if (order > 0) sum += c[0] * (m < 0 ? y : x)[order - 1];
    if (order > 1) sum -= sign * c[0] * (m < 0 ? x : y)[1 - order];
    if (order < n - 1)
        sum -= c[1] *
               (m < 0 ? x[m - 1] - y[order + 1] : x[order + 1] + y[-order - 1]);
    return sum;
}

} /* namespace koshu */

#endif
