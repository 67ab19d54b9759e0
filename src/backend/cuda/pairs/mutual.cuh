/* SPDX-License-Identifier: MIT */
/*
 * Direct summation of all particles on each other, where each pair is computed
 * once and added to both particles (Newton's third law): an interaction takes
 * about 10 issue slots instead of 14, with jerks 20 instead of 29.
 *
 * The particles are divided into blocks of B = I T. Block b interacts with
 * itself and with blocks b + 1 ... b + h, cyclically, so that each pair of
 * blocks is computed once: h = (blocks - 1) / 2; if the number is even, the
 * first half of the blocks has one more. A CUDA block holds the B i-particles
 * of b in registers, I per thread, and reads the others in tiles of T, one
 * subtile of 32 for each of its warps. In a turn each warp works on one
 * subtile, each lane on one j-particle at a time; j-particles travel from lane
 * to lane together with their sums. After T / 32 turns each warp has had each
 * subtile.
 *
 * All tiles of all blocks form one list, which is divided into equal chunks,
 * one per CUDA block, so that all multiprocessors end at the same time for any
 * N; several devices take a part of the list each. A chunk writes its
 * i-particles' sums to the segment (chunk + b), and its j-particles' sums to
 * row d of its block b in by_row. Every element is written once, and
 * finish_mutual() adds them in a fixed order. To limit the memory of rows, the
 * list is made for a range of d at a time (struct mutual_plan).
 *
 * Sums in float never run over more than one tile: i-sums are added up in
 * double in shared memory.
 *
 * A policy F defines what is summed (gravity_pairs.cuh, jerk_pairs.cuh):
 *
 *     F::precision, real   of particles and pairs
 *     F::sum               the sums of a formula in kernels/, of which the
 *                          first F::components are needed
 *     F::part              a sum, .s, that travels, with what travels beside it
 *     F::parts             what finish_mutual() needs of it
 *     F::constants         what all pairs have in common
 *     F::lane<I>           of a thread: .i, its particles, .s, their sums, ...
 *     F::warp_index        int, or unsigned where the loop over pairs is then
 *                          shorter
 *     F::memory<B>         what else of B particles lies in shared memory
 *     F::load()            a particle
 *     F::add()             a j-particle on an i-particle of the thread
 *     F::add_both()        a pair, both ways
 *     F::rotate(), merge()                   of parts
 *     F::start(), end_tile(), end_segment()  for what memory<B> is for
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_CUH

#include <cstdint>

#include "backend/cuda/pairs/components.cuh"
#include "backend/cuda/pairs/mutual_plan.cuh"
#include "backend/cuda/pairs/precision.cuh"
#include "backend/cuda/runtime/progress.cuh"

namespace koshu {

/* The same for all policies with the same parts. */
template <class Parts> struct mutual_args {
    packed<typename Parts::precision> particles;
    mutual_plan plan;
    double *by_segment;           /* [own_chunks + own][Parts::rows][B] */
    typename Parts::part *by_row; /* [plan.rows][own][B] */
    typename Parts::constants with;
    unsigned long long *begin; /* see progress.cuh */
};

/* A CUDA block's shared memory for B particles. Each subtile is stored twice,
 * so that lane + step needs no modulo. */
template <class F, class S>
struct mutual_shared : F::template memory<S::I * S::T> {
    using P = typename F::precision;
    typename P::quad tile[P::quads][S::T / WARP][2 * WARP];
    typename F::part by_j[S::T];
    double by_i[in_float<F> ? F::components * S::I * S::T : 1];
};

template <class F, class S> using mutual_lane = typename F::template lane<S::I>;

/* ---- pairs --------------------------------------------------------------- */

template <class F, class S>
KOSHU_DEVICE typename F::precision::point
point_at(const typename F::precision::quad (*tile)[S::T / WARP][2 * WARP],
         int subtile, int at)
{
    using P = typename F::precision;
    typename P::quad q[P::quads];
    for (int c = 0; c < P::quads; c++) q[c] = tile[c][subtile][at];
    return P::unpack(q);
}

/* One warp: its i-particles and a subtile, in both directions. */
template <class F, class S>
KOSHU_DEVICE typename F::part
meet_subtile(mutual_lane<F, S> *lane, const mutual_shared<F, S> *shared,
             int subtile, int at, const typename F::constants &with)
{
    const int from = (at + 1) & (WARP - 1);
    typename F::part by_j = {};
#pragma unroll S::UNROLL
    for (int step = 0; step < WARP; step++) {
        const auto j = point_at<F, S>(shared->tile, subtile, at + step);
        typename F::sum sum = {};
        if (!S::TWO) sum = by_j.s;
#pragma unroll
        for (int k = 0; k < S::I; k++)
            F::add_both(lane, k, &sum, &by_j, j, with);
        if (S::TWO)
            add_components(&by_j.s, sum);
        else
            by_j.s = sum;
        F::rotate(&by_j, from);
    }
    return by_j;
}

/* A tile of the block itself: i-particle k of thread t is particle t of the
 * k-th tile. */
template <class F, class S>
KOSHU_DEVICE void
meet_own_tile(mutual_lane<F, S> *lane, const mutual_shared<F, S> *shared,
              int which, const typename F::constants &with)
{
#pragma unroll 1
    for (int at = 0; at < S::T; at++) {
        const auto j = point_at<F, S>(shared->tile, at / WARP, at % WARP);
#pragma unroll
        for (int k = 0; k < S::I; k++)
            F::add(lane, k, j, with, k == which && at == (int)threadIdx.x);
    }
}

