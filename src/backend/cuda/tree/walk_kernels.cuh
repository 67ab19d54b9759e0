/* SPDX-License-Identifier: MIT */
/* The walk kernel of one precision, and its launch. */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALK_KERNELS_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALK_KERNELS_CUH

#include <algorithm>

#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/tree/engine.cuh"
#include "backend/cuda/tree/group_walk.cuh"

namespace koshu {

/*
 * A cell acts by a series on groups whose radius R is small enough. Relative
 * criterion: the error of the series is at most this part of the error allowed
 * for a cell, in the same measure, M R^4 / d^6 <= part alpha a. Geometric
 * criterion: d >= ratio R / theta. (Plummer sphere of 2^20 on an H100. With
 * alpha = 0.002 and parts 0.002, 0.004, 0.008 and 0.016: 2.59, 2.46, 2.35 and
 * 2.26 ms, 99th percentile of the errors 3.9, 4.0, 4.2 and 5.3 times 1e-4. With
 * theta = 0.5 and ratios 3.5 and 2.5: 4.93 and 4.62 ms, 3.7 and 4.9 times
 * 1e-4.)
 */
constexpr double series_part = 0.008, series_ratio = 3.5;

/* Number of warps per group. */
static inline size_t
parts_of(size_t warps, size_t groups)
{
    const size_t max_parts = 8;
    return std::min(std::max(2 * warps / groups, (size_t)1), max_parts);
}

template <class P, bool POTENTIAL, bool ZERO_SAFE>
__global__ void
__launch_bounds__(WARP *WALK_WARPS, WALK_BLOCKS)
        walk_groups(const __grid_constant__ traversal_args<P> a)
{
    __shared__ walk_lists<P> lists[WALK_WARPS];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t own = (size_t)blockIdx.x * WALK_WARPS + warp;
    wait_for_previous_kernel();
    walking_group<P, POTENTIAL, ZERO_SAFE> group(
            a, &lists[warp], a.stack + own * a.stack_capacity);
    for (;;) {
        unsigned index = 0;
        if (lane == 0) index = atomicAdd(a.next, 1u);
        index = __shfl_sync(~0u, index, 0);
        if (index / a.parts >= a.walks) break;
        walk(group, index);
    }
    give_counts(group);
}

/* Memory of the warps, and the counters by which they divide the work. */
template <class P>
static cudaError_t
reserve(const tree_step &s, const walked_tree &tree, traversal_args<P> *args)
{
    koshu_cuda *cuda = s.cuda;
    walk_memory *memory = &s.tree->walk;
    const unsigned capacity =
            stack_capacity(tree.levels) + tree.others.roots / 8;
    const size_t warps = cuda->multiprocessors * WALK_BLOCKS * WALK_WARPS;
    const size_t groups = tree.end - tree.begin,
                 parts = parts_of(warps, groups);
    const size_t part_bytes = 4 * WALK_WIDTH * sizeof(double);
    KOSHU_CUDA_TRY(memory->stacks.reserve(walk_bytes(cuda, capacity)));
    KOSHU_CUDA_TRY(memory->next.reserve(sizeof *args->next));
    KOSHU_CUDA_TRY(cudaMemsetAsync(memory->next.as<void>(), 0,
                                   sizeof *args->next, cuda->stream));
    if (parts > 1) {
        KOSHU_CUDA_TRY(memory->partial.reserve(groups * parts * part_bytes));
        KOSHU_CUDA_TRY(reserve_zeros(cuda, &memory->arrived,
                                     groups * sizeof *args->arrived));
    }
    args->stack = memory->stacks.as<siblings>();
    args->stack_capacity = capacity;
    args->levels = tree.levels;
    args->next = memory->next.as<unsigned>();
    args->parts = (unsigned)parts;
    args->partial = memory->partial.as<double>();
    args->arrived = memory->arrived.as<unsigned>();
    args->counts = &s.state->counts;
    return cudaSuccess;
}

/* Sets what is walked, and by which groups. */
template <class P>
static void
set_trees(const tree_step &s, const walked_tree &tree, traversal_args<P> *args)
{
    args->tree = tree.view;
    args->others = tree.others;
    args->begin = tree.begin;
    args->walks = tree.end - tree.begin;
    args->own_end = tree.own_end;
    args->tag = tree.tag;
    args->images = std::max((uint32_t)s.tree->images.n, 1u);
    args->shift = s.tree->shifts.as<const double[3]>();
}

template <class P>
static void
set_accuracy(const tree_step &s, const force_setup &setup,
             traversal_args<P> *args)
{
    const units &u = s.u;
    args->per_length = 1 / u.length;
    args->per_mass = 1 / u.mass;
    args->soft = softening_of<P>(setup);
    args->monopole = !s.criterion.quadrupole;
    args->few = args->monopole ? 1 : 2;
    args->cell_eps2 = fmaxf(args->soft.eps2, least_cell_eps2);
    args->nearest_cell2 = args->monopole || args->soft.eps2 >= least_cell_eps2
                                  ? 0
                                  : nearest_cell2;
    args->series_error = u.mass / (u.length * u.length) / series_part * s.per_a;
    args->relative_ratio = 2;
    args->geometric_ratio = (float)(series_ratio / s.criterion.theta);
    /* factors of P are removed from each list's sums */
    args->out = out_of<double_precision>(setup, progress{});
}

template <class P>
cudaError_t
launch_walks(const tree_step &s, const walked_tree &tree)
{
    using kernel = void (*)(const traversal_args<P>);
    static constexpr kernel kernels[2][2] = {
            {walk_groups<P, false, false>, walk_groups<P, false, true>},
            {walk_groups<P, true, false>, walk_groups<P, true, true>}};
    const force_setup setup = setup_of(s.store, s.task, s.u);
    const size_t blocks = s.cuda->multiprocessors * WALK_BLOCKS;
    traversal_args<P> args;
    if (tree.begin == tree.end) return cudaSuccess;
    KOSHU_CUDA_TRY(reserve(s, tree, &args));
    set_trees(s, tree, &args);
    set_accuracy(s, setup, &args);
    return launch(s.cuda,
                  kernels[s.task.potential][zero_distance_safe<P>(setup)],
                  (unsigned)blocks, WARP * WALK_WARPS, 0, args);
}

} /* namespace koshu */

#endif
