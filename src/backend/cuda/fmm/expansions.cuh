/* SPDX-License-Identifier: MIT */
/*
 * Operators from cell to cell for any order, a thread for each translation, as
 * kernels/expansion.h has them; and multipoles of leaves, a warp for each.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_EXPANSIONS_CUH
#define KOSHU_BACKEND_CUDA_FMM_EXPANSIONS_CUH

#include "backend/cuda/fmm/harmonics.cuh"
#include "backend/cuda/fmm/paths.cuh"

namespace koshu {

enum { EXPANSION_THREADS = 128, CHILDREN = 8 };

struct expansion_args {
    fmm_level level; /* cells */
    fmm_view view;
    koshu_expansion e;
};

/* ---- multipoles ---------------------------------------------------------- */

/* A warp for each leaf. */
template <class Real>
static __global__ void
__launch_bounds__(EXPANSION_THREADS)
        p2m(const __grid_constant__ expansion_args s)
{
    wait_for_previous_kernel();
    const size_t k =
            ((size_t)blockIdx.x * EXPANSION_THREADS + threadIdx.x) / WARP;
    if (k >= s.view.n_cells) return;
    const tree_cell cell = s.view.source[k];
    if (cell.children > 0) return;
    const fmm_place at = s.view.place[k];
    Real *const row = row_of<Real>(s.view.multipole, s.view, k);
    for (uint32_t j = 0; j == 0 || j < cell.n; j += WARP)
        add_to_multipoles(s.e,
                          particle_of_leaf<Real>(s.view, cell, at,
                                                 j + threadIdx.x % WARP),
                          j == 0, row);
}

/* Eight lanes for each parent: a child each. */
template <class Real, int TERMS>
static __global__ void
__launch_bounds__(EXPANSION_THREADS)
        m2m(const __grid_constant__ expansion_args s)
{
    wait_for_previous_kernel();
    const size_t thread = (size_t)blockIdx.x * EXPANSION_THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % CHILDREN;
    const size_t wanted = s.level.begin + thread / CHILDREN;
    const bool there = wanted < s.level.end;
    const size_t parent = there ? wanted : s.level.end - 1;
    const tree_cell cell = s.view.cell[parent];
    const int terms = EXPANSION_TERMS(s.e.p);
    Real v[TERMS], other[TERMS];
    for (int k = 0; k < terms; k++) other[k] = 0;
    if (lane < cell.children) {
        const size_t child = cell.child + lane;
        const fmm_place at = s.view.place[parent], from = s.view.place[child];
        const Real *row = row_of<Real>(s.view.multipole, s.view, child);
        const auto path = path_between<Real>(at, from);
        const double per_length = inverse_of_power(length_of(at));
        for (int k = 0; k < terms; k++) v[k] = row[k];
        formulas<Real>::m2m(&s.e, formulas<Real>::coefficients(s.e),
                            &path.direction,
                            (Real)(length_of(from) * per_length),
                            (Real)(path.distance * per_length), v, other);
    }
    __syncwarp();
    Real *to = row_of<Real>(s.view.multipole, s.view, parent);
    for (int k = 0; k < terms; k++) {
        Real sum = other[k];
        for (unsigned step = 1; step < CHILDREN; step *= 2)
            sum += __shfl_xor_sync(~0u, sum, step);
        if (there && cell.children > 0 && lane == k % CHILDREN) to[k] = sum;
    }
}

/* ---- local expansions ---------------------------------------------------- */

