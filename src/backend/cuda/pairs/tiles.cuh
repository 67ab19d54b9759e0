/* SPDX-License-Identifier: MIT */
/*
 * Passes j-particles, or cells, through a warp's own shared memory, a tile at a
 * time: the next tile is loaded while one is summed (Miki13 listing 2), and no
 * warp waits for another.
 *
 * A stage brings tiles; it has started to load the first one:
 *
 *     advance(next)  moves the loaded tile to shared memory, and starts to load
 *                    the one that begins at `next`
 *     ready()        the tile, once all of it has arrived
 *     done()         all lanes have read it
 *
 * and a sum uses them:
 *
 *     masks(at)      may a pair of the tile that begins at `at` have to be left
 *                    out? The same in all lanes; if so,
 *     add<true>()    checks each pair;
 *     add<false>()   otherwise
 *     flush()        after each tile
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_TILES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_TILES_CUH

#include <type_traits>

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* The tiles at first, first + stride ... up to `end`; downwards if stride is
 * negative, for indices that count what is left. */
template <class Stage, class Sum, class Index>
KOSHU_DEVICE void
sum_tiles(Stage *stage, Sum *sum, Index first, Index end, Index stride)
{
    const bool down = std::is_signed<Index>::value && stride < 0;
#pragma unroll 1
    for (Index at = first; down ? at > end : at < end; at += stride) {
        stage->advance(at + stride);
        const bool masked = sum->masks(at);
        const auto tile = stage->ready();
        if (masked)
            sum->template add<true>(tile, at);
        else
            sum->template add<false>(tile, at);
        stage->done();
        sum->flush();
    }
}

/* Tiles that lanes first load into registers, LOADED_EACH elements of each
 * array per lane. Loader has quads, the number of arrays, and load(), which
 * loads the tile at an index; indices ascend. */
enum { LOADED_TILE = 64, LOADED_EACH = LOADED_TILE / WARP };

template <class Loader> struct loaded_tiles {
    using quad = typename Loader::quad;
    static constexpr int quads = Loader::quads;

    Loader from;
    quad (*shared)[LOADED_TILE]; /* [quads] */
    quad next[quads][LOADED_EACH];

    __device__ __forceinline__ void start(int at)
    {
        from.load(next, at);
    }
    __device__ __forceinline__ void advance(int at)
    {
        const int lane = threadIdx.x % WARP;
        __syncwarp(); /* all have finished with the previous tile */
        for (int c = 0; c < quads; c++)
            for (int k = 0; k < LOADED_EACH; k++)
                shared[c][k * WARP + lane] = next[c][k];
        __syncwarp();
        start(at);
    }
    __device__ __forceinline__ const quad (*ready() const)[LOADED_TILE]
    {
        return shared;
    }
    __device__ __forceinline__ void done() const
    {
    }
};

} /* namespace koshu */

#endif
