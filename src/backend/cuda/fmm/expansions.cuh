/* SPDX-License-Identifier: MIT */
/*
 * Cell-to-cell operators for any order, 16 translations to a block; and
 * multipoles of leaves, a warp for each.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_EXPANSIONS_CUH
#define KOSHU_BACKEND_CUDA_FMM_EXPANSIONS_CUH

#include "backend/cuda/fmm/harmonics.cuh"
#include "backend/cuda/fmm/tile.cuh"

namespace koshu {

enum { EXPANSION_THREADS = 128, CHILDREN = 8 };

struct expansion_args {
    fmm_view view;
    koshu_expansion e;
};

struct tile_args {
    fmm_level level; /* cells */
    fmm_view view;
    fmm_fragments fragments;
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

/* ---- what goes into a tile ----------------------------------------------- */

/* An expansion (NULL: none) and its path. */
template <class Real> struct tile_source {
    const Real *row;
    tile_path path;
};

/* Fills the rows and paths of a tile, row k from source_of(k), each warp some
 * of them; ends with a barrier. false: there are none. */
template <class Real, class SourceOf>
KOSHU_DEVICE bool
fill(const tile &t, const SourceOf &source_of)
{
    constexpr int ROWS = TILE / TILE_WARPS;
    const int lane = (int)(threadIdx.x % WARP),
              first = (int)(threadIdx.x / WARP) * ROWS;
    const tile_source<Real> own = source_of(first + lane % ROWS);
    const Real *from[ROWS];
    if (lane < ROWS) t.path[first + lane] = own.path;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        from[r] = reinterpret_cast<const Real *>(
                __shfl_sync(~0u, reinterpret_cast<uintptr_t>(own.row), r));
#pragma unroll 2
    for (int k = lane; k < EXPANSION_TERMS(t.fragments.p); k += WARP)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            t.row[(first + r) * t.stride + k] =
                    from[r] ? (double)from[r][k] : 0;
    return __syncthreads_or(own.row != nullptr);
}

/* The path from a far cell to a target. */
KOSHU_DEVICE tile_path
path_of_far(const fmm_view &v, const fmm_place &from, const fmm_place &at)
{
    const auto path = path_between<double>(from, at);
    const double length = length_of(at);
    if (!(path.distance > 0))
        return {path.direction, 0, same_point(v, length), 0};
    const double near = length / path.distance;
    return {path.direction, length_of(from) / path.distance, near, near};
}

/* The path of a child's multipoles to its parent, or back, in units of the
 * distance. Distances below 2^-48 of the parent's length have no effect and are
 * raised to that. */
KOSHU_DEVICE tile_path
path_of_child(const fmm_place &parent, const fmm_place &child, bool up)
{
    const auto path = path_between<double>(parent, child);
    const double high = length_of(parent), low = length_of(child);
    const double distance = fmax(path.distance, 0x1p-48 * high);
    if (up) return {path.direction, low / distance, 1, distance / high};
    return {path.direction, distance / high, low / high, low / distance};
}

/* Number k summed over some rows. */
KOSHU_DEVICE double
sum_rows(const tile &t, int first, int n, int k)
{
    double sum = 0;
    for (int r = first; r < first + n; r++) sum += t.row[r * t.stride + k];
    return sum;
}

/* ---- kernels ------------------------------------------------------------- */

/* Blocks per multiprocessor, which share its registers. */
template <int STEPS>
constexpr int tile_blocks = STEPS == 1   ? 5
                            : STEPS == 2 ? 3
                                         : 2;

/* Two parents to a block. */
template <class Real, int STEPS>
static __global__ void
__launch_bounds__(TILE_THREADS, tile_blocks<STEPS>)
        m2m(const __grid_constant__ tile_args a)
{
    extern __shared__ __align__(16) char memory[];
    wait_for_previous_kernel();
    constexpr int PARENTS = TILE / CHILDREN;
    const fmm_view &v = a.view;
    const tile t = tile_of(a.fragments, memory);
    const size_t first = a.level.begin + (size_t)blockIdx.x * PARENTS;
    const bool any = fill<Real>(t, [&](int k) -> tile_source<Real> {
        const size_t parent = first + k / CHILDREN;
        const uint32_t number = k % CHILDREN;
        if (parent >= a.level.end || number >= v.cell[parent].children)
            return {};
        const size_t child = v.cell[parent].child + number;
        return {row_of<Real>(v.multipole, v, child),
                path_of_child(v.place[parent], v.place[child], true)};
    });
    if (!any) return;
    translate<STEPS>(t, a.fragments.m2m);
    for (int p = 0; p < PARENTS && first + p < a.level.end; p++) {
        if (v.cell[first + p].children == 0) continue;
        Real *const to = row_of<Real>(v.multipole, v, first + p);
        for (int k = (int)threadIdx.x; k < EXPANSION_TERMS(t.fragments.p);
             k += TILE_THREADS)
            to[k] = (Real)sum_rows(t, p * CHILDREN, CHILDREN, k);
    }
}

