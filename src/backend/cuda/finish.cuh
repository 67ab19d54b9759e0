/* SPDX-License-Identifier: MIT */
/*
 * The second stage of both sums: the parts of a particle, added in double in
 * an order that depends on the sizes alone.
 */
#ifndef KOSHU_BACKEND_CUDA_FINISH_CUH
#define KOSHU_BACKEND_CUDA_FINISH_CUH

#include "backend/cuda/mutual.cuh"

namespace koshu {

/* Where results go, and from the packed particles' units back to the
 * caller's. potential may be NULL. */
struct force_out {
    double *ax, *ay, *az, *potential;
    double a_unit, potential_unit;
    koshu::progress progress;
};

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
    note_end(out.progress);
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
    if (group > 0 || r >= b.i_count) return;
    for (int g = 1; g < FINISH_GROUPS; g++) sum += part[g][threadIdx.x];
    double *to[4] = {out.ax, out.ay, out.az, out.potential};
    to[c][b.i_first + r] = (c < 3 ? out.a_unit : out.potential_unit) * sum;
}

/* One thread a particle. width = B. The first range of rows overwrites, the
 * others add. */
template <class Real>
static __global__ void
__launch_bounds__(FINISH_THREADS)
        finish_mutual(const __grid_constant__ force_out out,
                      const __grid_constant__ mutual_plan plan,
                      const double *by_segment, const stored_sum<Real> *by_row,
                      size_t width, size_t n)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    note_end(out.progress);
    if (i >= n) return;
    const size_t b = i / width, r = i % width;
    const int components = out.potential ? 4 : 3;
    double sum[4] = {0, 0, 0, 0};
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
    const bool add = plan.d_first > 0;
    out.ax[i] = (add ? out.ax[i] : 0) + out.a_unit * sum[0];
    out.ay[i] = (add ? out.ay[i] : 0) + out.a_unit * sum[1];
    out.az[i] = (add ? out.az[i] : 0) + out.a_unit * sum[2];
    if (out.potential)
        out.potential[i] =
                (add ? out.potential[i] : 0) + out.potential_unit * sum[3];
}

} /* namespace koshu */

#endif
