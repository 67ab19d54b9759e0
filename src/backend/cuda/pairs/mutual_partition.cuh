/* SPDX-License-Identifier: MIT */
/*
 * What one of several devices sums of mutual()'s list: each pair of particles
 * is computed once by one of them, and its part of the forces on all particles
 * goes to the devices that keep them.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_PARTITION_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_PARTITION_CUH

#include "backend/cuda/pairs/parts.cuh"
#include "backend/cuda/pairs/finish.cuh"

namespace koshu {

/* Which of the multiprocessors of all devices; the device with the most of
 * them has `largest`. */
struct partition {
    size_t first, count, all, largest;
    size_t row_bytes; /* as in koshu_cuda; the same for all devices */
};

/* All of them are this one's. */
inline partition
whole_device(const koshu_cuda *cuda)
{
    const size_t all = cuda->multiprocessors;
    return {0, all, all, all, cuda->row_bytes};
}

/* What becomes of the sums of a range of rows (finish.cuh): parts of forces. */
struct partition_results : finish_end {
    distribution slices;
    part_targets to; /* with the last range */
    double *so_far;  /* [4][n]: before that; not used where there is one */
    bool potential;
    double a_unit, potential_unit;

    __device__ __forceinline__ int components() const
    {
        return 3 + potential;
    }
    __device__ __forceinline__ double *target(size_t i, unsigned group) const
    {
        return i < n ? to.component(slices, i, group) : nullptr;
    }
    /* Group c has component c. */
    __device__ __forceinline__ void
    put(double *target, const double (*by_group)[4][FINISH_LANES], memory *,
        double *, size_t i, unsigned lane, unsigned group) const
    {
        if (group >= (unsigned)components() || i >= n) return;
        double all = 0;
        for (int g = 0; g < FINISH_GROUPS; g++) all += by_group[g][group][lane];
        all *= group < 3 ? a_unit : potential_unit;
        if (!first) all += so_far[group * n + i];
        *(last ? target : so_far + group * n + i) = all;
    }
};

} /* namespace koshu */

#endif
