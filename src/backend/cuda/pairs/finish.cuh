/* SPDX-License-Identifier: MIT */
/*
 * The second stage of mutual(): the parts of a particle, added in double in an
 * order that depends on the sizes alone.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH

#include "backend/cuda/pairs/recompute.cuh"
#include "backend/cuda/pairs/mutual.cuh"

namespace koshu {

/* A block adds the parts of FINISH_LANES particles, those of each distributed
 * to FINISH_GROUPS threads. */
enum { FINISH_LANES = 32, FINISH_GROUPS = 8 };

/* Where the parts are that a thread adds up: of particle r of a block, as far
 * as they fall to the group. */
struct parts_place {
    size_t first, end; /* its chunks of the list */
    met_rows near, far;
    size_t near_place, far_place; /* their first rows */
    unsigned b, r;
};

/* width = B. Needs no memory, and comes before the wait for the sums. */
KOSHU_DEVICE parts_place
find_parts(const mutual_plan &plan, unsigned width)
{
    parts_place p;
    const unsigned blocks_in_b = width / FINISH_LANES;
    p.b = blockIdx.x / blocks_in_b;
    p.r = blockIdx.x % blocks_in_b * FINISH_LANES + threadIdx.x;
    const size_t begin = max(plan.own_begin, plan.first_tile(p.b));
    const size_t end = min(plan.own_end, plan.first_tile(p.b + 1));
    p.first = p.end = 0;
    if (begin < end) {
        p.first = plan.chunk_of(begin);
        p.end = plan.chunk_of(end - 1) + 1;
    }
    const size_t which = p.r / (width / (unsigned)plan.tiles);
    p.near = rows_of(plan, p.b, which);
    p.far = rows_of(plan, p.b + plan.blocks, which);
    p.near_place = plan.place(p.b - p.near.low, p.near.low - plan.d_first);
    p.far_place =
            plan.place(p.b + plan.blocks - p.far.low, p.far.low - plan.d_first);
    return p;
}

/* Rows of a thread that are on their way at once. */
template <class Real> constexpr unsigned rows_at_once = 32 / sizeof(Real);

/* In an order that the plan alone decides. components: 3, or 4 with the
 * potential. */
template <class Real>
KOSHU_DEVICE void
add_parts_of(double *sum, const parts_place &p, unsigned group,
             const mutual_plan &plan, const double *by_segment,
             const stored_sum<Real> *by_row, unsigned width, int components)
{
    constexpr unsigned at_once = rows_at_once<Real>;
    for (size_t chunk = p.first + group; chunk < p.end; chunk += FINISH_GROUPS)
        for (int c = 0; c < 4; c++)
            if (c < components)
                sum[c] += by_segment[((chunk - plan.first_chunk + p.b -
                                       plan.first_block) *
                                              4 +
                                      c) * width +
                                     p.r];
    const size_t near_rows = p.near.n, rows = near_rows + p.far.n;
    const size_t next = plan.own - 1; /* a row on, the block before */
    for (size_t row = group; row < rows; row += at_once * FINISH_GROUPS) {
        stored_sum<Real> s[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; k++) {
            const size_t at = row + k * FINISH_GROUPS;
            const size_t place =
                    at < near_rows ? p.near_place + at * next
                                   : p.far_place + (at - near_rows) * next;
            s[k] = {0, 0, 0, 0};
            if (at < rows) s[k] = by_row[place * width + p.r];
        }
#pragma unroll
        for (unsigned k = 0; k < at_once; k++) {
            sum[0] += s[k].ax;
            sum[1] += s[k].ay;
            sum[2] += s[k].az;
            sum[3] += s[k].mr;
        }
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
                      const __grid_constant__ recompute_args<P> recompute)
{
    __shared__ double part[FINISH_GROUPS][4][FINISH_LANES];
    __shared__ cancellation_sample sampled[FINISH_GROUPS][FINISH_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * FINISH_LANES + lane;
    const parts_place place = find_parts(plan, width);
    double sum[4] = {0, 0, 0, 0};
    wait_for_previous_kernel();
    if (i < n) {
        if constexpr (recomputes<P>)
            sampled[group][lane] = sample<P, SAMPLES / FINISH_GROUPS>(
                    recompute, recompute.whole,
                    group * (SAMPLES / FINISH_GROUPS), recompute.i.q[0][i]);
        add_parts_of(sum, place, group, plan, by_segment, by_row, width,
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
    if constexpr (recomputes<P>) {
        cancellation_sample all = sampled[0][lane];
        for (int g = 1; g < FINISH_GROUPS; g++) all.add(sampled[g][lane]);
        if (last)
            list_cancellation(recompute, i, 0, recompute.i.q[0][i], all,
                              fabs(ax) + fabs(ay) + fabs(az), recompute.part);
    }
}

} /* namespace koshu */

#endif
