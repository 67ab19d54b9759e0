/* SPDX-License-Identifier: MIT */
/* The kernel of walks of one precision, and its launch. */
#ifndef KOSHU_BACKEND_CUDA_TREE_WALK_KERNELS_CUH
#define KOSHU_BACKEND_CUDA_TREE_WALK_KERNELS_CUH

#include <algorithm>

#include "backend/cuda/pairs/setup.cuh"
#include "backend/cuda/tree/group_walk.cuh"

namespace koshu {

/*
 * A cell acts by a series on groups whose radius R is small: where the error of
 * the series is this part of what the criterion allows a cell, by the same
 * measure, M R^4 / d^6 <= part alpha a; or d >= ratio R / theta. (Of a Plummer
 * sphere of 2^20 on an H100 with alpha = 0.002, by parts 0.002, 0.004, 0.008
 * and 0.016, in ms 2.59, 2.46, 2.35 and 2.26, and in 1e-4 for 99 % of the
 * errors 3.9, 4.0, 4.2 and 5.3. By ratios 3.5 and 2.5, with theta = 0.5, in
 * ms 4.93 and 4.62, and in 1e-4 3.7 and 4.9.)
 */
constexpr double series_part = 0.008, series_ratio = 3.5;

/* Warps for each group. */
static inline unsigned
parts_of(size_t warps, uint32_t groups)
{
    const size_t max_parts = 8;
    return (unsigned)std::min(std::max(2 * warps / groups, (size_t)1),
                              max_parts);
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
        if (index / a.parts >= a.tree.n_groups) break;
        walk(group, index);
    }
    give_counts(group);
}

template <class P>
cudaError_t
launch_walks(koshu_cuda *cuda, const tree_view &tree, const walk_task &task,
             walk_memory *memory)
{
    const force_setup setup = {task.eps, task.potential, task.u, task.out};
    const softening<P> soft = softening_of<P>(setup);
    const size_t blocks = cuda->multiprocessors * WALK_BLOCKS;
    const unsigned capacity = stack_capacity(task.levels);
    const unsigned parts = parts_of(blocks * WALK_WARPS, tree.n_groups);
    KOSHU_CUDA_TRY(memory->stacks.reserve(walk_bytes(cuda, task.levels)));
    if (parts > 1) {
        KOSHU_CUDA_TRY(memory->partial.reserve((size_t)tree.n_groups * parts *
                                               4 * WALK_WIDTH *
                                               sizeof(double)));
        KOSHU_CUDA_TRY(reserve_zeros(cuda, &memory->arrived,
                                     tree.n_groups * sizeof(unsigned)));
    }
    KOSHU_CUDA_TRY(memory->next.reserve(sizeof(unsigned)));
    KOSHU_CUDA_TRY(cudaMemsetAsync(memory->next.as<void>(), 0, sizeof(unsigned),
                                   cuda->stream));
    const traversal_args<P> args = {
            tree,
            1 / task.u.length,
            1 / task.u.mass,
            soft,
            fmaxf(soft.eps2, least_cell_eps2),
            task.monopole || soft.eps2 >= least_cell_eps2 ? 0 : nearest_cell2,
            task.u.mass / (task.u.length * task.u.length) / series_part *
                    task.per_a,
            2,
            task.theta > 0 ? (float)(series_ratio / task.theta) : INFINITY,
            task.monopole ? 1u : 2u,
            task.monopole,
            memory->stacks.as<siblings>(),
            capacity,
            task.levels,
            memory->next.as<unsigned>(),
            parts,
            memory->partial.as<double>(),
            memory->arrived.as<unsigned>(),
            task.counts,
            /* factors of P are taken out of each list's sums */
            out_of<double_precision>(setup, progress{}),
    };
    using kernel = void (*)(const traversal_args<P>);
    static constexpr kernel kernels[2][2] = {
            {walk_groups<P, false, false>, walk_groups<P, false, true>},
            {walk_groups<P, true, false>, walk_groups<P, true, true>}};
    return launch(cuda, kernels[task.potential][zero_distance_safe<P>(setup)],
                  (unsigned)blocks, WARP * WALK_WARPS, 0, args);
}

} /* namespace koshu */

#endif