/* A warp for each target, a far cell for each of its lanes. */
template <class Real, int TERMS>
static __global__ void
__launch_bounds__(EXPANSION_THREADS)
        m2l(const __grid_constant__ expansion_args s)
{
    wait_for_previous_kernel();
    const size_t target =
            ((size_t)blockIdx.x * EXPANSION_THREADS + threadIdx.x) / WARP;
    const unsigned lane = threadIdx.x % WARP;
    if (target >= s.view.n_cells) return;
    const fmm_span far = s.view.lists[target].far;
    const fmm_place at = s.view.place[target];
    const double length = length_of(at);
    const int terms = EXPANSION_TERMS(s.e.p);
    Real *to = row_of<Real>(s.view.local, s.view, target);
    for (int k = (int)lane; k < terms; k += WARP) to[k] = 0;
    Real v[TERMS], other[TERMS];
    for (uint32_t j = 0; j < far.n; j += WARP) {
        const bool there = j + lane < far.n;
        for (int k = 0; k < terms; k++) other[k] = 0;
        if (there) {
            const uint32_t source = s.view.entry[far.first + j + lane];
            const fmm_place from = s.view.place[source];
            const Real *row = row_of<Real>(s.view.multipole, s.view, source);
            const auto path = path_between<Real>(from, at);
            for (int k = 0; k < terms; k++) v[k] = row[k];
            if (path.distance > 0)
                formulas<Real>::m2l(
                        &s.e, formulas<Real>::coefficients(s.e),
                        &path.direction, (Real)(length / path.distance),
                        (Real)(length_of(from) / path.distance), v, other);
            else
                other[0] = v[0] * (Real)same_point(s.view, length);
        }
        __syncwarp();
        for (int k = 0; k < terms; k++) {
            Real sum = other[k];
            for (unsigned step = 1; step < WARP; step *= 2)
                sum += __shfl_xor_sync(~0u, sum, step);
            if (lane == k % WARP) to[k] += sum;
        }
    }
}

/* A thread for each child. */
template <class Real, int TERMS>
static __global__ void
__launch_bounds__(EXPANSION_THREADS)
        l2l(const __grid_constant__ expansion_args s)
{
    wait_for_previous_kernel();
    const size_t child = s.level.begin +
                         (size_t)blockIdx.x * EXPANSION_THREADS + threadIdx.x;
    if (child >= s.level.end) return;
    const uint32_t parent = s.view.parent[child];
    const fmm_place from = s.view.place[parent], at = s.view.place[child];
    const auto path = path_between<Real>(from, at);
    const double per_length = inverse_of_power(length_of(from));
    const int terms = EXPANSION_TERMS(s.e.p);
    const Real *row = row_of<Real>(s.view.local, s.view, parent);
    Real *to = row_of<Real>(s.view.local, s.view, child);
    Real v[TERMS], other[TERMS];
    for (int k = 0; k < terms; k++) v[k] = row[k];
    formulas<Real>::l2l(&s.e, formulas<Real>::coefficients(s.e),
                        &path.direction, (Real)(length_of(at) * per_length),
                        (Real)(path.distance * per_length), v, other);
    for (int k = 0; k < terms; k++) to[k] += other[k];
}

/* ---- launches ------------------------------------------------------------ */

using expansion_kernel = void (*)(const expansion_args);

/* Arrays of a thread are for orders up to 10, or for all. */
#define KOSHU_BY_ORDER(kernel, p) \
    ((p) <= 10 ? kernel<Real, 121> : kernel<Real, 441>)

static cudaError_t
launch_threads(const fmm_step &s, expansion_kernel kernel, size_t threads,
               const expansion_args &args)
{
    return launch(s.cuda, kernel,
                  (unsigned)blocks_for(threads, (size_t)EXPANSION_THREADS),
                  EXPANSION_THREADS, 0, args);
}

static expansion_args
args_of(const fmm_step &s)
{
    return {{0, s.view.n_cells}, s.view, s.fmm->on_device};
}

template <class Real>
static cudaError_t
launch_p2m(const fmm_step &s)
{
    return launch_threads(s, p2m<Real>, (size_t)s.view.n_cells * WARP,
                          args_of(s));
}

template <class Real>
static cudaError_t
launch_m2m(const fmm_step &s, const fmm_level &level)
{
    expansion_args args = args_of(s);
    args.level = level;
    return launch_threads(s, KOSHU_BY_ORDER(m2m, args.e.p),
                          (size_t)(level.end - level.begin) * CHILDREN, args);
}

template <class Real>
static cudaError_t
launch_m2l(const fmm_step &s)
{
    const expansion_args args = args_of(s);
    return launch_threads(s, KOSHU_BY_ORDER(m2l, args.e.p),
                          (size_t)s.view.n_cells * WARP, args);
}

template <class Real>
static cudaError_t
launch_l2l(const fmm_step &s, const fmm_level &level)
{
    expansion_args args = args_of(s);
    args.level = level;
    return launch_threads(s, KOSHU_BY_ORDER(l2l, args.e.p),
                          level.end - level.begin, args);
}

template <class Real>
fmm_operators
operators_of_any_order()
{
    return {launch_p2m<Real>, launch_m2m<Real>, launch_m2l<Real>,
            launch_l2l<Real>};
}

} /* namespace koshu */

#endif
