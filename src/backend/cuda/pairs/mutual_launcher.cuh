/* SPDX-License-Identifier: MIT */
/* Launches of mutual() in a shape: how a sum is cut, and its memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_LAUNCHER_CUH

#include <algorithm>
#include <cstdio>

#include "backend/cuda/pairs/recompute_launcher.cuh"
#include "backend/cuda/runtime/occupancy.cuh"
#include "backend/cuda/pairs/tuning.cuh"

namespace koshu {

template <class P, class S, bool WITH_ZERO_SAFE = true> struct mutual_launcher {
    static constexpr size_t width = (size_t)S::I * S::T;
    static_assert(width <= PADDING, "packed particles end before the block");
    using row_type = stored_sum<typename P::real>;

    static mutual_args<P>
    args_of(const koshu_cuda *cuda, const packed_memory &particles,
            const mutual_plan &plan, const force_setup &setup)
    {
        return {packed_of<P>(particles),
                plan,
                cuda->scratch.by_segment.as<double>(),
                cuda->scratch.by_row.as<row_type>(),
                softening_of<P>(setup),
                plan.d_first == 0 ? cuda->progress.begin : nullptr};
    }

    template <bool POTENTIAL, bool ZERO_SAFE>
    static cudaError_t one_range(koshu_cuda *cuda, const mutual_args<P> &args)
    {
        auto kernel = mutual<P, S::I, S::T, S::FLUSH, S::UNROLL, POTENTIAL,
                             ZERO_SAFE, S::TWO, S::BLOCKS>;
        const size_t shared =
                sizeof(mutual_shared<P, S::I, S::T, 3 + POTENTIAL>);
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)shared));
        return launch(cuda, kernel, (unsigned)args.plan.own_chunks, S::T,
                      shared, args);
    }

    static cudaError_t one_range(koshu_cuda *cuda, const mutual_args<P> &args,
                                 const force_setup &setup)
    {
        if constexpr (WITH_ZERO_SAFE)
            if (zero_distance_safe<P>(setup))
                return one_range<true, true>(cuda, args);
        return setup.potential ? one_range<true, false>(cuda, args)
                               : one_range<false, false>(cuda, args);
    }

    /* The rows d_first ... of n particles, as many as memory is meant for. */
    static mutual_plan
    plan_for(const koshu_cuda *cuda, size_t n, size_t d_first)
    {
        const size_t blocks = blocks_for(n, width);
        const size_t row = blocks * width * sizeof(row_type);
        const size_t max_rows = std::max<size_t>(1, cuda->row_bytes / row);
        return mutual_range(blocks, S::I, d_first, max_rows,
                            cuda->multiprocessors * S::BLOCKS);
    }

    static cudaError_t reserve(koshu_cuda *cuda, size_t n)
    {
        const mutual_plan plan = plan_for(cuda, n, 0);
        const size_t max_chunks = cuda->multiprocessors * S::BLOCKS;
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(
                (max_chunks + plan.blocks) * 4 * width * sizeof(double)));
        return cuda->scratch.by_row.reserve(plan.rows * plan.blocks * width *
                                            sizeof(row_type));
    }

    static cudaError_t all(koshu_cuda *cuda, const packed_memory &particles,
                           size_t n, const force_setup &setup)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        const progress &noted = cuda->progress;
        recompute_args<P> recompute = {};
        KOSHU_CUDA_TRY(reserve(cuda, n));
        KOSHU_CUDA_TRY(
                recompute_in_store(cuda, particles, n, setup, &recompute));
        cuda->sums++;
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(cuda, n, d);
            const bool last = d + plan.rows == d_end;
            const bool ends = last && !recomputes<P>;
            const mutual_args<P> args = args_of(cuda, particles, plan, setup);
            KOSHU_CUDA_TRY(one_range(cuda, args, setup));
            KOSHU_CUDA_TRY(launch(cuda, finish_mutual<P>,
                                  (unsigned)blocks_for(n, FINISH_LANES),
                                  dim3(FINISH_LANES, FINISH_GROUPS), 0,
                                  out_of<P>(setup, ends ? noted : progress{}),
                                  plan, args.by_segment, args.by_row,
                                  (unsigned)width, n, last, recompute));
            d += plan.rows;
        }
        return launch_recompute(cuda, recompute);
    }

    template <bool POTENTIAL>
    static cudaError_t occupied(koshu_force_shape *shape)
    {
        return occupancy(mutual<P, S::I, S::T, S::FLUSH, S::UNROLL, POTENTIAL,
                                false, S::TWO, S::BLOCKS>,
                         S::T,
                         sizeof(mutual_shared<P, S::I, S::T, 3 + POTENTIAL>),
                         shape);
    }

    static cudaError_t shape(const koshu_cuda *cuda, size_t n, bool potential,
                             koshu_force_shape *shape)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t tiles = 0, chunks = 0, ranges = 0;
        for (size_t d = 0; d < d_end; ranges++) {
            const mutual_plan plan = plan_for(cuda, n, d);
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
        shape->launches = 2 * ranges + recomputes<P>;
        shape->overlapped = cuda->overlaps_launches;
        return potential ? occupied<true>(shape) : occupied<false>(shape);
    }
};

} /* namespace koshu */

#endif
