/* SPDX-License-Identifier: MIT */
/*
 * Direct summation of all particles on each other, each pair computed once
 * and added to both (Newton's third law): about 10 issue slots for an
 * interaction instead of 14.
 *
 * The particles are cut into blocks of B = I T. Block b meets itself and the
 * blocks b + 1 ... b + h, cyclically, so that each pair of blocks meets once:
 * h = (blocks - 1) / 2; with an even number, the first half of the blocks
 * meets one more. A CUDA block holds the B i-particles of b in registers, I a
 * thread, and takes the others in tiles of T, one subtile of 32 for each of
 * its warps: in a turn each warp works on a subtile of its own, each lane on
 * one j-particle at a time, whose sums travel from lane to lane with it. After
 * T / 32 turns each warp has met each subtile.
 *
 * All tiles of all blocks form one list, cut into equal chunks, one a CUDA
 * block, so that all multiprocessors end at the same time, whatever N is;
 * several devices take a part of the list each. What a chunk sums for its
 * i-particles goes to the segment (chunk + b), what it sums for j-particles to
 * row d of its block b in by_row: every element is written once, and
 * finish_mutual() adds them in a fixed order. Rows take memory, so the list is
 * made for a range of d at a time (struct mutual_plan).
 *
 * Sums in float never run over more than one tile: i-sums are added up in
 * double in shared memory.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_CUH

#include "backend/cuda/pairs/direct.cuh"
#include "backend/cuda/pairs/mutual_plan.cuh"

namespace koshu {

template <class P> struct mutual_args {
    packed<P> particles; /* blocks * B of them */
    mutual_plan plan;
    double *by_segment;                   /* [own_chunks + own][4][B] */
    stored_sum<typename P::real> *by_row; /* [rows][own][B] */
    softening<P> soft;
    unsigned long long *begin; /* see progress.cuh */
};

/* What a CUDA block keeps in shared memory. Each subtile lies there twice, so
 * that lane + step needs no modulo. */
template <class P, int I, int T, int COMPONENTS> struct mutual_shared {
    typename P::quad tile[P::quads][T / 32][64];
    stored_sum<typename P::real> by_j[T];
    double by_i[in_float<P> ? COMPONENTS * I * T : 1];
};

template <class P, int COMPONENTS>
KOSHU_DEVICE void
rotate(typename P::sum *s, int from)
{
    s->ax = __shfl_sync(~0u, s->ax, from);
    s->ay = __shfl_sync(~0u, s->ay, from);
    s->az = __shfl_sync(~0u, s->az, from);
    if (COMPONENTS == 4) s->mr = __shfl_sync(~0u, s->mr, from);
}

template <class Sum, class Part>
KOSHU_DEVICE void
add_sum(Sum *s, const Part &part)
{
    s->ax += part.ax;
    s->ay += part.ay;
    s->az += part.az;
    s->mr += part.mr;
}

/* One warp: its i-particles and a subtile, both ways. */
template <class P, int I, int COMPONENTS, int UNROLL, bool ZERO_SAFE, bool TWO,
          int S>
KOSHU_DEVICE typename P::sum
meet_subtile(typename P::sum *s, const typename P::point *pi,
             const typename P::quad (*tile)[S][64], int subtile, int lane,
             const softening<P> &soft)
{
    typename P::sum by_j = {0, 0, 0, 0};
    const int from = (lane + 1) & 31;
#pragma unroll UNROLL
    for (int step = 0; step < 32; step++) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = tile[c][subtile][lane + step];
        typename P::point pj = P::unpack(q);
        typename P::sum part = {0, 0, 0, 0};
        if (!TWO) part = by_j;
#pragma unroll
        for (int k = 0; k < I; k++) {
            typename P::vector d = P::difference(pj, pi[k]);
            typename P::real r2 = P::r2(d, soft.eps2);
            typename P::real rinv = P::rinv(r2);
            typename P::real rinv3 = P::rinv3(r2, rinv);
            if (ZERO_SAFE && r2 <= soft.eps2) {
                rinv = soft.coincident;
                rinv3 = 0;
            }
            P::add_both(&s[k], &part, d, pi[k].m, pj.m, rinv, rinv3);
        }
        if (TWO)
            add_sum(&by_j, part);
        else
            by_j = part;
        rotate<P, COMPONENTS>(&by_j, from);
    }
    if (COMPONENTS == 3) by_j.mr = 0;
    return by_j;
}

/* A tile of the block itself: i-particle k of thread t is its particle t where
 * the tile is the k-th. */
template <class P, int I, int T, bool ZERO_SAFE>
KOSHU_DEVICE void
meet_own_tile(typename P::sum *s, const typename P::point *pi,
              const typename P::quad (*tile)[T / 32][64], int which,
              const softening<P> &soft)
{
#pragma unroll 1
    for (int j = 0; j < T; j++) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = tile[c][j / 32][j % 32];
        typename P::point pj = P::unpack(q);
#pragma unroll
        for (int k = 0; k < I; k++)
            interact<P, ZERO_SAFE, true>(&s[k], pi[k], pj, soft,
                                         k == which && j == (int)threadIdx.x);
    }
}

