/* SPDX-License-Identifier: MIT */
/*
 * Forces on the particles of a leaf: direct sums over near leaves, and the
 * leaf's local expansion. A warp for each leaf, or several if its list of near
 * leaves is long. Few leaves have such lists (wide ones beside many small
 * ones), but a single warp would still be busy with one when all others have
 * finished.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_LEAVES_CUH
#define KOSHU_BACKEND_CUDA_FMM_LEAVES_CUH

#include "backend/cuda/fmm/cartesian_terms.cuh"
#include "backend/cuda/fmm/derivatives.cuh"
#include "backend/cuda/fmm/near.cuh"
#include "backend/cuda/pairs/result.cuh"

namespace koshu {

/* From this number of entries on a list is long, and as many warps share it as
 * fit in a block's shared memory. */
enum { LONG_LIST = 1024 };
template <class P>
constexpr int long_warps =
        std::is_same<typename near_shape<P>::total, float>::value ? 16 : 8;

struct leaf_args {
    fmm_view view;
    koshu_expansion e;
    force_out out;
    fmm_counts *counts;
};

/* A coefficient of the local expansions of the three gradients and the
 * potential; softening's come behind the others. */
template <class Real> struct alignas(4 * sizeof(Real)) leaf_term {
    Real x, y, z, potential;
};

/* Term a of softening, x^i y^j z^k, up to an order. */
template <class Real>
KOSHU_DEVICE leaf_term<Real>
softening_term(const koshu_cartesian &c, int order, const Real *local, int a)
{
    const auto next = [&](int axis) {
        return local[c.product[c.first[a] + 1 + axis]];
    };
    leaf_term<Real> t = {0, 0, 0, -local[a]};
    if (c.degree[a] < order) t = {next(0), next(1), next(2), t.potential};
    const Real factor = (Real)c.factor[a];
    return {t.x * factor, t.y * factor, t.z * factor, t.potential * factor};
}

/* The number of softening's terms in a leaf. */
KOSHU_DEVICE int
softening_terms(int order)
{
    return order > 0 ? CARTESIAN_TERMS(order) : 0;
}

template <class Real>
KOSHU_DEVICE void
load_terms(const leaf_args &a, size_t cell, int order, int lane,
           leaf_term<Real> *term)
{
    const Real *local = row_of<Real>(a.view.local, a.view, cell);
    const fmm_softening &soft = a.view.softening;
    const int p = a.e.p;
    for (int k = lane; k < EXPANSION_TERMS(p); k += WARP) {
        const int n = degree_of(k);
        leaf_term<Real> t = {};
        if (n < p) {
            const auto g = gradient_term(a.e, local, 1, n, k - n * n - n);
            t = {g.x, g.y, g.z, 0};
        }
        t.potential = -local[k];
        term[k] = t;
    }
    for (int k = lane; k < softening_terms(order); k += WARP)
        term[EXPANSION_TERMS(p) + k] =
                softening_term(*soft.cartesian, order, local + soft.begin, k);
    __syncwarp();
}

template <class Real>
KOSHU_DEVICE void
add_term(leaf_term<Real> *sum, const leaf_term<Real> &t, Real factor)
{
    sum->x += t.x * factor;
    sum->y += t.y * factor;
    sum->z += t.z * factor;
    sum->potential += t.potential * factor;
}

/* Adds the background of a periodic box about the leaf's centre
 * (solve/fmm_box.c). */
template <class Real>
KOSHU_DEVICE void
add_background(const leaf_args &a, double length,
               const particle_in_cell<Real> &p, leaf_term<Real> *sum)
{
    const double part = length / a.view.images.edge;
    const Real b = (Real)(*a.view.background * part * part * part);
    sum->x += b * p.x;
    sum->y += b * p.y;
    sum->z += b * p.z;
    sum->potential -= b / 2 * (p.x * p.x + p.y * p.y + p.z * p.z);
}

template <class Real>
KOSHU_DEVICE leaf_term<Real>
far_sums(const leaf_args &a, int order, const leaf_term<Real> *term,
         double length, const particle_in_cell<Real> &p)
{
    leaf_term<Real> sum = {};
    for_each_harmonic(a.e, p, (Real)1, [&](int n, int m, Real even, Real odd) {
        add_term(&sum, term[EXPANSION_AT(n, m)], even);
        add_term(&sum, term[EXPANSION_AT(n, -m)], odd);
    });
    if (order > 0)
        for_each_power(order, p.x, p.y, p.z, [&](int k, Real t) {
            add_term(&sum, term[EXPANSION_TERMS(a.e.p) + k], t);
        });
    if (a.view.background) add_background(a, length, p, &sum);
    return sum;
}

/* ---- results ------------------------------------------------------------- */

