/* SPDX-License-Identifier: MIT */
/* Cell-to-cell operators of what Plummer softening adds to the expansions
 * (kernels/cartesian.h), on the device. */
#ifndef KOSHU_BACKEND_CUDA_FMM_SOFTENING_CUH
#define KOSHU_BACKEND_CUDA_FMM_SOFTENING_CUH

#include "backend/cuda/fmm/softening_m2l.cuh"

namespace koshu {

/* ---- multipoles ---------------------------------------------------------- */

/* A warp for each leaf. Sums stay in shared memory, as every particle adds to
 * all of them. */
template <class Real>
static __global__ void
__launch_bounds__(WARP *SOFTENING_WARPS)
        soften_p2m(const __grid_constant__ softening_args a)
{
    wait_for_previous_kernel();
    size_t leaf;
    const softener<Real> w = softener_of<Real>(a, &leaf);
    if (leaf >= a.level.end || w.v.cell[leaf].children > 0) return;
    const tree_cell cell = w.v.cell[leaf];
    const fmm_place at = w.v.place[leaf];
    const int order = largest_order(w.v.softening, at),
              terms = CARTESIAN_TERMS(order);
    Real *const row = soft_row(w, w.v.multipole, leaf), *const sum = w.numbers;
    if (order == 0) return;
    for (int term = (int)w.lane; term < terms; term += WARP) sum[term] = 0;
    for (uint32_t j = 0; j < cell.n; j += WARP) {
        const particle_in_cell<Real> p =
                particle_of_leaf<Real>(w.v, cell, at, j + w.lane);
        for_each_power(order, p.x, p.y, p.z, [&](int term, Real t) {
            const Real part = sum_of_lanes(p.charge * t);
            if (w.lane == (unsigned)term % WARP) sum[term] += part;
        });
    }
    for (int term = (int)w.lane; term < terms; term += WARP)
        row[term] = sum[term] * (Real)w.c.factor[term];
}

/* sum_(a + b = term) v_a t_b */
template <class Real>
KOSHU_DEVICE Real
product_term(const softener<Real> &w, int term, const Real *v, const Real *t)
{
    int n[3] = {0, 0, 0};
    for (int b = term; b > 0; b = w.c.parent[b]) n[w.c.axis[b]]++;
    Real sum = 0;
    for (int i = 0; i <= n[0]; i++)
        for (int j = 0; j <= n[1]; j++)
            for (int k = 0; k <= n[2]; k++)
                sum += v[cartesian_at(i, j, k)] *
                       t[cartesian_at(n[0] - i, n[1] - j, n[2] - k)];
    return sum;
}

/* A warp for each parent. */
template <class Real>
static __global__ void
__launch_bounds__(WARP *SOFTENING_WARPS)
        soften_m2m(const __grid_constant__ softening_args a)
{
    wait_for_previous_kernel();
    size_t parent;
    const softener<Real> w = softener_of<Real>(a, &parent);
    if (parent >= a.level.end) return;
    const tree_cell cell = w.v.cell[parent];
    const int order = largest_order(w.v.softening, w.v.place[parent]),
              terms = CARTESIAN_TERMS(order);
    if (order == 0) return;
    Real *const to = soft_row(w, w.v.multipole, parent);
    Real *const v = w.numbers, *const t = v + w.c.terms;
    for (uint32_t k = 0; k < cell.children; k++) {
        const size_t child = cell.child + k;
        Real x[3];
        const Real ratio = shift_of_child(w.v, parent, child, x);
        load_scaled(w, terms, soft_row(w, w.v.multipole, child), ratio, v);
        write_powers(w, terms, x, t);
        __syncwarp();
        for (int term = (int)w.lane; term < terms; term += WARP)
            to[term] = (k == 0 ? 0 : to[term]) + product_term(w, term, v, t);
        __syncwarp();
    }
}

/* ---- local expansions ---------------------------------------------------- */

/* A warp for each child. */
template <class Real>
static __global__ void
__launch_bounds__(WARP *SOFTENING_WARPS)
        soften_l2l(const __grid_constant__ softening_args a)
{
    wait_for_previous_kernel();
    size_t child;
    const softener<Real> w = softener_of<Real>(a, &child);
    if (child >= a.level.end) return;
    const size_t parent = w.v.parent[child];
    const int order = largest_order(w.v.softening, w.v.place[parent]),
              terms = CARTESIAN_TERMS(order);
    if (order == 0) return;
    Real *const to = soft_row(w, w.v.local, child);
    Real *const v = w.numbers, *const t = v + w.c.terms;
    Real x[3];
    const Real ratio = shift_of_child(w.v, parent, child, x);
    load_scaled(w, terms, soft_row(w, w.v.local, parent), (Real)1, v);
    write_powers(w, terms, x, t);
    __syncwarp();
    for (int term = (int)w.lane; term < terms; term += WARP)
        to[term] += contracted_term(w, order, term, v, t) *
                    power(ratio, w.c.degree[term] + 1);
}

/* ---- launches ------------------------------------------------------------ */

/* Of the highest order, which a warp's numbers have room for; rows have those
 * of the orders in use. */
static inline size_t
terms_of_table(const fmm_step &s)
{
    return (size_t)s.fmm->options.cartesian->terms;
}

/* numbers: in shared memory, per warp. */
template <class Real>
static cudaError_t
launch_softening(const fmm_step &s, void (*kernel)(const softening_args),
                 const fmm_level &level, size_t numbers)
{
    const size_t bytes = SOFTENING_WARPS * numbers * sizeof(Real);
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return launch(s.cuda, kernel,
                  (unsigned)blocks_for((size_t)(level.end - level.begin),
                                       (size_t)SOFTENING_WARPS),
                  WARP * SOFTENING_WARPS, bytes,
                  softening_args{level, s.view, numbers});
}

template <class Real>
static cudaError_t
launch_soften_p2m(const fmm_step &s)
{
    return launch_softening<Real>(s, soften_p2m<Real>, {0, s.view.n_cells},
                                  terms_of_table(s));
}

template <class Real>
static cudaError_t
launch_soften_m2m(const fmm_step &s, const fmm_level &level)
{
    return launch_softening<Real>(s, soften_m2m<Real>, level,
                                  2 * terms_of_table(s));
}

template <class Real>
static cudaError_t
launch_soften_m2l(const fmm_step &s)
{
    return launch_softening<Real>(s, soften_m2l<Real>, {0, s.view.n_cells},
                                  terms_of_table(s) + STAGE);
}

template <class Real>
static cudaError_t
launch_soften_l2l(const fmm_step &s, const fmm_level &level)
{
    return launch_softening<Real>(s, soften_l2l<Real>, level,
                                  2 * terms_of_table(s));
}

template <class Real>
fmm_operators
operators_of_softening()
{
    return {launch_soften_p2m<Real>, launch_soften_m2m<Real>,
            launch_soften_m2l<Real>, launch_soften_l2l<Real>};
}

} /* namespace koshu */

#endif
