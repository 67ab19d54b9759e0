/* SPDX-License-Identifier: MIT */
/* Launches of direct() in a shape, and their memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_DIRECT_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_DIRECT_LAUNCHER_CUH

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/direct.cuh"
#include "backend/cuda/runtime/occupancy.cuh"
#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/pairs/tuning.cuh"

namespace koshu {

/* WITH_ZERO_SAFE: with the kernels for a softening next to nothing. */
template <class P, class S, bool WITH_ZERO_SAFE = true> struct direct_launcher {
    static constexpr size_t width = (size_t)S::I * WARP, threads = S::J * WARP;
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

    /* Interactions that a multiprocessor could sum in the time that it takes
     * to begin with all its blocks anew, to wait for the last partial sum, and
     * to load one; seen on an H100. */
    static constexpr double speed = in_float<P> ? 1 : 0.5,
                            wave_cost = 24000 * speed / S::BLOCKS,
                            partials_cost = 13000 * speed,
                            load_cost = 1000 * speed;

    /* What the multiprocessor with the most to do does. With few threads it is
     * slower. Blocks that come while those of another sum still run may meet on
     * one multiprocessor while others are idle (some H100 then took 10 us for
     * 2048 particles instead of 7): where blocks share i-particles, a cut that
     * fills all places does not depend on that. */
    static double
    cost_of(const koshu_cuda *cuda, size_t blocks, size_t chunk, size_t chunks)
    {
        const size_t at_once = cuda->multiprocessors * S::BLOCKS;
        const size_t all = blocks * chunks;
        const size_t last = blocks_for(all % at_once, cuda->multiprocessors);
        const double slower = last * threads < 512 ? 1.25 : 1;
        double busy =
                (double)(all / at_once * S::BLOCKS) + (double)last * slower;
        if (chunks > 1 && all < at_once) busy = S::BLOCKS;
        const size_t loads = blocks_for(4 * width * chunks, threads);
        return (double)(width * chunk) * busy +
               wave_cost * (double)blocks_for(all, at_once) +
               (chunks > 1 ? partials_cost + load_cost * (double)loads : 0);
    }

    /* Chunks of the j-particles so that all multiprocessors end early: those
     * that give each about `each` CUDA blocks, or no cut at all. */
    static direct_grid grid_for(const koshu_cuda *cuda, size_t n, size_t n_j)
    {
        const size_t step = (size_t)S::J * S::UNROLL;
        const size_t blocks = blocks_for(n, width);
        direct_grid best = {n, n_j, 0, 0};
        double least = INFINITY;
        for (size_t each = 0; each <= 8; each++) {
            const size_t wanted =
                    std::max<size_t>(1, each * cuda->multiprocessors / blocks);
            const size_t chunk = blocks_for(n_j, wanted * step) * step;
            const size_t chunks = blocks_for(n_j, chunk);
            const double cost = cost_of(cuda, blocks, chunk, chunks);
            if (cost >= least) continue;
            least = cost;
            best.chunk = chunk;
            best.chunks = chunks;
        }
        return best;
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        const direct_grid grid = grid_for(cuda, n, n);
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

    /* On other particles than themselves. */
    static cudaError_t others(koshu_cuda *cuda, const packed_memory &i,
                              size_t n_i, const packed_memory &j, size_t n_j,
                              const force_setup &setup)
    {
        const size_t blocks = blocks_for(n_i, width);
        direct_args<P> args = {};
        args.i = packed_of<P>(i);
        args.j = packed_of<P>(j);
        args.grid = grid_for(cuda, n_i, n_j);
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

    /* items: CUDA blocks, each with a partial sum; blocks: of i-particles. */
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
        const direct_grid grid = grid_for(cuda, n, n);
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