/* As put_result(), but adds to what is there. */
KOSHU_DEVICE void
add_result(const force_out &out, unsigned c, size_t i, double sum)
{
    double *to = out.potential;
    if (c == 0) to = out.ax;
    if (c == 1) to = out.ay;
    if (c == 2) to = out.az;
    if (to) to[i] += (c < 3 ? out.a_unit : out.potential_unit) * sum;
}

template <class P, class Real>
KOSHU_DEVICE void
give_results(const leaf_args &a, const near_leaf<P> &g, int order,
             const leaf_term<Real> *term)
{
    const double a_unit = g.per_length * g.per_length;
    const double length = inverse_of_power(g.per_length);
    for (unsigned k = g.lane; k < g.n; k += WARP) {
        const uint32_t i = g.first + k;
        const particle_in_cell<Real> p = {
                (Real)((g.v.x[i] - g.at.x) * g.per_length),
                (Real)((g.v.y[i] - g.at.y) * g.per_length),
                (Real)((g.v.z[i] - g.at.z) * g.per_length), 0};
        leaf_term<Real> far = {};
        if (!g.v.waits) far = far_sums(a, order, term, length, p);
        const bool adds = g.v.from.of_others;
        const double total[4] = {near_sum(g, k, 0) * P::a_factor + far.x,
                                 near_sum(g, k, 1) * P::a_factor + far.y,
                                 near_sum(g, k, 2) * P::a_factor + far.z,
                                 (double)far.potential - near_sum(g, k, 3)};
        for (unsigned c = 0; c < 4; c++) {
            const double sum = total[c] * (c < 3 ? a_unit : g.per_length);
            if (adds)
                add_result(a.out, c, i, sum);
            else
                put_result(a.out, c, i, sum);
            if (!isfinite(sum)) a.counts->lost = 1;
        }
    }
    __syncwarp();
}

/* The task's softening in the leaf's lengths. */
template <class P>
KOSHU_DEVICE softening<P>
softening_in(const leaf_args &a, double per_length)
{
    const double eps = a.view.eps * per_length;
    return {(typename P::real)(eps * eps),
            (typename P::real)(eps > 0 ? 1 / eps : 0)};
}

/* Adds up the totals of n i-particles over WARPS warps, into the first
 * warp's. */
template <class P, int WARPS>
KOSHU_DEVICE void
add_totals(near_totals<P> *totals, uint32_t n, unsigned lane)
{
    const unsigned rows = 4 * ((n + NEAR_LANES - 1) / NEAR_LANES);
    for (int w = 1; w < WARPS; w++)
        for (unsigned k = 0; k < rows; k++)
            totals[0][k][lane] += totals[w][k][lane];
    __syncwarp();
}

/* The part of a list that a warp takes. */
template <int WARPS>
KOSHU_DEVICE fmm_span
part_of_list(const fmm_span &near, unsigned warp)
{
    const uint32_t each = (near.n + WARPS - 1) / WARPS,
                   begin = min(warp * each, near.n);
    return {near.entry + begin, min(each, near.n - begin)};
}

/* A barrier for all threads of a block of WARPS warps. */
template <int WARPS>
KOSHU_DEVICE void
meet()
{
    if (WARPS > 1)
        __syncthreads();
    else
        __syncwarp();
}

/* For a block of WARPS warps. */
template <class P, class Real, near_rule RULE, int WARPS>
KOSHU_DEVICE void
sum_leaf_by(const leaf_args &a, uint32_t k, char *memory)
{
    /* for a single warp known at compile time, so that its tile is at a fixed
     * address */
    const unsigned warp = WARPS > 1 ? threadIdx.x / WARP : 0,
                   lane = WARPS > 1 ? threadIdx.x % WARP : threadIdx.x;
    const tree_cell leaf = a.view.cell[k];
    auto *tile = reinterpret_cast<near_tile<P> *>(memory);
    auto *totals = reinterpret_cast<near_totals<P> *>(tile + WARPS);
    auto *term = reinterpret_cast<leaf_term<Real> *>(totals + WARPS);
    const fmm_span near = part_of_list<WARPS>(a.view.lists[k].near, warp);
    const fmm_place at = a.view.place[k];
    const double per_length = inverse_of_power(length_of(at));
    const softening<P> soft = softening_in<P>(a, per_length);
    const int order = largest_order(a.view.softening, at);
    if (warp == 0 && !a.view.waits) load_terms(a, k, order, (int)lane, term);
    unsigned long long pairs = 0;
    for (uint32_t first = 0; first < leaf.n; first += near_width<P>) {
        const near_leaf<P> g = {a.view,
                                soft,
                                own_rinv<P, RULE>(soft),
                                warp == 0 && a.view.source == a.view.cell,
                                tile[warp],
                                totals[warp],
                                lane,
                                at,
                                per_length,
                                k,
                                leaf.first + first,
                                min(leaf.n - first, near_width<P>)};
        const uint32_t j = sum_near_of<P, RULE>(g, near);
        pairs += (unsigned long long)j * g.n;
        meet<WARPS>();
        if (WARPS > 1 && warp == 0) add_totals<P, WARPS>(totals, g.n, lane);
        if (warp == 0) give_results<P, Real>(a, g, order, term);
        meet<WARPS>();
    }
    if (lane == 0) atomicAdd(&a.counts->pairs, pairs);
}

