/* SPDX-License-Identifier: MIT */
/*
 * What one of several devices sums of mutual()'s list: each pair of particles
 * is computed once by one of them, and its part of the forces on all particles
 * goes to the devices that keep them.
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_SHARE_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_SHARE_CUH

#include "backend/cuda/devices/parts.cuh"
#include "backend/cuda/finish.cuh"

namespace koshu {

/* Which of the multiprocessors of all devices; the device with the most of
 * them has `largest`. */
struct share {
    size_t first, count, all, largest;
    size_t row_bytes; /* as in koshu_cuda; the same for all devices */
};

/* The tiles of this device's pieces; they are all of its blocks but the first
 * and the last. */
struct tile_range {
    size_t begin, end;

    __device__ explicit tile_range(const mutual_plan &plan)
        : begin(plan.piece_begin(plan.first_piece)),
          end(plan.piece_begin(plan.first_piece + plan.own_pieces))
    {
    }
    __device__ bool has(size_t tile) const
    {
        return tile >= begin && tile < end;
    }
};

/* add_rows() of what this device has. */
template <class Real>
KOSHU_DEVICE void
add_shared_rows(double *sum, size_t i, unsigned group, const mutual_plan &plan,
                const double *by_segment, const stored_sum<Real> *by_row,
                unsigned width, int components)
{
    const unsigned b = blockIdx.x / (width / FINISH_LANES);
    const unsigned r = (unsigned)(i - (size_t)b * width);
    const unsigned which = r / (width / (unsigned)plan.tiles);
    const tile_range own(plan);
    const size_t begin = max(own.begin, plan.first_tile(b));
    const size_t end = min(own.end, plan.first_tile(b + 1));
    if (begin < end) {
        const size_t last = plan.piece_of(end - 1);
        for (size_t p = plan.piece_of(begin) + group; p <= last;
             p += FINISH_GROUPS)
            for (int c = 0; c < components; c++)
                sum[c] += by_segment
                        [((p - plan.first_piece + b - plan.first_block) * 4 +
                          c) * width +
                         r];
    }
    for (int wraps = 0; wraps < 2;
         wraps++) { /* source + d = b, or b + blocks */
        const long first = (long)plan.first_block;
        const long last = first + (long)plan.own - 1;
        const long to = (long)b + wraps * (long)plan.blocks;
        const long low = max(max((long)plan.d_first, 1L), to - last);
        const long high = min((long)(plan.d_first + plan.rows), to - first + 1);
#pragma unroll 4
        for (long d = low + group; d < high; d += FINISH_GROUPS) {
            const size_t source = to - d, row = d - plan.d_first;
            const bool inside = (long)source > first && (long)source < last;
            if (!plan.has_row(source, row) ||
                (!inside &&
                 !own.has(plan.first_tile(source) + row * plan.tiles + which)))
                continue;
            const stored_sum<Real> s =
                    by_row[plan.place(source, row) * width + r];
            sum[0] += s.ax;
            sum[1] += s.ay;
            sum[2] += s.az;
            sum[3] += s.mr;
        }
    }
}

/* The sums of a range of rows as parts of forces. width = B; the first range
 * overwrites, the others add. components: 3, or 4 with the potential. */
template <class Real>
static __global__ void
__launch_bounds__(FINISH_LANES *FINISH_GROUPS)
        finish_share(const __grid_constant__ mutual_plan plan,
                     const double *by_segment, const stored_sum<Real> *by_row,
                     unsigned width, const __grid_constant__ deal slices,
                     double *part, int components, double a_unit,
                     double potential_unit)
{
    __shared__ double by_group[FINISH_GROUPS][4][FINISH_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * FINISH_LANES + lane;
    double sum[4] = {0, 0, 0, 0};
    wait_for_previous_kernel();
    if (i < slices.n)
        add_shared_rows(sum, i, group, plan, by_segment, by_row, width,
                        components);
    for (int c = 0; c < 4; c++) by_group[group][c][lane] = sum[c];
    __syncthreads();
    if (group >= (unsigned)components || i >= slices.n) return;
    double all = 0; /* of component `group` */
    for (int g = 0; g < FINISH_GROUPS; g++) all += by_group[g][group][lane];
    double *to = slices.component(part, i, group);
    *to = (plan.d_first > 0 ? *to : 0) +
          (group < 3 ? a_unit : potential_unit) * all;
}

} /* namespace koshu */

#endif
