/* SPDX-License-Identifier: MIT */
/* What softening adds to local expansions from far cells. A thread handles a
 * source; sources are queued by order, so that a warp works on similar ones. Up
 * to order 4 everything is in registers. */
#ifndef KOSHU_BACKEND_CUDA_FMM_SOFTENING_M2L_CUH
#define KOSHU_BACKEND_CUDA_FMM_SOFTENING_M2L_CUH

#include "backend/cuda/fmm/softening_rows.cuh"
#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

enum {
    SOFTENING_IN_REGISTERS = 4, /* largest such order */
    SOFTENING_QUEUES = KOSHU_MAX_CARTESIAN_ORDER / 2,
    STAGE_WIDTH = WARP + 1, /* of a term: padded, so that lanes use different
                               banks */
    STAGE = WARP * STAGE_WIDTH
};

/* Sources of orders 2 k + 1 and 2 k + 2 wait in queue k. */
struct soft_queues {
    uint32_t entry[SOFTENING_QUEUES][2 * WARP];
    unsigned n[SOFTENING_QUEUES];
};

/* A far cell: the direction to the target, both lengths over the distance, and
 * 1 / sqrt(1 + eps^2) in units of the distance. order 0: nothing to add. terms:
 * how many multipoles it has; its queue may use the next order. */
template <class Real> struct soft_source {
    Real u[3], near, far, sigma;
    int order, terms;
    uint32_t cell;
};

template <class Real>
KOSHU_DEVICE soft_source<Real>
soft_source_of(const fmm_view &v, const fmm_place &to, uint32_t entry)
{
    const fmm_place from = place_of(v, entry);
    const double x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
    const double d2 = x * x + y * y + z * z;
    const int order = order_at(v.softening, d2);
    if (order == 0) return {};
    const double per_d = rsqrt(d2), part = v.eps * per_d;
    return {{(Real)(x * per_d), (Real)(y * per_d), (Real)(z * per_d)},
            (Real)(length_of(to) * per_d),
            (Real)(length_of(from) * per_d),
            (Real)rsqrt(1 + part * part),
            order,
            CARTESIAN_TERMS(largest_order(v.softening, from)),
            cell_of(v, entry)};
}

/* Loads the multipoles of the first n lanes' sources, all lanes cooperating on
 * one row after the other. */
template <class Real>
KOSHU_DEVICE void
load_rows(const softener<Real> &w, unsigned n, const soft_source<Real> &s,
          int terms, Real *v)
{
    Real *const stage = w.numbers + w.c.terms;
    for (int first = 0; first < terms; first += WARP) {
        const int a = first + (int)w.lane;
        for (unsigned from = 0; from < n; from++) {
            const uint32_t of = __shfl_sync(~0u, s.cell, (int)from);
            const int there = __shfl_sync(~0u, s.terms, (int)from);
            if (a < terms)
                stage[w.lane * STAGE_WIDTH + from] =
                        a < there ? soft_row(w, w.v.multipole, of)[a] : 0;
        }
        __syncwarp();
        const unsigned own = min(w.lane, n - 1);
        for (int k = 0; k < WARP && first + k < terms; k++)
            v[first + k] = stage[k * STAGE_WIDTH + own];
        __syncwarp();
    }
}

/* Adds the lanes' numbers to the sums. */
template <class Real>
KOSHU_DEVICE void
add_sources(const softener<Real> &w, int terms, const Real *to)
{
    for (int first = 0; first < terms; first += WARP) {
        Real of[WARP];
#pragma unroll
        for (int k = 0; k < WARP; k++)
            of[k] = first + k < terms ? to[first + k] : 0;
        const Real sum = sum_by_lane<WARP / 2>(of);
        if (first + (int)w.lane < terms) w.numbers[first + w.lane] += sum;
    }
    __syncwarp();
}

/* One source in each of the first n lanes, of orders up to K. */
template <int K, class Real>
KOSHU_DEVICE void
add_in_registers(const softener<Real> &w, unsigned n,
                 const soft_source<Real> &s)
{
    constexpr int TERMS = CARTESIAN_TERMS(K);
    Real v[TERMS], d[TERMS], to[TERMS];
    const Real *row = soft_row(w, w.v.multipole, s.cell);
#pragma unroll
    for (int a = 0; a < TERMS; a++)
        v[a] = w.lane < n && a < s.terms ? row[a] : 0;
    scale_terms<K>(v, (Real)1, -s.far);
    derivatives<K>(s.u, s.sigma, d);
    contract_terms<K>(d, v, to);
    scale_terms<K>(to, s.near, s.near);
    add_sources(w, TERMS, to);
}