KOSHU_DEVICE bool
has_long_list(const fmm_view &v, size_t k)
{
    return v.cell[k].children == 0 && v.lists[k].near.n > LONG_LIST;
}

template <class P, class Real, near_rule RULE>
static __global__ void
__launch_bounds__(WARP, near_shape<P>::warps)
        sum_leaf(const __grid_constant__ leaf_args a)
{
    extern __shared__ __align__(32) char memory[];
    wait_for_previous_kernel();
    const uint32_t k = blockIdx.x;
    if (a.view.cell[k].children > 0 || has_long_list(a.view, k)) return;
    sum_leaf_by<P, Real, RULE, 1>(a, k, memory);
}

/* Consecutive blocks search consecutive leaves, so that similar neighbours go
 * to different blocks. */
template <class P, class Real, near_rule RULE>
static __global__ void
__launch_bounds__(WARP *long_warps<P>)
        sum_long_leaves(const __grid_constant__ leaf_args a)
{
    extern __shared__ __align__(32) char memory[];
    __shared__ uint32_t found[WARP * long_warps<P>], n;
    wait_for_previous_kernel();
    for (size_t from = 0; from * gridDim.x < a.view.n_cells;
         from += blockDim.x) {
        const size_t k = (from + threadIdx.x) * gridDim.x + blockIdx.x;
        if (threadIdx.x == 0) n = 0;
        __syncthreads();
        if (k < a.view.n_cells && has_long_list(a.view, k))
            found[atomicAdd(&n, 1u)] = (uint32_t)k;
        __syncthreads();
        for (uint32_t leaf = 0; leaf < n; leaf++)
            sum_leaf_by<P, Real, RULE, long_warps<P>>(a, found[leaf], memory);
        __syncthreads();
    }
}

/* Whether softening matters is tested with the lengths of the largest possible
 * leaf, in which it is smallest. */
template <class P>
static near_rule
rule_of(const fmm_step &s)
{
    if (s.view.eps == 0) return NEAR_BARE;
    return s.view.eps > zero_distance_safe_below<P> * s.side ? NEAR_SOFTENED
                                                             : NEAR_ZERO_SAFE;
}

template <class P>
static size_t
bytes_of(const leaf_args &a, int warps)
{
    const int terms = EXPANSION_TERMS(a.e.p) + a.view.softening.terms;
    return warps * (sizeof(near_tile<P>) + sizeof(near_totals<P>)) +
           terms * sizeof(leaf_term<typename P::real>);
}

template <class P>
static cudaError_t
launch_leaves(const fmm_step &s, void (*kernel)(leaf_args), unsigned blocks,
              int warps, const leaf_args &args)
{
    const size_t bytes = bytes_of<P>(args, warps);
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return launch(s.cuda, kernel, blocks, (unsigned)(WARP * warps), bytes,
                  args);
}

template <class P, near_rule RULE>
static cudaError_t
launch_all(const fmm_step &s, const leaf_args &args)
{
    using Real = typename P::real;
    const unsigned some = 2 * (unsigned)s.cuda->multiprocessors;
    KOSHU_CUDA_TRY(launch_leaves<P>(s, sum_leaf<P, Real, RULE>, s.view.n_cells,
                                    1, args));
    return launch_leaves<P>(s, sum_long_leaves<P, Real, RULE>, some,
                            long_warps<P>, args);
}

template <class P>
cudaError_t
sum_leaves(const fmm_step &s)
{
    const fields &f = s.tree.store->f;
    const koshu_force_task &task = s.tree.task;
    const double unit = 1 / s.view.per_mass;
    const leaf_args args = {s.view,
                            s.fmm->on_device,
                            {f.a[0],
                             f.a[1],
                             f.a[2],
                             task.potential ? f.potential : nullptr,
                             unit,
                             unit,
                             {}},
                            s.counts};
    switch (rule_of<P>(s)) {
    case NEAR_BARE: return launch_all<P, NEAR_BARE>(s, args);
    case NEAR_SOFTENED: return launch_all<P, NEAR_SOFTENED>(s, args);
    default: return launch_all<P, NEAR_ZERO_SAFE>(s, args);
    }
}

} /* namespace koshu */

#endif