template <class P, int I, int T, int COMPONENTS>
KOSHU_DEVICE void
flush(mutual_shared<P, I, T, COMPONENTS> *shared, typename P::sum *s)
{
    if (!in_float<P>) return;
    double *to = shared->by_i + threadIdx.x;
#pragma unroll
    for (int k = 0; k < I; k++, to += COMPONENTS * T) {
        to[0] += s[k].ax;
        to[T] += s[k].ay;
        to[2 * T] += s[k].az;
        if (COMPONENTS == 4) to[3 * T] += s[k].mr;
        s[k] = {0, 0, 0, 0};
    }
}

template <class P, int I, int T, int COMPONENTS>
KOSHU_DEVICE void
start_segment(mutual_shared<P, I, T, COMPONENTS> *shared, typename P::sum *s,
              typename P::point *pi, const packed<P> &particles, size_t first)
{
#pragma unroll
    for (int k = 0; k < I; k++) {
        pi[k] = load_point<P>(particles, first + k * T + threadIdx.x);
        s[k] = {0, 0, 0, 0};
        if (in_float<P>)
            for (int c = 0; c < COMPONENTS; c++)
                shared->by_i[(COMPONENTS * k + c) * T + threadIdx.x] = 0;
    }
}

template <class P, int I, int T, int COMPONENTS>
KOSHU_DEVICE void
end_segment(mutual_shared<P, I, T, COMPONENTS> *shared,
            const typename P::sum *s, double *segment)
{
    constexpr size_t B = (size_t)I * T;
#pragma unroll
    for (int k = 0; k < I; k++) {
        const double *from = shared->by_i + COMPONENTS * k * T + threadIdx.x;
        double *to = segment + k * T + threadIdx.x;
        constexpr bool f = in_float<P>;
        to[0] = f ? from[0] : s[k].ax;
        to[B] = f ? from[T] : s[k].ay;
        to[2 * B] = f ? from[2 * T] : s[k].az;
        if (COMPONENTS == 4) to[3 * B] = f ? from[3 * T] : s[k].mr;
    }
}

/* FLUSH: turns between two additions to the sums in double. TWO: the pairs
 * of a step are added up before they go to the travelling sum. */
template <class P, int I, int T, int FLUSH, int UNROLL, bool POTENTIAL,
          bool ZERO_SAFE, bool TWO, int BLOCKS>
__global__ void
__launch_bounds__(T, BLOCKS) mutual(const __grid_constant__ mutual_args<P> a)
{
    constexpr int components = 3 + POTENTIAL, warps = T / 32;
    constexpr size_t B = (size_t)I * T;
    using shared_type = mutual_shared<P, I, T, components>;
    extern __shared__ __align__(16) unsigned char memory[];
    shared_type *shared = reinterpret_cast<shared_type *>(memory);
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const mutual_plan &plan = a.plan;
    wait_for_previous_kernel();
    note_begin(a.begin);
    size_t tile = plan.chunk_begin(plan.first_chunk + blockIdx.x);
    const size_t end = plan.chunk_begin(plan.first_chunk + blockIdx.x + 1);
    if (tile >= end) return;

    typename P::point pi[I];
    typename P::sum s[I];
    for (size_t b = plan.block_of(tile); tile < end; b++) {
        const size_t first = plan.first_tile(b);
        const size_t last = min(end, plan.first_tile(b + 1));
        start_segment(shared, s, pi, a.particles, b * B);
        for (; tile < last; tile++) {
            const size_t row = (tile - first) / I;
            const int which = (int)((tile - first) % I);
            size_t d = plan.d_first + row, bj = b + d;
            if (bj >= plan.blocks) bj -= plan.blocks;
            const size_t j = bj * B + which * T + t;
            __syncthreads(); /* all have done with the tile before */
            for (int c = 0; c < P::quads; c++)
                shared->tile[c][warp][lane] = shared->tile[c][warp][lane + 32] =
                        a.particles.q[c][j];
            if (d == 0) {
                __syncthreads();
                meet_own_tile<P, I, T, ZERO_SAFE>(s, pi, shared->tile, which,
                                                  a.soft);
                flush(shared, s);
                continue;
            }
#pragma unroll 1
            for (int turn = 0; turn < warps; turn++) {
                __syncthreads(); /* the subtile's sums have arrived */
                const int subtile = (warp + turn) % warps;
                typename P::sum by_j =
                        meet_subtile<P, I, components, UNROLL, ZERO_SAFE, TWO>(
                                s, pi, shared->tile, subtile, lane, a.soft);
                stored_sum<typename P::real> *to =
                        &shared->by_j[subtile * 32 + lane];
                if (turn > 0) add_sum(&by_j, *to);
                if (turn == warps - 1)
                    to = &a.by_row[plan.place(b, row) * B + which * T +
                                   subtile * 32 + lane];
                *to = {by_j.ax, by_j.ay, by_j.az, by_j.mr};
                if ((turn + 1) % FLUSH == 0) flush(shared, s);
            }
        }
        end_segment(shared, s,
                    a.by_segment + (blockIdx.x + b - plan.first_block) * 4 * B);
    }
}

} /* namespace koshu */

#endif
