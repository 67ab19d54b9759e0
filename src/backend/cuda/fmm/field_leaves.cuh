/* SPDX-License-Identifier: MIT */
/* Sums at the particles of a leaf for charges, dipoles and vortices, with
 * Hessians: near pairs and the leaf's local expansions. A warp for each
 * leaf. */
#ifndef KOSHU_BACKEND_CUDA_FMM_FIELD_LEAVES_CUH
#define KOSHU_BACKEND_CUDA_FMM_FIELD_LEAVES_CUH

#include "backend/cuda/fmm/field_pairs.cuh"
#include "backend/cuda/fmm/laplace.cuh"

namespace koshu {

enum { FIELD_WARPS = 2 };

struct field_args {
    fmm_view view;
    koshu_expansion e;
    field_task task;
    size_t bytes_of_set, warp_bytes; /* of local expansions; of shared memory */
    fmm_counts *counts;
};

/* Evaluates a leaf's local expansions at a position. */
template <class K>
KOSHU_DEVICE void
sum_far_fields(const koshu_expansion &e, const typename K::term *term,
               const field_place<typename K::real> &at, typename K::real *sum)
{
    using Real = typename K::real;
    const particle_in_cell<Real> p = {at.x, at.y, at.z, 0};
#pragma unroll
    for (int f = 0; f < K::fields; f++) sum[f] = 0;
    for_each_harmonic(e, p, (Real)1, [&](int n, int m, Real even, Real odd) {
        const typename K::term t = term[EXPANSION_AT(n, m)];
        const typename K::term u = term[EXPANSION_AT(n, -m)];
#pragma unroll
        for (int f = 0; f < K::fields; f++)
            sum[f] += t.of[f] * even + u.of[f] * odd;
    });
}

/* ---- results ------------------------------------------------------------- */

/* Adds the background of a periodic box (solve/fmm_box.c), in the leaf's
 * lengths and the view's unit of charges. there: the particle's position
 * relative to the leaf's centre. */
template <class K>
KOSHU_DEVICE double
add_background(const fmm_view &v, double per_length,
               const field_place<double> &there, double *sum)
{
    double b[K::charges];
    const double part = 1 / (per_length * v.images.edge);
    for (int set = 0; set < K::charges; set++)
        b[set] = v.background[set] * part * part * part;
    return K::add_background(sum, b, there.x, there.y, there.z);
}

/* Writes the fields of particle i of the tree. */
template <class K>
KOSHU_DEVICE void
put_fields(const field_args &a, uint32_t i, double *sum, double trace)
{
    const uint32_t origin = a.task.tag[i].origin;
    bool finite = true;
    if (origin < a.task.skip) return;
#pragma unroll
    for (int f = 0; f < K::fields; f++) {
        finite = finite && isfinite(sum[f]);
        if (a.task.field[f]) a.task.field[f][origin - a.task.skip] = sum[f];
    }
    if constexpr (K::fields > K::yy)
        a.task.field[K::fields][origin - a.task.skip] =
                trace - (sum[K::xx] + sum[K::yy]);
    if (!finite) a.counts->lost = 1;
}

KOSHU_DEVICE double
power_of(double x, int n)
{
    double product = x;
    for (int k = 1; k < n; k++) product *= x;
    return product;
}

/* In the leaf's lengths, like far fields. */
template <class K>
KOSHU_DEVICE double
near_field(const field_leaf<K> &g, unsigned k, int field)
{
    const double total = g.totals[k][field];
    if constexpr (!K::bounded) return total;
    const double ratio = g.near_scale / g.per_length;
    return total * K::near_unit * power_of(ratio, K::power(field));
}

template <class K>
KOSHU_DEVICE void
give_fields(const field_args &a, const field_leaf<K> &g,
            const typename K::term *term)
{
    using Real = typename K::real;
    const double unit = a.task.unit / g.v.per_mass;
    for (unsigned k = g.lane; k < g.n; k += WARP) {
        Real far[K::fields];
        double sum[K::fields], trace = 0;
        const near_particle p = load_place(g.v, g.first + k);
        sum_far_fields<K>(a.e, term, place_in_leaf<Real>(p, g.at, g.per_length),
                          far);
#pragma unroll
        for (int f = 0; f < K::fields; f++)
            sum[f] = near_field(g, k, f) + far[f];
        if (g.v.background)
            trace = add_background<K>(
                    g.v, g.per_length,
                    place_in_leaf<double>(p, g.at, g.per_length), sum);
#pragma unroll
        for (int f = 0; f < K::fields; f++)
            sum[f] *= unit * power_of(g.per_length, K::power(f));
        put_fields<K>(a, g.first + k, sum,
                      trace * unit * power_of(g.per_length, 3));
    }
    __syncwarp();
}

/* ---- leaves -------------------------------------------------------------- */

/* Loads the local expansions of a leaf's fields. */
template <class K>
KOSHU_DEVICE void
load_field_terms(const field_args &a, size_t cell, typename K::term *term)
{
    using Real = typename K::real;
    const Real *local[FMM_MAX_SETS];
    for (int set = 0; set < FMM_MAX_SETS; set++)
        local[set] = row_of<Real>(static_cast<char *>(a.view.local) +
                                          set * a.bytes_of_set,
                                  a.view, cell);
    K::expand(a.e, local, term);
}

template <class K>
KOSHU_DEVICE void
sum_field_leaf(const field_args &a, size_t k, const tree_cell &leaf, char *own)
{
    using shape = field_shape<K>;
    auto &totals = *reinterpret_cast<typename shape::totals *>(own);
    own += sizeof totals;
    auto &tile = *reinterpret_cast<typename shape::tile *>(own);
    auto *term = reinterpret_cast<typename K::term *>(own + sizeof tile);
    const fmm_span near = a.view.lists[k].near;
    const fmm_place at = a.view.place[k];
    const unsigned lane = threadIdx.x % WARP;
    unsigned long long pairs = 0;
    load_field_terms<K>(a, k, term);
    const double per_length = inverse_of_power(length_of(at));
    core_order<typename K::real> order;
#pragma unroll
    for (int i = 0; i < VORTEX_CORE_TERMS; i++)
        order.p[i] = (typename K::real)a.task.core.p[i];
    for (uint32_t first = 0; first < leaf.n; first += shape::width) {
        const field_leaf<K> g = {a.view,
                                 {&a.view, a.task.strength},
                                 tile,
                                 totals,
                                 lane,
                                 at,
                                 per_length,
                                 K::near_scale(per_length, a.task.core.radius),
                                 order,
                                 leaf.first + first,
                                 min(leaf.n - first, shape::width)};
        pairs += (unsigned long long)sum_fields_of<K>(g, near) * g.n;
        give_fields(a, g, term);
    }
    if (lane == 0) atomicAdd(&a.counts->pairs, pairs);
}

template <class K>
static __global__ void
__launch_bounds__(WARP *FIELD_WARPS,
                  sizeof(typename K::real) == sizeof(float) ? 8 : 4)
        sum_field_leaves(const __grid_constant__ field_args a)
{
    extern __shared__ __align__(16) char memory[];
    wait_for_previous_kernel();
    const unsigned warp = threadIdx.x / WARP;
    const size_t k = (size_t)blockIdx.x * FIELD_WARPS + warp;
    if (k >= a.view.n_cells) return;
    const tree_cell leaf = a.view.cell[k];
    if (leaf.children == 0)
        sum_field_leaf<K>(a, k, leaf, memory + warp * a.warp_bytes);
}

/* ---- launches ------------------------------------------------------------ */

template <class K>
static cudaError_t
launch_fields(const fmm_step &s, const field_task &task)
{
    using shape = field_shape<K>;
    field_args args = {s.view, s.fmm->on_device, task, s.bytes_of_set,
                       0,      s.counts};
    args.warp_bytes = sizeof(typename shape::totals) +
                      sizeof(typename shape::tile) +
                      EXPANSION_TERMS(args.e.p) * sizeof(typename K::term);
    auto *kernel = sum_field_leaves<K>;
    const size_t bytes = FIELD_WARPS * args.warp_bytes;
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return launch(
            s.cuda, kernel,
            (unsigned)blocks_for((size_t)s.view.n_cells, (size_t)FIELD_WARPS),
            WARP * FIELD_WARPS, bytes, args);
}

/* Coordinates are sums of two floats if mixed precision is requested. */
template <class Real, bool GRADIENT>
static cudaError_t
launch_cores(const fmm_step &s, const field_task &task)
{
    if constexpr (sizeof(Real) == sizeof(float))
        if (s.tree.task.precision != KOSHU_PRECISION_SINGLE)
            return launch_fields<core_fields<Real, GRADIENT, true>>(s, task);
    return launch_fields<core_fields<Real, GRADIENT, false>>(s, task);
}

template <class Real>
cudaError_t
sum_fields_of_leaves(const fmm_step &s, const field_task &task)
{
    const field_kind k = task.kind;
    if (task.core.radius > 0 && k.hessian)
        return launch_cores<Real, true>(s, task);
    if (task.core.radius > 0) return launch_cores<Real, false>(s, task);
    if (k.vortex && k.hessian)
        return launch_fields<vortex_fields<Real, true>>(s, task);
    if (k.vortex) return launch_fields<vortex_fields<Real, false>>(s, task);
    if (k.dipole && k.hessian)
        return launch_fields<potential_fields<Real, true, true>>(s, task);
    if (k.dipole)
        return launch_fields<potential_fields<Real, true, false>>(s, task);
    return launch_fields<potential_fields<Real, false, true>>(s, task);
}

} /* namespace koshu */

#endif
