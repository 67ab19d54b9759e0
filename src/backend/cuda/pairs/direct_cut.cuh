/* SPDX-License-Identifier: MIT */
/* How a direct sum in a shape is cut: by what that gives a multiprocessor to
 * do. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUT_CUH

#include <algorithm>
#include <cmath>

#include "backend/cuda/pairs/direct.cuh"
#include "backend/cuda/runtime/device.cuh"

namespace koshu {

template <class P, class S> struct direct_cut {
    static constexpr size_t width = (size_t)S::I * WARP, threads = S::J * WARP;

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
};

} /* namespace koshu */

#endif
