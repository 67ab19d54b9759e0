/* SPDX-License-Identifier: MIT */
/* What the particles of a leaf get: direct sums of what is near, and the
 * leaf's local expansion. A warp for each leaf. */
#ifndef KOSHU_BACKEND_CUDA_FMM_LEAVES_CUH
#define KOSHU_BACKEND_CUDA_FMM_LEAVES_CUH

#include "backend/cuda/fmm/derivatives.cuh"
#include "backend/cuda/fmm/near.cuh"
#include "backend/cuda/pairs/result.cuh"

namespace koshu {

enum { LEAF_WARPS = 2 };

struct leaf_args {
    fmm_view view;
    koshu_expansion e;
    force_out out;
    fmm_counts *counts;
    size_t warp_bytes; /* of shared memory */
};

/* Of one coefficient: of the three gradients' sums, and of the potential's. */
template <class Real> struct alignas(4 * sizeof(Real)) leaf_term {
    Real x, y, z, potential;
};

template <class Real>
KOSHU_DEVICE void
load_terms(const leaf_args &a, size_t cell, leaf_term<Real> *term)
{
    const Real *local = row_of<Real>(a.view.local, a.view, cell);
    const int p = a.e.p;
    for (int k = (int)(threadIdx.x % WARP); k < EXPANSION_TERMS(p); k += WARP) {
        const int n = degree_of(k);
        leaf_term<Real> t = {};
        if (n < p) {
            const auto g = gradient_term(a.e, local, 1, n, k - n * n - n);
            t = {g.x, g.y, g.z, 0};
        }
        t.potential = -local[k];
        term[k] = t;
    }
    __syncwarp();
}

template <class Real>
KOSHU_DEVICE leaf_term<Real>
far_sums(const leaf_args &a, const leaf_term<Real> *term,
         const particle_in_cell<Real> &p)
{
    leaf_term<Real> sum = {};
    for_each_harmonic(a.e, p, (Real)1, [&](int n, int m, Real even, Real odd) {
        const leaf_term<Real> t = term[EXPANSION_AT(n, m)];
        const leaf_term<Real> u = term[EXPANSION_AT(n, -m)];
        sum.x += t.x * even + u.x * odd;
        sum.y += t.y * even + u.y * odd;
        sum.z += t.z * even + u.z * odd;
        sum.potential += t.potential * even + u.potential * odd;
    });
    return sum;
}

/* ---- results ------------------------------------------------------------- */

template <class P, class Real>
KOSHU_DEVICE void
give_results(const leaf_args &a, const near_leaf<P> &g,
             const leaf_term<Real> *term)
{
    const double a_unit = g.per_length * g.per_length;
    for (unsigned k = g.lane; k < g.n; k += WARP) {
        const uint32_t i = g.first + k;
        const particle_in_cell<Real> p = {
                (Real)((g.v.x[i] - g.at.x) * g.per_length),
                (Real)((g.v.y[i] - g.at.y) * g.per_length),
                (Real)((g.v.z[i] - g.at.z) * g.per_length), 0};
        const leaf_term<Real> far = far_sums(a, term, p);
        const double total[4] = {near_sum(g, k, 0) * P::a_factor + far.x,
                                 near_sum(g, k, 1) * P::a_factor + far.y,
                                 near_sum(g, k, 2) * P::a_factor + far.z,
                                 (double)far.potential - near_sum(g, k, 3)};
        for (unsigned c = 0; c < 4; c++) {
            const double sum = total[c] * (c < 3 ? a_unit : g.per_length);
            put_result(a.out, c, i, sum);
            if (!isfinite(sum)) a.counts->lost = 1;
        }
    }
    __syncwarp();
}

template <class P, class Real>
static __global__ void
__launch_bounds__(WARP *LEAF_WARPS, near_shape<P>::blocks)
        sum_leaf(const __grid_constant__ leaf_args a)
{
    extern __shared__ __align__(32) char memory[];
    wait_for_previous_kernel();
    const unsigned warp = threadIdx.x / WARP;
    const size_t k = (size_t)blockIdx.x * LEAF_WARPS + warp;
    if (k >= a.view.n_cells) return;
    const tree_cell leaf = a.view.cell[k];
    if (leaf.children > 0) return;
    char *const own = memory + warp * a.warp_bytes;
    auto &tile = *reinterpret_cast<near_tile<P> *>(own);
    auto &totals = *reinterpret_cast<near_totals<P> *>(own + sizeof tile);
    auto *term = reinterpret_cast<leaf_term<Real> *>(own + sizeof tile +
                                                     sizeof totals);
    const fmm_span near = a.view.lists[k].near;
    const fmm_place at = a.view.place[k];
    const double per_length = inverse_of_power(length_of(at));
    load_terms(a, k, term);
    unsigned long long pairs = 0;
    for (uint32_t first = 0; first < leaf.n; first += near_width<P>) {
        const near_leaf<P> g = {a.view,
                                tile,
                                totals,
                                threadIdx.x % WARP,
                                at,
                                per_length,
                                leaf.first + first,
                                min(leaf.n - first, near_width<P>)};
        const uint32_t j = sum_near_of<P>(g, near);
        pairs += (unsigned long long)j * g.n;
        __syncwarp();
        give_results<P, Real>(a, g, term);
    }
    if (threadIdx.x % WARP == 0) atomicAdd(&a.counts->pairs, pairs);
}

template <class P>
cudaError_t
sum_leaves(const fmm_step &s)
{
    using Real = typename P::real;
    const fields &f = s.tree.store->f;
    const koshu_force_task &task = s.tree.task;
    const double unit = 1 / s.view.per_mass;
    leaf_args args = {s.view,
                      s.fmm->on_device,
                      {f.a[0],
                       f.a[1],
                       f.a[2],
                       task.potential ? f.potential : nullptr,
                       unit,
                       unit,
                       {}},
                      s.counts,
                      0};
    args.warp_bytes = sizeof(near_tile<P>) + sizeof(near_totals<P>) +
                      EXPANSION_TERMS(args.e.p) * sizeof(leaf_term<Real>);
    auto *kernel = sum_leaf<P, Real>;
    const size_t bytes = LEAF_WARPS * args.warp_bytes;
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return launch(
            s.cuda, kernel,
            (unsigned)blocks_for((size_t)s.view.n_cells, (size_t)LEAF_WARPS),
            WARP * LEAF_WARPS, bytes, args);
}

} /* namespace koshu */

#endif
