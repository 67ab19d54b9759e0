/* SPDX-License-Identifier: MIT */
/*
 * Acceleration, jerk, potential and nearest neighbour of all particles on each
 * other, each pair computed once and added to both (Newton's third law): about
 * 20 issue slots for an interaction instead of 29.
 *
 * Blocks, tiles, turns, chunks and rows are those of mutual() (mutual.cuh):
 * a CUDA block holds I i-particles a thread in registers, and the sums of a
 * j-particle travel from lane to lane. With nearest neighbours the smallest
 * unsoftened r2 travels with them; which particle it was is known up to its
 * block, and searched there in the end.
 *
 * There is no guard against pairs at no distance: see jerk_sum.cuh.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_MUTUAL_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_MUTUAL_CUH

#include "backend/cuda/pairs/jerk_chunk.cuh"
#include "backend/cuda/pairs/jerk_rows.cuh"
#include "backend/cuda/pairs/mutual_plan.cuh"

namespace koshu {

/* Sums of a particle and the smallest r2, moved in vectors of 16 bytes. */
template <class Real> struct alignas(16) jerk_parts {
    Real ax, ay, az, jx, jy, jz, mr, nearest_r2;
};

template <class P> struct jerk_mutual_args {
    packed<P> particles;
    uint32_t n;
    typename P::real eps2;
    mutual_plan plan;
    double *by_segment;                   /* [chunks + blocks][rows][B] */
    jerk_parts<typename P::real> *by_row; /* [plan.rows][blocks * B] */
};

/* What a CUDA block keeps in shared memory. Each subtile lies there twice, so
 * that lane + step needs no modulo. */
template <class P, class S, bool NEAREST> struct jerk_mutual_shared {
    static constexpr int B = S::I * S::T;
    typename P::quad tile[P::quads][S::T / WARP][2 * WARP];
    jerk_parts<typename P::real> by_j[S::T];
    double by_i[in_float<P> ? JERK_COMPONENTS : 1][in_float<P> ? B : 1];
    typename P::real nearest_r2[NEAREST ? B : 1];
    uint32_t nearest_first[NEAREST ? B : 1]; /* of the block's particles */
};

/* What a thread has. */
template <class P, int I, bool NEAREST> struct jerk_both_lane {
    typename P::point i[I];
    typename P::sum s[I];
    typename P::real nearest_r2[NEAREST ? I : 1]; /* in this tile */
};

/* Particle `index`, or beyond the last one nothing, and far away. */
template <class P>
KOSHU_DEVICE void
load_or_nothing(typename P::quad *q, const jerk_mutual_args<P> &a,
                uint32_t index)
{
    const double x[3] = {in_float<P> ? 1e18 : 1e150, 0, 0}, v[3] = {0, 0, 0};
    if (index < a.n)
        for (int c = 0; c < P::quads; c++) q[c] = a.particles.q[c][index];
    else
        P::pack(q, x, v, 0);
}

/* ---- pairs -------------------------------------------------------------- */

template <bool NEAREST, class Real>
KOSHU_DEVICE void
rotate(jerk_parts<Real> *p, int from)
{
    Real *of[] = {&p->ax, &p->ay, &p->az, &p->jx, &p->jy, &p->jz, &p->mr};
    for (Real *x : of) *x = __shfl_sync(~0u, *x, from);
    if (NEAREST) p->nearest_r2 = __shfl_sync(~0u, p->nearest_r2, from);
}

template <bool NEAREST, class Parts, class Sum>
KOSHU_DEVICE void
add_sum(Parts *p, const Sum &s)
{
    p->ax += s.ax;
    p->ay += s.ay;
    p->az += s.az;
    p->jx += s.jx;
    p->jy += s.jy;
    p->jz += s.jz;
    p->mr += s.mr;
}

/* A pair, both ways; *nearest_r2: of the j-particle. */
template <class P, bool NEAREST>
KOSHU_DEVICE void
add_jerk_both(typename P::sum *si, typename P::sum *sj,
              const typename P::point &i, const typename P::point &j,
              typename P::real eps2, typename P::real *i_nearest_r2,
              typename P::real *j_nearest_r2)
{
    const typename P::vector d = P::difference(j, i);
    typename P::real r2;
    if (NEAREST) {
        r2 = d.x * d.x + (d.y * d.y + d.z * d.z);
        *i_nearest_r2 = smaller(r2, *i_nearest_r2);
        *j_nearest_r2 = smaller(r2, *j_nearest_r2);
        r2 += eps2;
    } else {
        r2 = d.x * d.x + (d.y * d.y + (d.z * d.z + eps2));
    }
    const typename P::real rinv = P::rinv(r2);
    P::add_both(si, sj, d, j, i, rinv, P::rinv3(r2, rinv));
}