template <class Real>
KOSHU_DEVICE void
add_of_order(const softener<Real> &w, unsigned n, int order,
             const soft_source<Real> &s)
{
    const int terms = CARTESIAN_TERMS(order);
    Real v[KOSHU_MAX_CARTESIAN_TERMS], d[KOSHU_MAX_CARTESIAN_TERMS],
            to[KOSHU_MAX_CARTESIAN_TERMS];
    load_rows(w, n, s, terms, v);
    for (int a = 0; a < terms; a++) d[a] = 0;
    formulas<Real>::derivatives(&w.c, order, s.u, s.sigma, d);
    formulas<Real>::soften(&w.c, order, d, s.near, s.far, v, to);
    add_sources(w, terms, to);
}

/* Processes queue k. */
template <class Real>
KOSHU_DEVICE void
add_queue(const softener<Real> &w, int k, const fmm_place &at,
          const uint32_t *entry, unsigned n)
{
    soft_source<Real> s = {};
    if (w.lane < n) s = soft_source_of<Real>(w.v, at, entry[w.lane]);
    if (k == 0)
        add_in_registers<2>(w, n, s);
    else if (k == 1)
        add_in_registers<SOFTENING_IN_REGISTERS>(w, n, s);
    else
        add_of_order(w, n, min(2 * k + 2, w.c.order), s);
}

/* The order that each lane's entry needs; 0: none. */
template <class Real>
KOSHU_DEVICE int
order_of_entry(const softener<Real> &w, const fmm_place &at, uint32_t entry)
{
    const fmm_place from = place_of(w.v, entry);
    const double x = at.x - from.x, y = at.y - from.y, z = at.z - from.z;
    return order_at(w.v.softening, x * x + y * y + z * z);
}

/* Queues the entries; processes a queue when it is full. */
template <class Real>
KOSHU_DEVICE void
take_entries(const softener<Real> &w, const fmm_place &at, int order,
             uint32_t entry, soft_queues &q)
{
    unsigned *const n = q.n;
    for (int k = 0; 2 * k < w.c.order; k++) {
        const bool own = order > 0 && (order - 1) / 2 == k;
        const unsigned mask = __ballot_sync(~0u, own);
        if (own) q.entry[k][n[k] + lanes_before(mask, w.lane)] = entry;
        const unsigned all = n[k] + (unsigned)__popc(mask);
        __syncwarp();
        if (all >= WARP) {
            add_queue(w, k, at, q.entry[k], WARP);
            if (w.lane < all - WARP)
                q.entry[k][w.lane] = q.entry[k][WARP + w.lane];
        }
        if (w.lane == 0) n[k] = all >= WARP ? all - WARP : all;
        __syncwarp();
    }
}

/* A warp for each target. */
template <class Real>
static __global__ void
__launch_bounds__(WARP *SOFTENING_WARPS)
        soften_m2l(const __grid_constant__ softening_args a)
{
    __shared__ soft_queues queues[SOFTENING_WARPS];
    wait_for_previous_kernel();
    size_t target;
    const softener<Real> w = softener_of<Real>(a, &target);
    if (target >= a.level.end) return;
    if (largest_order(w.v.softening, w.v.place[target]) == 0) return;
    soft_queues &q = queues[threadIdx.x / WARP];
    const fmm_span far = w.v.lists[target].far;
    const fmm_place at = w.v.place[target];
    Real *const to = soft_row(w, w.v.local, target);
    const int terms = w.v.softening.terms;
    for (int k = (int)w.lane; k < w.c.terms; k += WARP)
        w.numbers[k] = k < terms && w.v.from.of_others ? to[k] : 0;
    if (w.lane < SOFTENING_QUEUES) q.n[w.lane] = 0;
    __syncwarp();
    for (uint32_t j = 0; j < far.n; j += WARP) {
        const bool there = j + w.lane < far.n;
        const uint32_t entry = far.entry[there ? j + w.lane : far.n - 1];
        const int order = there ? order_of_entry(w, at, entry) : 0;
        take_entries(w, at, order, entry, q);
    }
    for (int k = 0; k < SOFTENING_QUEUES; k++)
        if (q.n[k] > 0) add_queue(w, k, at, q.entry[k], q.n[k]);
    for (int k = (int)w.lane; k < terms; k += WARP) to[k] = w.numbers[k];
}

} /* namespace koshu */

#endif
