/* SPDX-License-Identifier: MIT */
/* The end of mutual() for forces on one device (finish.cuh): results, and a
 * list of those that cancel. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_FINISH_FORCES_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_FINISH_FORCES_CUH

#include "backend/cuda/pairs/finish.cuh"
#include "backend/cuda/pairs/recompute.cuh"

namespace koshu {

/* The first range of rows overwrites, the others add; with the last, the sums
 * are done. */
template <class P> struct force_results : finish_end {
    force_out out;
    recompute_args<P> recompute;

    struct memory {
        cancellation_sample of[recomputes<P> ? FINISH_GROUPS : 1][FINISH_LANES];
    };
    __device__ __forceinline__ int components() const
    {
        return out.potential ? 4 : 3;
    }
    __device__ __forceinline__ void
    start(memory *sampled, size_t i, unsigned lane, unsigned group) const
    {
        if constexpr (recomputes<P>)
            sampled->of[group][lane] = sample<P, SAMPLES / FINISH_GROUPS>(
                    recompute, recompute.whole,
                    group * (SAMPLES / FINISH_GROUPS), recompute.i.q[0][i]);
    }
    __device__ __forceinline__ void
    put(int, const double (*part)[4][FINISH_LANES], const memory *sampled,
        double *sum, size_t i, unsigned lane, unsigned group) const
    {
        if (last && group == FINISH_GROUPS - 1 && lane == 0 && in_last_block())
            note_end(out.progress);
        if (group > 0 || i >= n) return;
        for (int g = 1; g < FINISH_GROUPS; g++)
            for (int c = 0; c < 4; c++) sum[c] += part[g][c][lane];
        const double ax = (first ? 0 : out.ax[i]) + out.a_unit * sum[0];
        const double ay = (first ? 0 : out.ay[i]) + out.a_unit * sum[1];
        const double az = (first ? 0 : out.az[i]) + out.a_unit * sum[2];
        out.ax[i] = ax;
        out.ay[i] = ay;
        out.az[i] = az;
        if (out.potential)
            out.potential[i] = (first ? 0 : out.potential[i]) +
                               out.potential_unit * sum[3];
        if (recomputes<P> && last)
            list(sampled, i, lane, fabs(ax) + fabs(ay) + fabs(az));
    }

  private:
    __device__ __forceinline__ void
    list(const memory *sampled, size_t i, unsigned lane, double absolute) const
    {
        cancellation_sample all = sampled->of[0][lane];
        for (int g = 1; g < FINISH_GROUPS; g++) all.add(sampled->of[g][lane]);
        list_cancellation(recompute, i, 0, recompute.i.q[0][i], all, absolute,
                          recompute.part);
    }
};

} /* namespace koshu */

#endif
