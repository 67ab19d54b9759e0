/* SPDX-License-Identifier: MIT */
/* Divides a direct sum in a given shape, by estimating the work of the busiest
 * multiprocessor. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUT_CUH

#include <algorithm>
#include <cmath>

#include "backend/cuda/pairs/direct.cuh"
#include "backend/cuda/runtime/device.cuh"

namespace koshu {

template <class P, class S> struct direct_cut {
    static constexpr size_t width = (size_t)S::I * WARP, threads = S::J * WARP;

    /* Costs in interactions that a multiprocessor could sum in the same time:
     * starting all its blocks, waiting for the last partial sum, and loading
     * one; measured on an H100. */
    static constexpr double speed = in_float<P> ? 1 : 0.5,
                            wave_cost = 24000 * speed / S::BLOCKS,
                            partials_cost = 13000 * speed,
                            load_cost = 1000 * speed;

    /* The work of the busiest multiprocessor, which is slower with few threads.
     * Blocks that start while those of another sum still run may share a
     * multiprocessor while others are idle (some H100 then took 10 us for 2048
     * particles instead of 7): if several blocks have the same i-particles, a
     * division that fills all multiprocessors avoids that. */
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

    /* Chooses chunks of the j-particles for the earliest end: about `each` CUDA
     * blocks per multiprocessor, or no division. */
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
};

} /* namespace koshu */

#endif
