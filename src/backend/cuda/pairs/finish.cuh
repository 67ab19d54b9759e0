/* SPDX-License-Identifier: MIT */
/*
 * The second stage of mutual(): the parts of a particle, added in double in an
 * order that depends on the sizes alone.
 *
 * What the parts are is F::parts of mutual.cuh:
 *
 *     part, rows          as there
 *     at_once             rows of a thread that are on their way at once
 *     clear()             of sums in double, [rows]
 *     add_rows()          numbers that are `stride` after each other
 *     add_part()          of a block of particles that begins at `first`
 *
 * and what becomes of their sums, End:
 *
 *     first, last, n      of finish_end: the ranges, particles
 *     memory              in shared memory
 *     components()        how many rows of a segment are needed
 *     target()            before the sums are there: where the result goes
 *     start()             while they are on their way
 *     put()               by all threads, with the sums of all groups
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH

#include "backend/cuda/pairs/mutual.cuh"

namespace koshu {

/* A block adds the parts of FINISH_LANES particles, those of each distributed
 * to FINISH_GROUPS threads. */
enum { FINISH_LANES = 32, FINISH_GROUPS = 8 };

/* What an End has; and what it does where nothing is done early. */
struct finish_end {
    bool first, last; /* of the ranges of rows */
    size_t n;

    struct memory {};
    __device__ __forceinline__ int target(size_t, unsigned) const
    {
        return 0;
    }
    __device__ __forceinline__ void
    start(memory *, size_t, unsigned, unsigned) const
    {
    }
};

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

/* The first particle of the block that has row `at`; 0: there is none. */
KOSHU_DEVICE size_t
first_of(const parts_place &p, const mutual_plan &plan, size_t at,
         unsigned width)
{
    if (at < (size_t)p.near.n) return (p.b - p.near.low - at) * width;
    at -= p.near.n;
    return at < (size_t)p.far.n ? (p.b + plan.blocks - p.far.low - at) * width
                                : 0;
}

/* In an order that the plan alone decides. */
template <class Parts>
KOSHU_DEVICE void
add_segments(double *sum, const parts_place &p, unsigned group,
             const mutual_plan &plan, const double *by_segment, unsigned width,
             int components)
{
    for (size_t chunk = p.first + group; chunk < p.end; chunk += FINISH_GROUPS)
        Parts::add_rows(
                sum,
                by_segment +
                        (chunk - plan.first_chunk + p.b - plan.first_block) *
                                Parts::rows * width +
                        p.r,
                width, components);
}

template <class Parts>
KOSHU_DEVICE void
add_rows(double *sum, const parts_place &p, unsigned group,
         const mutual_plan &plan, const typename Parts::part *by_row,
         unsigned width)
{
    constexpr unsigned at_once = Parts::at_once;
    const size_t near_rows = p.near.n, rows = near_rows + p.far.n;
    const size_t next = plan.own - 1; /* a row on, the block before */
    for (size_t row = group; row < rows; row += at_once * FINISH_GROUPS) {
        typename Parts::part part[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; k++) {
            const size_t at = row + k * FINISH_GROUPS;
            const size_t place =
                    at < near_rows ? p.near_place + at * next
                                   : p.far_place + (at - near_rows) * next;
            part[k] = {};
            if (at < rows) part[k] = by_row[place * width + p.r];
        }
#pragma unroll
        for (unsigned k = 0; k < at_once; k++)
            Parts::add_part(sum, part[k],
                            first_of(p, plan, row + k * FINISH_GROUPS, width));
    }
}

/* width = B, a multiple of FINISH_LANES. */
template <class Parts, class End>
static __global__ void
__launch_bounds__(FINISH_LANES *FINISH_GROUPS)
        finish_mutual(const __grid_constant__ End end,
                      const __grid_constant__ mutual_plan plan,
                      const double *by_segment,
                      const typename Parts::part *by_row, unsigned width)
{
    __shared__ double part[FINISH_GROUPS][Parts::rows][FINISH_LANES];
    __shared__ typename End::memory memory;
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * FINISH_LANES + lane;
    const parts_place place = find_parts(plan, width);
    const auto target = end.target(i, group);
    double sum[Parts::rows];
    Parts::clear(sum);
    wait_for_previous_kernel();
    if (i < end.n) {
        end.start(&memory, i, lane, group);
        add_segments<Parts>(sum, place, group, plan, by_segment, width,
                            end.components());
        add_rows<Parts>(sum, place, group, plan, by_row, width);
    }
    for (int c = 0; c < Parts::rows; c++) part[group][c][lane] = sum[c];
    __syncthreads();
    end.put(target, part, &memory, sum, i, lane, group);
}

} /* namespace koshu */

#endif
