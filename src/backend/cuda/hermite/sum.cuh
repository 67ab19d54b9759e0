/* SPDX-License-Identifier: MIT */
/*
 * The second stage of a block step: the sums of all packed particles on the due
 * ones. A unit of work is a tile of i-particles against a chunk of j-particles;
 * each block of the grid takes an equal number of units, distributes the chunks
 * of a tile over its warps, and adds the warps' sums.
 */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_SUM_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_SUM_CUH

#include <type_traits>

#include "backend/cuda/hermite/predict.cuh"
#include "backend/cuda/pairs/jerk_sum.cuh"

namespace koshu {

/* i-particles of the narrowest and the widest tile; number of chunks after
 * which sums are added up in double. */
enum { BLOCK_NARROWEST = 4, BLOCK_WIDEST = 32, BLOCK_FLUSH = 4 };
enum { BLOCK_UNROLL = 4 };

/* A warp's shared memory: during its sum, and for the result. */
template <class P> union block_warp_memory {
    jerk_stage<P> stage;
    double sums[JERK_COMPONENTS][BLOCK_WIDEST];
};

/*
 * With few pairs, tiles are made so narrow that each warp still has a chunk:
 * that minimises the pairs in sequence. Then no block has fewer units than
 * warps, and none has parts of two tiles.
 */
KOSHU_DEVICE block_partition
partition_of(uint32_t n, uint32_t count)
{
    block_partition s;
    const uint32_t warps = gridDim.x * BLOCK_WARPS;
    s.units = (n + JERK_CHUNK - 1) / JERK_CHUNK;
    s.width = BLOCK_NARROWEST / 2;
    do {
        s.width *= 2;
        s.tiles = (count + s.width - 1) / s.width;
        s.total = s.tiles * s.units;
    } while (s.width < BLOCK_WIDEST && s.width < count && s.total > warps);
    if (s.total <= warps) {
        s.units = (s.units + BLOCK_WARPS - 1) / BLOCK_WARPS * BLOCK_WARPS;
        s.total = s.tiles * s.units;
    }
    s.workers = min(gridDim.x, s.total / BLOCK_WARPS);
    s.workers = max(s.workers, 1u);
    s.each = s.total / s.workers;
    s.one_more = s.total % s.workers;
    return s;
}

template <class P, int T>
KOSHU_DEVICE void
load_tile(const block_args<P> &a, const block_place &place, uint32_t count,
          const uint32_t *before, uint32_t tile,
          jerk_lane<P, T, 1, false> *lane, exclude_own *exclude)
{
    const uint32_t rank = tile * T + lane->column();
    const uint32_t there = rank < count ? rank : count - 1;
    const uint32_t index = listed(a, before, place.first + there);
    lane->i[0] = load_point(a.packed[place.iteration % 2], index);
    exclude->own[0] = index;
}

/* The warp's part of the chunks first ... first + chunks - 1. Warps take turns,
 * because chunks with particles of the tile itself take longer and are
 * adjacent. */
template <class P, int T>
KOSHU_DEVICE void
sum_part(const block_args<P> &a, const block_place &place,
         jerk_lane<P, T, 1, false> *lane, const exclude_own &exclude,
         uint32_t first, uint32_t chunks, block_warp_memory<P> *memory)
{
    const uint32_t warp = threadIdx.x / WARP;
    const uint32_t begin = min((first + warp) * JERK_CHUNK, a.n);
    const uint32_t end = min((first + chunks) * JERK_CHUNK, a.n);
    const packed<P> &j = a.packed[place.iteration % 2];
    sum_jerk<BLOCK_FLUSH, BLOCK_UNROLL>(lane, j, begin, end, a.eps2, exclude,
                                        &memory[warp].stage,
                                        BLOCK_WARPS * JERK_CHUNK);
}

/* Adds the sums of the warps, and writes them to their partial sum. */
template <class P, int T>
KOSHU_DEVICE void
store_part(double *partial, const jerk_lane<P, T, 1, false> &lane,
           block_warp_memory<P> *memory)
{
    const int warp = threadIdx.x / WARP;
    __syncwarp(); /* the stage is no longer read */
    store_totals(memory[warp].sums, lane);
    __syncthreads();
    for (int at = threadIdx.x; at < JERK_COMPONENTS * T; at += BLOCK_THREADS) {
        double sum = 0;
        for (int w = 0; w < BLOCK_WARPS; w++)
            sum += memory[w].sums[at / T][at % T];
        partial[at] = sum;
    }
    __syncthreads();
}

template <class P, int T>
KOSHU_DEVICE void
sum_partition(const block_args<P> &a, const block_place &place,
              const block_partition &partition, uint32_t count,
              const uint32_t *before, block_warp_memory<P> *memory)
{
    const uint32_t worker = blockIdx.x;
    if (worker >= partition.workers) return;
    uint32_t unit = partition.begin(worker);
    const uint32_t end = partition.begin(worker + 1);
    while (unit < end) {
        const uint32_t tile = unit / partition.units;
        const uint32_t first = unit % partition.units;
        const uint32_t chunks =
                (uint32_t)min(partition.units - first, end - unit);
        jerk_lane<P, T, 1, false> lane;
        exclude_own exclude;
        load_tile(a, place, count, before, tile, &lane, &exclude);
        sum_part(a, place, &lane, exclude, first, chunks, memory);
        store_part(a.partial + partition.partial_index(worker, tile) *
                                       JERK_COMPONENTS * T,
                   lane, memory);
        unit += chunks;
    }
}

template <class P>
KOSHU_DEVICE void
sum(const block_args<P> &a, const block_place &place,
    const block_partition &partition, uint32_t count, const uint32_t *before,
    block_warp_memory<P> *memory)
{
    const auto in_tiles_of = [&](auto width) {
        sum_partition<P, width>(a, place, partition, count, before, memory);
    };
    switch (partition.width) {
    case 4: return in_tiles_of(std::integral_constant<int, 4>());
    case 8: return in_tiles_of(std::integral_constant<int, 8>());
    case 16: return in_tiles_of(std::integral_constant<int, 16>());
    default: return in_tiles_of(std::integral_constant<int, 32>());
    }
}

} /* namespace koshu */

#endif
