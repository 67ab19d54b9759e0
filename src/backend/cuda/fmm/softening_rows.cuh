/* SPDX-License-Identifier: MIT */
/* Shared by the kernels of softening: a warp, and the rows of terms that its
 * lanes work on. */
#ifndef KOSHU_BACKEND_CUDA_FMM_SOFTENING_ROWS_CUH
#define KOSHU_BACKEND_CUDA_FMM_SOFTENING_ROWS_CUH

#include "backend/cuda/fmm/cartesian_terms.cuh"
#include "backend/cuda/fmm/lanes.cuh"
#include "backend/cuda/fmm/paths.cuh"

namespace koshu {

enum { SOFTENING_WARPS = 2 };

struct softening_args {
    fmm_level level; /* targets */
    fmm_view view;
    size_t warp_numbers; /* in shared memory */
};

/* A warp in work, and its numbers in shared memory. */
template <class Real> struct softener {
    const fmm_view &v;
    const koshu_cartesian &c;
    const unsigned lane;
    Real *const numbers;
};

/* Sets up the warp; its target is the k-th of the level's cells. */
template <class Real>
KOSHU_DEVICE softener<Real>
softener_of(const softening_args &a, size_t *target)
{
    extern __shared__ __align__(16) char memory[];
    const unsigned warp = threadIdx.x / WARP;
    *target = a.level.begin + (size_t)blockIdx.x * SOFTENING_WARPS + warp;
    return {a.view, *a.view.softening.cartesian, threadIdx.x % WARP,
            reinterpret_cast<Real *>(memory) + warp * a.warp_numbers};
}

template <class Real>
KOSHU_DEVICE Real *
soft_row(const softener<Real> &w, void *expansions, size_t cell)
{
    return row_of<Real>(expansions, w.v, cell) + w.v.softening.begin;
}

/* x^n */
template <class Real>
KOSHU_DEVICE Real
power(Real x, int n)
{
    Real result = 1;
    for (int k = 0; k < n; k++) result *= x;
    return result;
}

/* Copies to `to`: term a of the expansion times ratio^|a|. */
template <class Real>
KOSHU_DEVICE void
load_scaled(const softener<Real> &w, int terms, const Real *row, Real ratio,
            Real *to)
{
    for (int a = (int)w.lane; a < terms; a += WARP)
        to[a] = row[a] * power(ratio, w.c.degree[a]);
}

/* The powers T of a vector, `terms` of them. */
template <class Real>
KOSHU_DEVICE void
write_powers(const softener<Real> &w, int terms, const Real x[3], Real *to)
{
    for (int a = (int)w.lane; a < terms; a += WARP) {
        Real t = (Real)w.c.factor[a];
        for (int b = a; b > 0; b = w.c.parent[b]) t *= x[w.c.axis[b]];
        to[a] = t;
    }
}

/* Sets x to the vector from a parent to a child, in the parent's lengths;
 * returns the child's length in these. */
template <class Real>
KOSHU_DEVICE Real
shift_of_child(const fmm_view &v, size_t parent, size_t child, Real x[3])
{
    const fmm_place from = v.place[parent], to = v.place[child];
    const double per_length = inverse_of_power(length_of(from));
    x[0] = (Real)((to.x - from.x) * per_length);
    x[1] = (Real)((to.y - from.y) * per_length);
    x[2] = (Real)((to.z - from.z) * per_length);
    return (Real)(length_of(to) * per_length);
}

/* sum_b v_(a + b) t_b over terms up to an order. */
template <class Real>
KOSHU_DEVICE Real
contracted_term(const softener<Real> &w, int order, int a, const Real *v,
                const Real *t)
{
    const uint16_t *product = w.c.product + w.c.first[a];
    const int end = CARTESIAN_TERMS(order - w.c.degree[a]);
    Real sum = 0;
    for (int b = 0; b < end; b++) sum += v[product[b]] * t[b];
    return sum;
}

} /* namespace koshu */

#endif
