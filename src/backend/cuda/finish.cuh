/* SPDX-License-Identifier: MIT */
/*
 * The second stage of mutual(): the parts of a particle, added in double in an
 * order that depends on the sizes alone.
 */
#ifndef KOSHU_BACKEND_CUDA_FINISH_CUH
#define KOSHU_BACKEND_CUDA_FINISH_CUH

#include "backend/cuda/cancelled.cuh"
#include "backend/cuda/mutual.cuh"

namespace koshu {

/* A block adds the parts of FINISH_LANES particles, those of each dealt out to
 * FINISH_GROUPS threads. */
enum { FINISH_LANES = 32, FINISH_GROUPS = 8 };

/* The sums of particle i over a range of rows, as far as they fall to one
 * thread. width = B. */
template <class Real>
KOSHU_DEVICE void
add_rows(double *sum, size_t i, unsigned group, const mutual_plan &plan,
         const double *by_segment, const stored_sum<Real> *by_row,
         unsigned width, int components)
{
    const unsigned b = blockIdx.x / (width / FINISH_LANES);
    const unsigned r = (unsigned)(i - (size_t)b * width);
    const size_t begin = plan.first_tile(b), end = plan.first_tile(b + 1);
    if (begin < end) {
        const size_t last = plan.piece_of(end - 1);
#pragma unroll 2
        for (size_t p = plan.piece_of(begin) + group; p <= last;
             p += FINISH_GROUPS)
            for (int c = 0; c < 4; c++)
                if (c < components)
                    sum[c] += by_segment[((p + b) * 4 + c) * width + r];
    }
#pragma unroll 4
    for (size_t row = (plan.d_first == 0) + group; row < plan.rows;
         row += FINISH_GROUPS) {
        size_t d = plan.d_first + row;
        size_t source = b >= d ? b - d : b + plan.blocks - d;
        if (!plan.has_row(source, row)) break;
        stored_sum<Real> s = by_row[(row * plan.own + source) * width + r];
        sum[0] += s.ax;
        sum[1] += s.ay;
        sum[2] += s.az;
        sum[3] += s.mr;
    }
}

/* width = B, a multiple of FINISH_LANES. The first range of rows overwrites,
 * the others add; with the last, the sums are done. */
template <class P>
static __global__ void
__launch_bounds__(FINISH_LANES *FINISH_GROUPS)
        finish_mutual(const __grid_constant__ force_out out,
                      const __grid_constant__ mutual_plan plan,
                      const double *by_segment,
                      const stored_sum<typename P::real> *by_row,
                      unsigned width, size_t n, bool last,
                      const __grid_constant__ again_args<P> again)
{
    __shared__ double part[FINISH_GROUPS][4][FINISH_LANES];
    __shared__ sampled_magnitude sampled[FINISH_GROUPS][FINISH_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * FINISH_LANES + lane;
    double sum[4] = {0, 0, 0, 0};
    wait_for_previous_kernel();
    if (i < n) {
        if constexpr (sums_again<P>)
            sampled[group][lane] = sample<P, SAMPLES / FINISH_GROUPS>(
                    again, again.whole, group * (SAMPLES / FINISH_GROUPS),
                    again.i.q[0][i]);
        add_rows(sum, i, group, plan, by_segment, by_row, width,
                 out.potential ? 4 : 3);
    }
    for (int c = 0; c < 4; c++) part[group][c][lane] = sum[c];
    __syncthreads();
    if (group == FINISH_GROUPS - 1 && lane == 0 && in_last_block())
        note_end(out.progress);
    if (group > 0 || i >= n) return;
    for (int g = 1; g < FINISH_GROUPS; g++)
        for (int c = 0; c < 4; c++) sum[c] += part[g][c][lane];
    const bool add = plan.d_first > 0;
    const double ax = (add ? out.ax[i] : 0) + out.a_unit * sum[0];
    const double ay = (add ? out.ay[i] : 0) + out.a_unit * sum[1];
    const double az = (add ? out.az[i] : 0) + out.a_unit * sum[2];
    out.ax[i] = ax;
    out.ay[i] = ay;
    out.az[i] = az;
    if (out.potential)
        out.potential[i] =
                (add ? out.potential[i] : 0) + out.potential_unit * sum[3];
    if constexpr (sums_again<P>) {
        sampled_magnitude all = sampled[0][lane];
        for (int g = 1; g < FINISH_GROUPS; g++) all.add(sampled[g][lane]);
        if (last)
            list_cancelled(again, i, 0, again.i.q[0][i], all,
                           fabs(ax) + fabs(ay) + fabs(az), again.part);
    }
}

} /* namespace koshu */

#endif
