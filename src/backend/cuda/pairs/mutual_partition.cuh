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

/* What becomes of the sums of a range of rows: parts of forces. */
struct partition_out {
    distribution slices;
    part_targets to;  /* with the last range */
    double *so_far;   /* [4][n]: before that; not used where there is one */
    bool first, last; /* of the ranges */
    int components;   /* 3, or 4 with the potential */
    double a_unit, potential_unit;
};

/* width = B. */
template <class Real>
static __global__ void
__launch_bounds__(FINISH_LANES *FINISH_GROUPS)
        finish_partition(const __grid_constant__ mutual_plan plan,
                         const double *by_segment,
                         const stored_sum<Real> *by_row, unsigned width,
                         const __grid_constant__ partition_out out)
{
    __shared__ double by_group[FINISH_GROUPS][4][FINISH_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t n = out.slices.n, i = (size_t)blockIdx.x * FINISH_LANES + lane;
    const parts_place place = find_parts(plan, width);
    double *const target =
            i < n ? out.to.component(out.slices, i, group) : nullptr;
    double sum[4] = {0, 0, 0, 0};
    wait_for_previous_kernel();
    if (i < n)
        add_parts_of(sum, place, group, plan, by_segment, by_row, width,
                     out.components);
    for (int c = 0; c < 4; c++) by_group[group][c][lane] = sum[c];
    __syncthreads();
    if (group >= (unsigned)out.components || i >= n) return;
    double all = 0; /* of component `group` */
    for (int g = 0; g < FINISH_GROUPS; g++) all += by_group[g][group][lane];
    all *= group < 3 ? out.a_unit : out.potential_unit;
    if (!out.first) all += out.so_far[group * n + i];
    *(out.last ? target : out.so_far + group * n + i) = all;
}

} /* namespace koshu */

#endif
