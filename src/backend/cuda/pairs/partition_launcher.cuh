/* SPDX-License-Identifier: MIT */
/* Launches of mutual() for one of several devices, which divide the pairs:
 * what of each range of rows is its own. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_PARTITION_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_PARTITION_LAUNCHER_CUH

#include "backend/cuda/pairs/mutual_launcher.cuh"

namespace koshu {

template <class P, class S, bool WITH_ZERO_SAFE> struct partition_launcher {
    using launcher = mutual_launcher<P, S, WITH_ZERO_SAFE>;
    using row_type = typename launcher::row_type;
    static constexpr size_t width = launcher::width;

    /* As plan_for(), of the list of all devices; those of this one. */
    static mutual_plan plan_for(const partition &mine, size_t n, size_t d_first)
    {
        const size_t blocks = blocks_for(n, width);
        const size_t row = (blocks * mine.largest / mine.all + 2) * width *
                           sizeof(row_type);
        const size_t max_rows = std::max<size_t>(1, mine.row_bytes / row);
        return mutual_partition(mutual_range(blocks, S::I, d_first, max_rows,
                                             mine.all * S::BLOCKS),
                                mine.first, mine.count, mine.all);
    }

    static cudaError_t
    reserve(koshu_cuda *cuda, const partition &mine, size_t n)
    {
        const size_t d_end = mutual_d_end(blocks_for(n, width));
        size_t segments = 0, rows = 0, d = 0;
        while (d < d_end) {
            const mutual_plan plan = plan_for(mine, n, d);
            if (d > 0)
                KOSHU_CUDA_TRY(
                        cuda->scratch.so_far.reserve(4 * n * sizeof(double)));
            segments = std::max(segments, plan.own_chunks + plan.own);
            rows = std::max(rows, plan.own * plan.rows);
            d += plan.rows;
        }
        KOSHU_CUDA_TRY(cuda->scratch.by_segment.reserve(segments * 4 * width *
                                                        sizeof(double)));
        return cuda->scratch.by_row.reserve(rows * width * sizeof(row_type));
    }

    static cudaError_t
    of_partition(koshu_cuda *cuda, const packed_memory &all,
                 const partition &mine, const distribution &slices,
                 const force_setup &setup, const part_targets &to)
    {
        const size_t n = slices.n, d_end = mutual_d_end(blocks_for(n, width));
        const force_out units = out_of<P>(setup, {});
        KOSHU_CUDA_TRY(reserve(cuda, mine, n));
        partition_out out = {slices,
                             to,
                             cuda->scratch.so_far.as<double>(),
                             false,
                             false,
                             3 + setup.potential,
                             units.a_unit,
                             units.potential_unit};
        for (size_t d = 0; d < d_end;) {
            const mutual_plan plan = plan_for(mine, n, d);
            const mutual_args<P> args =
                    launcher::args_of(cuda, all, plan, setup);
            out.first = d == 0;
            out.last = d + plan.rows == d_end;
            if (plan.own_chunks > 0)
                KOSHU_CUDA_TRY(launcher::one_range(cuda, args, setup));
            KOSHU_CUDA_TRY(launch(cuda, finish_partition<typename P::real>,
                                  (unsigned)blocks_for(n, FINISH_LANES),
                                  dim3(FINISH_LANES, FINISH_GROUPS), 0, plan,
                                  args.by_segment, args.by_row, (unsigned)width,
                                  out));
            d += plan.rows;
        }
        return cudaSuccess;
    }
};

template <class P, class S, bool WITH_ZERO_SAFE = true>
constexpr shaped_kernel mutual_in = {
        {"mutual", S::T, 1, S::I, S::UNROLL, S::FLUSH, S::BLOCKS},
        mutual_launcher<P, S, WITH_ZERO_SAFE>::all,
        mutual_launcher<P, S, WITH_ZERO_SAFE>::shape,
        partition_launcher<P, S, WITH_ZERO_SAFE>::of_partition};

} /* namespace koshu */

#endif
