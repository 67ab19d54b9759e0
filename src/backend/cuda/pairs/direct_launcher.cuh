/* SPDX-License-Identifier: MIT */
/* Launches direct() in a shape, and reserves its memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_DIRECT_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_DIRECT_LAUNCHER_CUH

#include <cstdio>

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/direct_cut.cuh"
#include "backend/cuda/runtime/occupancy.cuh"
#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/pairs/tuning.cuh"

namespace koshu {

/* WITH_ZERO_SAFE: includes the kernels for very small softening. */
template <class P, class S, bool WITH_ZERO_SAFE = true> struct direct_launcher {
    using cut = direct_cut<P, S>;
    static constexpr size_t width = cut::width, threads = cut::threads;
    using kernel_type = void (*)(direct_args<P>);

    static kernel_type kernel_for(bool potential, bool zero_safe)
    {
        if constexpr (WITH_ZERO_SAFE)
            if (zero_safe)
                return direct<P, S::I, S::J, S::UNROLL, true, true, S::BLOCKS>;
        if (potential)
            return direct<P, S::I, S::J, S::UNROLL, true, false, S::BLOCKS>;
        return direct<P, S::I, S::J, S::UNROLL, false, false, S::BLOCKS>;
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        const direct_grid grid = cut::grid_for(cuda, n, n);
        const size_t blocks = blocks_for(n, width);
        const packed<P> p = packed_of<P>(particles);
        direct_args<P> args = {};
        args.i = args.j = p;
        args.grid = grid;
        args.own = true;
        args.out = out_of<P>(setup, cuda->progress);
        if (recomputes<P>)
            args.check = {p,
                          n,
                          softening_of<P>(setup),
                          softening_of<double_precision>(setup),
                          cancellation_part(n) / P::a_factor,
                          out_of<double_precision>(setup, {})};
        cuda->sums++;
        return sum(cuda, args, dim3((unsigned)blocks, (unsigned)grid.chunks),
                   blocks, setup);
    }

    /* Forces of other particles than the i-particles themselves. */
    static cudaError_t others(koshu_cuda *cuda, const packed_memory &i,
                              size_t n_i, const packed_memory &j, size_t n_j,
                              const force_setup &setup)
    {
        const size_t blocks = blocks_for(n_i, width);
        direct_args<P> args = {};
        args.i = packed_of<P>(i);
        args.j = packed_of<P>(j);
        args.grid = cut::grid_for(cuda, n_i, n_j);
        args.out = out_of<P>(setup, {});
        return sum(cuda, args,
                   dim3((unsigned)blocks, (unsigned)args.grid.chunks), blocks,
                   setup);
    }

    static cudaError_t
    items(koshu_cuda *cuda, const item_list &list, const force_setup &setup)
    {
        direct_args<P> args = {};
        args.i = packed_of<P>(list.i);
        args.j = packed_of<P>(list.j);
        args.items = list.items;
        args.blocks = list.blocks;
        args.self = list.self;
        args.out = out_of<P>(setup, {});
        return sum(cuda, args, dim3((unsigned)list.n_items), list.n_blocks,
                   setup);
    }

    /* items: CUDA blocks, each with a partial sum; blocks: number of blocks of
     * i-particles. */
    static cudaError_t sum(koshu_cuda *cuda, direct_args<P> &args, dim3 items,
                           size_t blocks, const force_setup &setup)
    {
        const size_t partials = (size_t)items.x * items.y;
        KOSHU_CUDA_TRY(cuda->scratch.partial.reserve(partials * 4 * width *
                                                     sizeof(double)));
        KOSHU_CUDA_TRY(reserve_zeros(cuda, &cuda->scratch.arrived,
                                     blocks * sizeof(unsigned)));
        args.partial = cuda->scratch.partial.as<double>();
        args.arrived = cuda->scratch.arrived.as<unsigned>();
        args.soft = softening_of<P>(setup);
        return launch(cuda,
                      kernel_for(setup.potential, zero_distance_safe<P>(setup)),
                      items, threads, 0, args);
    }

    static cudaError_t shape(const koshu_cuda *cuda, size_t n, bool potential,
                             koshu_force_shape *shape)
    {
        const direct_grid grid = cut::grid_for(cuda, n, n);
        const size_t tile = (size_t)S::J * DIRECT_TILE;
        snprintf(shape->kernel, sizeof shape->kernel, "direct %dx%d", S::I,
                 S::J);
        shape->blocks = blocks_for(n, width) * grid.chunks;
        shape->tiles = (double)grid.chunk / (double)tile;
        shape->evaluations = (double)(width * tile);
        shape->both = 1;
        shape->launches = 1;
        shape->overlapped = cuda->overlaps_launches;
        shape->joins = grid.chunks > 1;
        return occupancy(kernel_for(potential, false), threads, 0, shape);
    }
};

template <class P, class S, bool WITH_ZERO_SAFE = true>
constexpr shaped_kernel direct_in = {
        {"direct", WARP, S::J, S::I, S::UNROLL, DIRECT_TILE, S::BLOCKS},
        direct_launcher<P, S, WITH_ZERO_SAFE>::all,
        direct_launcher<P, S, WITH_ZERO_SAFE>::shape,
        nullptr};

} /* namespace koshu */

#endif
