/* SPDX-License-Identifier: MIT */
/*
 * The second stage of both sums: the parts of a particle, added in double in
 * an order that depends on the sizes alone.
 */
#ifndef KOSHU_BACKEND_CUDA_FINISH_CUH
#define KOSHU_BACKEND_CUDA_FINISH_CUH

#include "backend/cuda/cancelled.cuh"
#include "backend/cuda/mutual.cuh"

namespace koshu {

enum { FINISH_LANES = 32, FINISH_GROUPS = 8, FINISH_THREADS = 128 };

/* Blocks (b, component, lanes of b); the slots of a particle are dealt out to
 * FINISH_GROUPS threads. width = I * T; blocks NULL: those of grid. */
static __global__ void
__launch_bounds__(FINISH_LANES *FINISH_GROUPS)
        finish_direct(const __grid_constant__ force_out out,
                      const direct_block *blocks,
                      const __grid_constant__ direct_grid grid,
                      const double *partial, size_t width)
{
    __shared__ double part[FINISH_GROUPS][FINISH_LANES];
    wait_for_previous_kernel();
    const size_t k = blockIdx.x;
    const direct_block b = blocks ? blocks[k] : grid.block(k, width);
    const int c = blockIdx.y, group = threadIdx.y;
    const size_t r = blockIdx.z * (size_t)FINISH_LANES + threadIdx.x;
    const double *from = partial + (4 * b.slot + c) * width + r;
    double sum = 0;
#pragma unroll 4
    for (size_t s = group; s < b.slots; s += FINISH_GROUPS)
        sum += from[4 * s * width];
    part[group][threadIdx.x] = sum;
    __syncthreads();
    if (group > 0) return;
    for (int g = 1; g < FINISH_GROUPS; g++) sum += part[g][threadIdx.x];
    if (r < b.i_count) put_result(out, c, b.i_first + r, sum);
    if (in_last_block() && threadIdx.x == 0) note_end(out.progress);
}

/* The sums of particle i over a range of rows. width = B. */
template <class Real>
KOSHU_DEVICE void
add_rows(double *sum, size_t i, const mutual_plan &plan,
         const double *by_segment, const stored_sum<Real> *by_row, size_t width,
         int components)
{
    const size_t b = i / width, r = i % width;
    const size_t begin = plan.first_tile(b), end = plan.first_tile(b + 1);
    if (begin < end)
        for (size_t p = plan.piece_of(begin); p <= plan.piece_of(end - 1); p++)
            for (int c = 0; c < components; c++)
                sum[c] += by_segment[((p + b) * 4 + c) * width + r];
    for (size_t row = plan.d_first == 0; row < plan.rows; row++) {
        size_t d = plan.d_first + row;
        size_t source = b >= d ? b - d : b + plan.blocks - d;
        if (!plan.has_row(source, row)) break;
        stored_sum<Real> s = by_row[row * plan.blocks * width + i];
        sum[0] += s.ax;
        sum[1] += s.ay;
        sum[2] += s.az;
        sum[3] += s.mr;
    }
}

/* One thread a particle. The first range of rows overwrites, the others add;
 * with the last, the sums are done. */
template <class P>
static __global__ void
__launch_bounds__(FINISH_THREADS)
        finish_mutual(const __grid_constant__ force_out out,
                      const __grid_constant__ mutual_plan plan,
                      const double *by_segment,
                      const stored_sum<typename P::real> *by_row, size_t width,
                      size_t n, bool last,
                      const __grid_constant__ again_args<P> again)
{
    __shared__ typename P::quad samples[SAMPLES];
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (sums_again<P>) {
        load_samples(samples, again, again.whole);
        __syncthreads();
    }
    if (i < n) {
        double sum[4] = {0, 0, 0, 0};
        add_rows(sum, i, plan, by_segment, by_row, width,
                 out.potential ? 4 : 3);
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
        if constexpr (sums_again<P>)
            if (last)
                list_cancelled(again, i, 0, samples,
                               fabs(ax) + fabs(ay) + fabs(az));
    }
    if (in_last_block() && threadIdx.x == 0) note_end(out.progress);
}

} /* namespace koshu */

#endif