/* A block for each target, which loops over its far cells. */
template <class Real, int STEPS>
static __global__ void
__launch_bounds__(TILE_THREADS, tile_blocks<STEPS>)
        m2l(const __grid_constant__ tile_args a)
{
    extern __shared__ __align__(16) char memory[];
    wait_for_previous_kernel();
    constexpr int TERMS = EXPANSION_TERMS(order_of_steps<STEPS>);
    const fmm_view &v = a.view;
    const tile t = tile_of(a.fragments, memory);
    const int terms = EXPANSION_TERMS(t.fragments.p);
    const fmm_span far = v.lists[blockIdx.x].far;
    const fmm_place at = v.place[blockIdx.x];
    double sum[(TERMS + TILE_THREADS - 1) / TILE_THREADS] = {};
    for (uint32_t j = 0; j < far.n; j += TILE) {
        const bool any = fill<Real>(t, [&](int k) -> tile_source<Real> {
            if (j + k >= far.n) return {};
            const uint32_t entry = far.entry[j + k];
            const uint32_t source = cell_of(v, entry);
            if (!acts_here(v, blockIdx.x, source)) return {};
            return {row_of<Real>(v.multipole, v, source),
                    path_of_far(v, place_of(v, entry), at)};
        });
        if (!any) continue;
        translate<STEPS>(t, a.fragments.m2l);
        int k = (int)threadIdx.x;
#pragma unroll
        for (double &one : sum) {
            if (k < terms) one += sum_rows(t, 0, TILE, k);
            k += TILE_THREADS;
        }
        __syncthreads();
    }
    Real *const to = row_of<Real>(v.local, v, blockIdx.x);
    int k = (int)threadIdx.x;
#pragma unroll
    for (const double &one : sum) {
        if (k < terms) to[k] = (Real)(v.from.of_others ? to[k] + one : one);
        k += TILE_THREADS;
    }
}

/* 16 children to a block. */
template <class Real, int STEPS>
static __global__ void
__launch_bounds__(TILE_THREADS, tile_blocks<STEPS>)
        l2l(const __grid_constant__ tile_args a)
{
    extern __shared__ __align__(16) char memory[];
    wait_for_previous_kernel();
    const fmm_view &v = a.view;
    const tile t = tile_of(a.fragments, memory);
    const size_t first = a.level.begin + (size_t)blockIdx.x * TILE;
    fill<Real>(t, [&](int k) -> tile_source<Real> {
        const size_t child = first + k;
        if (child >= a.level.end) return {};
        const uint32_t parent = v.parent[child];
        return {row_of<Real>(v.local, v, parent),
                path_of_child(v.place[parent], v.place[child], false)};
    });
    translate<STEPS>(t, a.fragments.l2l);
    for (int r = 0; r < TILE && first + r < a.level.end; r++) {
        Real *const to = row_of<Real>(v.local, v, first + r);
        for (int k = (int)threadIdx.x; k < EXPANSION_TERMS(t.fragments.p);
             k += TILE_THREADS)
            to[k] += (Real)t.row[r * t.stride + k];
    }
}

/* ---- launches ------------------------------------------------------------ */

template <class Real>
static cudaError_t
launch_p2m(const fmm_step &s)
{
    const size_t threads = (size_t)s.view.n_cells * WARP;
    return launch(s.cuda, p2m<Real>,
                  (unsigned)blocks_for(threads, (size_t)EXPANSION_THREADS),
                  EXPANSION_THREADS, 0,
                  expansion_args{s.view, s.fmm->on_device});
}

using tile_kernel = void (*)(const tile_args);

static cudaError_t
launch_tiles(const fmm_step &s, tile_kernel kernel, const fmm_level &level,
             size_t blocks)
{
    const size_t bytes = tile_bytes(s.fmm->fragments.p);
    KOSHU_CUDA_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return launch(s.cuda, kernel, (unsigned)blocks, TILE_THREADS, bytes,
                  tile_args{level, s.view, s.fmm->fragments});
}

/* Selects the kernel with enough steps for the order. */
#define KOSHU_BY_STEPS(kernel, s)                  \
    ((s).fmm->fragments.p < 8    ? kernel<Real, 1> \
     : (s).fmm->fragments.p < 16 ? kernel<Real, 2> \
                                 : kernel<Real, 3>)

template <class Real>
static cudaError_t
launch_m2m(const fmm_step &s, const fmm_level &level)
{
    const size_t parents = level.end - level.begin;
    return launch_tiles(s, KOSHU_BY_STEPS(m2m, s), level,
                        blocks_for(parents, (size_t)(TILE / CHILDREN)));
}

template <class Real>
static cudaError_t
launch_m2l(const fmm_step &s)
{
    return launch_tiles(s, KOSHU_BY_STEPS(m2l, s), {}, s.view.n_cells);
}

template <class Real>
static cudaError_t
launch_l2l(const fmm_step &s, const fmm_level &level)
{
    const size_t children = level.end - level.begin;
    return launch_tiles(s, KOSHU_BY_STEPS(l2l, s), level,
                        blocks_for(children, (size_t)TILE));
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