/* One warp: its i-particles and a subtile, both ways. */
template <class P, class S, bool NEAREST>
KOSHU_DEVICE jerk_parts<typename P::real>
meet_subtile(jerk_both_lane<P, S::I, NEAREST> *lane,
             const typename P::quad (*tile)[S::T / WARP][2 * WARP], int subtile,
             typename P::real eps2)
{
    const int at = threadIdx.x % WARP, from = (at + 1) % WARP;
    jerk_parts<typename P::real> by_j = {0, 0, 0, 0, 0, 0, 0, INFINITY};
#pragma unroll S::UNROLL
    for (int step = 0; step < WARP; step++) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = tile[c][subtile][at + step];
        const typename P::point j = P::unpack(q);
        typename P::sum part = {0, 0, 0, 0, 0, 0, 0};
        if (!S::TWO)
            part = {by_j.ax, by_j.ay, by_j.az, by_j.jx,
                    by_j.jy, by_j.jz, by_j.mr};
#pragma unroll
        for (int k = 0; k < S::I; k++)
            add_jerk_both<P, NEAREST>(&lane->s[k], &part, lane->i[k], j, eps2,
                                      &lane->nearest_r2[NEAREST ? k : 0],
                                      &by_j.nearest_r2);
        if (S::TWO)
            add_sum<NEAREST>(&by_j, part);
        else
            by_j = {part.ax, part.ay, part.az, part.jx,
                    part.jy, part.jz, part.mr, by_j.nearest_r2};
        rotate<NEAREST>(&by_j, from);
    }
    return by_j;
}

/* A tile of the block itself: i-particle k of thread t is its particle t where
 * the tile is the k-th. */
template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
meet_own_tile(jerk_both_lane<P, S::I, NEAREST> *lane,
              const typename P::quad (*tile)[S::T / WARP][2 * WARP], int which,
              typename P::real eps2)
{
#pragma unroll 1
    for (int j = 0; j < S::T; j++) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = tile[c][j / WARP][j % WARP];
        const typename P::point point = P::unpack(q);
#pragma unroll
        for (int k = 0; k < S::I; k++)
            add_jerk<P, NEAREST, true>(&lane->s[k], lane->i[k], point, eps2,
                                       k == which && j == (int)threadIdx.x,
                                       &lane->nearest_r2[NEAREST ? k : 0]);
    }
}

/* ---- sums over tiles ---------------------------------------------------- */

/* Adds float sums to those in double. */
template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
flush_both(jerk_mutual_shared<P, S, NEAREST> *shared,
           jerk_both_lane<P, S::I, NEAREST> *lane)
{
    if constexpr (in_float<P>)
#pragma unroll
        for (int k = 0; k < S::I; k++) {
            const typename P::sum &s = lane->s[k];
            const double sums[JERK_COMPONENTS] = {s.ax, s.ay, s.az, s.jx,
                                                  s.jy, s.jz, s.mr};
            for (int c = 0; c < JERK_COMPONENTS; c++)
                shared->by_i[c][k * S::T + threadIdx.x] += sums[c];
            lane->s[k] = {0, 0, 0, 0, 0, 0, 0};
        }
}

/* The nearest of a tile, against those before: `first` is the first particle of
 * the tile's block. Of equal ones the lower. */
template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
note_nearest(jerk_mutual_shared<P, S, NEAREST> *shared,
             jerk_both_lane<P, S::I, NEAREST> *lane, uint32_t first)
{
    for (int k = 0; k < S::I && NEAREST; k++) {
        typename P::real *r2 = &shared->nearest_r2[k * S::T + threadIdx.x];
        uint32_t *of = &shared->nearest_first[k * S::T + threadIdx.x];
        const typename P::real found = lane->nearest_r2[k];
        if (found < *r2 || (found == *r2 && first < *of)) {
            *r2 = found;
            *of = first;
        }
        lane->nearest_r2[k] = INFINITY;
    }
}

template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
start_segment(jerk_mutual_shared<P, S, NEAREST> *shared,
              jerk_both_lane<P, S::I, NEAREST> *lane,
              const jerk_mutual_args<P> &a, uint32_t first)
{
#pragma unroll
    for (int k = 0; k < S::I; k++) {
        const int at = k * S::T + threadIdx.x;
        typename P::quad q[P::quads];
        load_or_nothing(q, a, first + at);
        lane->i[k] = P::unpack(q);
        lane->s[k] = {0, 0, 0, 0, 0, 0, 0};
        for (int c = 0; c < JERK_COMPONENTS && in_float<P>; c++)
            shared->by_i[c][at] = 0;
        if (!NEAREST) continue;
        lane->nearest_r2[k] = INFINITY;
        shared->nearest_r2[at] = INFINITY;
        shared->nearest_first[at] = 0;
    }
}