/* ---- sums over tiles ----------------------------------------------------- */

/* Adds sums in float to those in double. */
template <class F, class S>
KOSHU_DEVICE void
flush(mutual_shared<F, S> *shared, mutual_lane<F, S> *lane)
{
    if (!in_float<F>) return;
    double *to = shared->by_i + threadIdx.x;
#pragma unroll
    for (int k = 0; k < S::I; k++) {
        for (int c = 0; c < F::components; c++, to += S::T)
            *to += component(lane->s[k], c);
        lane->s[k] = {};
    }
}

/* A tile of another block: all warps with all subtiles. The sums for the tile's
 * particles go to `row`. */
template <class F, class S>
KOSHU_DEVICE void
meet_tile(mutual_shared<F, S> *shared, mutual_lane<F, S> *lane,
          typename F::warp_index warp, int at,
          const mutual_args<typename F::parts> &a, size_t b, size_t row,
          int which)
{
    constexpr int warps = S::T / WARP;
    static_assert(warps % S::FLUSH == 0, "flushed at the end of a tile");
#pragma unroll 1
    for (int turn = 0; turn < warps; turn++) {
        __syncthreads(); /* the subtile's sums have arrived */
        const int subtile = (warp + turn) % warps;
        typename F::part by_j = meet_subtile(lane, shared, subtile, at, a.with);
        typename F::part *to = &shared->by_j[subtile * WARP + at];
        if (turn > 0) F::merge(&by_j, *to);
        if (turn == warps - 1)
            to = &a.by_row[a.plan.place(b, row) * S::I * S::T + which * S::T +
                           subtile * WARP + at];
        *to = by_j;
        if ((turn + 1) % S::FLUSH == 0) flush<F, S>(shared, lane);
    }
}

template <class F, class S>
KOSHU_DEVICE void
start_segment(mutual_shared<F, S> *shared, mutual_lane<F, S> *lane,
              const mutual_args<typename F::parts> &a, size_t first)
{
    using P = typename F::precision;
#pragma unroll
    for (int k = 0; k < S::I; k++) {
        typename P::quad q[P::quads];
        F::load(q, a.particles, first + k * S::T + threadIdx.x, a.with);
        lane->i[k] = P::unpack(q);
        lane->s[k] = {};
        for (int c = 0; c < F::components && in_float<F>; c++)
            shared->by_i[(F::components * k + c) * S::T + threadIdx.x] = 0;
        F::start(shared, lane, k, k * S::T + threadIdx.x);
    }
}

template <class F, class S>
KOSHU_DEVICE void
end_segment(const mutual_shared<F, S> *shared, const mutual_lane<F, S> *lane,
            double *segment)
{
    constexpr size_t B = (size_t)S::I * S::T;
#pragma unroll
    for (int k = 0; k < S::I; k++) {
        const double *from =
                shared->by_i + F::components * k * S::T + threadIdx.x;
        double *to = segment + k * S::T + threadIdx.x;
        for (int c = 0; c < F::components; c++)
            to[c * B] = in_float<F> ? from[c * S::T] : component(lane->s[k], c);
        F::end_segment(shared, k * S::T + threadIdx.x, to, B);
    }
}

/* S: a mutual_shape. */
template <class F, class S>
__global__ void
__launch_bounds__(S::T, S::BLOCKS)
        mutual(const __grid_constant__ mutual_args<typename F::parts> a)
{
    using P = typename F::precision;
    constexpr int T = S::T;
    constexpr size_t B = (size_t)S::I * T;
    extern __shared__ __align__(16) unsigned char memory[];
    auto *shared = reinterpret_cast<mutual_shared<F, S> *>(memory);
    const int t = threadIdx.x, warp = t / WARP, at = t % WARP;
    const mutual_plan &plan = a.plan;
    wait_for_previous_kernel();
    note_begin(a.begin);
    size_t tile = plan.chunk_begin(plan.first_chunk + blockIdx.x);
    const size_t end = plan.chunk_begin(plan.first_chunk + blockIdx.x + 1);
    if (tile >= end) return;
    mutual_lane<F, S> lane;
    for (size_t b = plan.block_of(tile); tile < end; b++) {
        const size_t first = plan.first_tile(b);
        const size_t last = min(end, plan.first_tile(b + 1));
        start_segment(shared, &lane, a, b * B);
        for (; tile < last; tile++) {
            const size_t row = (tile - first) / S::I;
            const int which = (int)((tile - first) % S::I);
            const size_t d = plan.d_first + row;
            size_t bj = b + d;
            if (bj >= plan.blocks) bj -= plan.blocks;
            const size_t j = bj * B + which * T + t;
            typename P::quad q[P::quads];
            F::load(q, a.particles, j, a.with);
            __syncthreads(); /* all have finished with the previous tile */
            for (int c = 0; c < P::quads; c++)
                shared->tile[c][warp][at] = shared->tile[c][warp][at + WARP] =
                        q[c];
            if (d == 0) {
                __syncthreads();
                meet_own_tile(&lane, shared, which, a.with);
                flush<F, S>(shared, &lane);
            } else {
                meet_tile(shared, &lane, warp, at, a, b, row, which);
            }
#pragma unroll
            for (int k = 0; k < S::I; k++)
                F::end_tile(shared, &lane, k, k * T + t, (uint32_t)(bj * B));
        }
        end_segment(shared, &lane,
                    a.by_segment + (blockIdx.x + b - plan.first_block) *
                                           F::parts::rows * B);
    }
}

} /* namespace koshu */

#endif
