/* SPDX-License-Identifier: MIT */
/* Launches mutual() in a shape, on one device or on one of several that divide
 * the pairs: the division of a sum, and its memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_LAUNCHER_CUH

#include <algorithm>
#include <cstdio>

#include "backend/cuda/pairs/finish.cuh"
#include "backend/cuda/pairs/tuning.cuh"
#include "backend/cuda/runtime/occupancy.cuh"

namespace koshu {

/* The partition if there is only this device. */
inline partition
whole_device(const koshu_cuda *cuda)
{
    const size_t all = cuda->multiprocessors;
    return {0, all, all, all, cuda->row_bytes};
}

template <class Parts> struct mutual_kernel {
    void (*function)(mutual_args<Parts>);
    size_t shared; /* memory */
};
template <class F, class S>
constexpr mutual_kernel<typename F::parts> mutual_of = {
        mutual<F, S>, sizeof(mutual_shared<F, S>)};

template <class Parts, class S> struct mutual_launcher {
    using part = typename Parts::part;
    using kernel = mutual_kernel<Parts>;
    static constexpr size_t width = (size_t)S::I * S::T;
    static_assert(width % FINISH_LANES == 0, "lanes have one block");

    /* The plan of the rows from d_first on, as many as fit the memory limit,
     * for this device's part. */
    static mutual_plan plan_for(const partition &mine, size_t n, size_t d_first)
    {
        const size_t blocks = blocks_for(n, width);
        const size_t own = mine.count == mine.all
                                   ? blocks
                                   : blocks * mine.largest / mine.all + 2;
        const size_t max_rows = std::max<size_t>(
                1, mine.row_bytes / (own * width * sizeof(part)));
        return mutual_partition(mutual_range(blocks, S::I, d_first, max_rows,
                                             mine.all * S::BLOCKS),
                                mine.first, mine.count, mine.all);
    }

    static cudaError_t
    reserve(koshu_cuda *cuda, const partition &mine, size_t n)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t segments = 0, rows = 0;
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(mine, n, d);
            segments = std::max(segments, plan.own_chunks + plan.own);
            rows = std::max(rows, plan.own * plan.rows);
            d += plan.rows;
        }
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(
                segments * Parts::rows * width * sizeof(double)));
        return cuda->scratch.by_row.reserve(rows * width * sizeof(part));
    }

    /* Sums n particles on each other; end: an End of finish_mutual(). */
    template <class End>
    static cudaError_t sum(koshu_cuda *cuda, const kernel &k,
                           const packed<typename Parts::precision> &particles,
                           const typename Parts::constants &with,
                           const partition &mine, size_t n, End end)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        KOSHU_CUDA_TRY(reserve(cuda, mine, n));
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                k.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)k.shared));
        mutual_args<Parts> args = {particles,
                                   {},
                                   cuda->scratch.by_segment.as<double>(),
                                   cuda->scratch.by_row.as<part>(),
                                   with,
                                   cuda->progress.begin};
        for (size_t d = 0; d < d_end; d += args.plan.rows) {
            args.plan = plan_for(mine, n, d);
            args.begin = d == 0 ? args.begin : nullptr;
            end.first = d == 0;
            end.last = d + args.plan.rows == d_end;
            if (args.plan.own_chunks > 0)
                KOSHU_CUDA_TRY(launch(cuda, k.function,
                                      (unsigned)args.plan.own_chunks, S::T,
                                      k.shared, args));
            KOSHU_CUDA_TRY(launch(cuda, finish_mutual<Parts, End>,
                                  (unsigned)blocks_for(n, FINISH_LANES),
                                  dim3(FINISH_LANES, FINISH_GROUPS), 0, end,
                                  args.plan, args.by_segment, args.by_row,
                                  (unsigned)width));
        }
        return cudaSuccess;
    }

    /* How sum() divides them on one device. */
    static cudaError_t shape(const koshu_cuda *cuda, const kernel &k, size_t n,
                             koshu_force_shape *shape)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t tiles = 0, chunks = 0, ranges = 0;
        for (size_t d = 0; d < d_end; ranges++) {
            const mutual_plan plan = plan_for(whole_device(cuda), n, d);
            tiles += blocks_for(plan.all_tiles(), plan.chunks);
            chunks += plan.chunks;
            d += plan.rows;
        }
        snprintf(shape->kernel, sizeof shape->kernel, "mutual %dx%d", S::I,
                 S::T);
        shape->blocks = chunks;
        shape->tiles = (double)tiles / (double)ranges;
        shape->evaluations = (double)(width * S::T);
        shape->both = 2;
        shape->launches = 2 * ranges;
        shape->overlapped = cuda->overlaps_launches;
        return occupancy(k.function, S::T, k.shared, shape);
    }
};

} /* namespace koshu */

#endif