template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
end_segment(const jerk_mutual_shared<P, S, NEAREST> *shared,
            const jerk_both_lane<P, S::I, NEAREST> *lane, double *segment)
{
    constexpr int B = S::I * S::T;
#pragma unroll
    for (int k = 0; k < S::I; k++) {
        const int at = k * S::T + threadIdx.x;
        const typename P::sum &s = lane->s[k];
        const double sums[JERK_COMPONENTS] = {s.ax, s.ay, s.az, s.jx,
                                              s.jy, s.jz, s.mr};
        for (int c = 0; c < JERK_COMPONENTS; c++)
            segment[c * B + at] = in_float<P> ? shared->by_i[c][at] : sums[c];
        if (!NEAREST) continue;
        segment[ROW_NEAREST_R2 * B + at] = shared->nearest_r2[at];
        segment[ROW_NEAREST_FIRST * B + at] = shared->nearest_first[at];
    }
}

/* A tile of another block: all warps with all subtiles. The j-particles' parts
 * go to `row`. */
template <class P, class S, bool NEAREST>
KOSHU_DEVICE void
meet_tile(jerk_mutual_shared<P, S, NEAREST> *shared,
          jerk_both_lane<P, S::I, NEAREST> *lane, typename P::real eps2,
          jerk_parts<typename P::real> *row)
{
    constexpr int warps = S::T / WARP;
    const int warp = threadIdx.x / WARP, at = threadIdx.x % WARP;
#pragma unroll 1
    for (int turn = 0; turn < warps; turn++) {
        __syncthreads(); /* the subtile's sums have arrived */
        const int subtile = (warp + turn) % warps;
        jerk_parts<typename P::real> by_j =
                meet_subtile<P, S, NEAREST>(lane, shared->tile, subtile, eps2);
        auto *to = &shared->by_j[subtile * WARP + at];
        if (turn > 0) {
            add_sum<NEAREST>(&by_j, *to);
            by_j.nearest_r2 = smaller(by_j.nearest_r2, to->nearest_r2);
        }
        if (turn == warps - 1) to = &row[subtile * WARP + at];
        *to = by_j;
        if ((turn + 1) % S::FLUSH == 0) flush_both(shared, lane);
    }
}

/* S: a mutual_shape. FLUSH, turns between additions to the sums in double,
 * divides the T / 32 turns of a tile. */
template <class P, class S, bool NEAREST>
__global__ void
__launch_bounds__(S::T, S::BLOCKS)
        jerk_mutual(const __grid_constant__ jerk_mutual_args<P> a)
{
    constexpr int T = S::T, B = S::I * T, warps = T / WARP;
    static_assert(warps % S::FLUSH == 0, "flushed at the end of a tile");
    extern __shared__ __align__(16) unsigned char memory[];
    auto *shared =
            reinterpret_cast<jerk_mutual_shared<P, S, NEAREST> *>(memory);
    const int t = threadIdx.x, warp = t / WARP, at = t % WARP;
    const mutual_plan &plan = a.plan;
    wait_for_previous_kernel();
    size_t tile = plan.chunk_begin(blockIdx.x);
    const size_t end = plan.chunk_begin(blockIdx.x + 1);
    if (tile >= end) return;
    jerk_both_lane<P, S::I, NEAREST> lane;
    for (size_t b = plan.block_of(tile); tile < end; b++) {
        const size_t first = plan.first_tile(b);
        const size_t last = min(end, plan.first_tile(b + 1));
        start_segment(shared, &lane, a, (uint32_t)b * B);
        for (; tile < last; tile++) {
            const size_t row = (tile - first) / S::I;
            const int which = (int)((tile - first) % S::I);
            const size_t d = plan.d_first + row;
            size_t bj = b + d;
            if (bj >= plan.blocks) bj -= plan.blocks;
            const size_t j = bj * B + which * T;
            typename P::quad q[P::quads];
            load_or_nothing(q, a, (uint32_t)j + t);
            __syncthreads(); /* all have done with the tile before */
            for (int c = 0; c < P::quads; c++)
                shared->tile[c][warp][at] = shared->tile[c][warp][at + WARP] =
                        q[c];
            if (d == 0) {
                __syncthreads();
                meet_own_tile<P, S, NEAREST>(&lane, shared->tile, which,
                                             a.eps2);
                flush_both(shared, &lane);
            } else {
                meet_tile(shared, &lane, a.eps2,
                          a.by_row + row * plan.blocks * B + j);
            }
            note_nearest(shared, &lane, (uint32_t)bj * B);
        }
        const size_t segment = (blockIdx.x + b) * jerk_rows<NEAREST>;
        end_segment(shared, &lane, a.by_segment + segment * B);
    }
}

} /* namespace koshu */

#endif
