/* SPDX-License-Identifier: MIT */
/*
 * The second stage of jerk_mutual(): the parts of a particle, added in double
 * in an order that depends on the sizes alone.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_FINISH_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_FINISH_CUH

#include "backend/cuda/pairs/jerk_mutual.cuh"

namespace koshu {

/* A block adds the parts of JERK_FINISH_LANES particles, those of each
 * distributed to JERK_FINISH_GROUPS threads. */
enum { JERK_FINISH_LANES = 32, JERK_FINISH_GROUPS = 8 };

/* What particle i, of block b, has as an i-particle. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
add_segments(double *total, const jerk_mutual_args<P> &a, uint32_t width,
             size_t i, size_t b, unsigned group)
{
    constexpr int rows = jerk_rows<NEAREST>;
    const mutual_plan &plan = a.plan;
    const size_t begin = plan.first_tile(b), end = plan.first_tile(b + 1);
    if (begin == end) return;
    const size_t last = plan.chunk_of(end - 1);
    for (size_t p = plan.chunk_of(begin) + group; p <= last;
         p += JERK_FINISH_GROUPS)
        add_jerk_rows<NEAREST>(
                total, a.by_segment + (p + b) * rows * width + (i - b * width),
                width);
}

/* What it has as a j-particle. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
add_rows(double *total, const jerk_mutual_args<P> &a, uint32_t width, size_t i,
         size_t b, unsigned group)
{
    const mutual_plan &plan = a.plan;
#pragma unroll 4
    for (size_t row = (plan.d_first == 0) + group; row < plan.rows;
         row += JERK_FINISH_GROUPS) {
        const size_t d = plan.d_first + row;
        const size_t source = b >= d ? b - d : b + plan.blocks - d;
        if (!plan.has_row(source, row)) break;
        const jerk_parts<typename P::real> s =
                a.by_row[row * plan.blocks * width + i];
        const double first = (double)(source * width);
        const double part[jerk_rows<true>] = {
                s.ax, s.ay, s.az, s.jx, s.jy, s.jz, s.mr, s.nearest_r2, first};
        add_jerk_rows<NEAREST>(total, part, 1);
    }
}

/*
 * total[row][i], n of each row: jerk_rows, where a nearest neighbour is one of
 * the block of `width` particles that begins there. The first range of rows
 * overwrites, the others add.
 */
template <class P, bool NEAREST>
static __global__ void
__launch_bounds__(JERK_FINISH_LANES *JERK_FINISH_GROUPS)
        finish_jerk_mutual(const __grid_constant__ jerk_mutual_args<P> a,
                           uint32_t width, double *total)
{
    constexpr int rows = jerk_rows<NEAREST>;
    __shared__ double part[JERK_FINISH_GROUPS][rows][JERK_FINISH_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * JERK_FINISH_LANES + lane;
    const size_t b = blockIdx.x / (width / JERK_FINISH_LANES);
    double sum[rows];
    clear_jerk_rows<NEAREST>(sum);
    wait_for_previous_kernel();
    if (i < a.n) {
        add_segments<P, NEAREST>(sum, a, width, i, b, group);
        add_rows<P, NEAREST>(sum, a, width, i, b, group);
    }
    for (int c = 0; c < rows; c++) part[group][c][lane] = sum[c];
    __syncthreads();
    if (group > 0 || i >= a.n) return;
    for (int g = 1; g < JERK_FINISH_GROUPS; g++)
        add_jerk_rows<NEAREST>(sum, &part[g][0][lane], JERK_FINISH_LANES);
    if (a.plan.d_first > 0) add_jerk_rows<NEAREST>(sum, &total[i], a.n);
    for (int c = 0; c < rows; c++) total[(size_t)c * a.n + i] = sum[c];
}

} /* namespace koshu */

#endif
