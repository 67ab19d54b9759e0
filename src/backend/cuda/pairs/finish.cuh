/* SPDX-License-Identifier: MIT */
/*
 * The second stage of mutual(): adds up the parts of each particle in double,
 * in an order that depends only on the sizes.
 *
 * Parts are described by F::parts of mutual.cuh:
 *
 *     part, rows          as there
 *     at_once             rows that a thread loads at the same time
 *     clear()             sets sums in double to zero, [rows]
 *     add_rows()          adds numbers at distances `stride`
 *     add_part()          adds the part of a block of particles from `first` on
 *
 * and the use of the sums by End:
 *
 *     first, last, n      of finish_end: the ranges, particles
 *     memory              in shared memory
 *     components()        number of rows of a segment that are needed
 *     target()            before the sums are loaded: the result's address
 *     start()             while they are being loaded
 *     put()               by all threads, with the sums of all groups
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_FINISH_CUH

#include "backend/cuda/pairs/mutual.cuh"

namespace koshu {

/* A block adds the parts of FINISH_LANES particles; those of each particle are
 * distributed over FINISH_GROUPS threads. */
enum { FINISH_LANES = 32, FINISH_GROUPS = 8 };

/* The members of an End, with defaults that do nothing early. */
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

/* The location of the parts that a thread adds up: those of particle r of block
 * b that belong to the thread's group. */
struct parts_place {
    size_t first, end; /* its chunks in the list */
    met_rows near, far;
    size_t near_place, far_place; /* indices of their first rows */
    unsigned b, r;
};

/* width = B. Reads no memory, so it precedes the wait for the sums. */
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

/* The first particle of the block that wrote row `at`; 0: there is none. */
KOSHU_DEVICE size_t
first_of(const parts_place &p, const mutual_plan &plan, size_t at,
         unsigned width)
{
    if (at < (size_t)p.near.n) return (p.b - p.near.low - at) * width;
    at -= p.near.n;
    return at < (size_t)p.far.n ? (p.b + plan.blocks - p.far.low - at) * width
                                : 0;
}

/* In an order that depends only on the plan. */
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
    const size_t next = plan.own - 1; /* one row further, of the previous
                                       * block */
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
