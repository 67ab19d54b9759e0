/* SPDX-License-Identifier: MIT */
/*
 * Sums over interaction lists (Hamada09 section 2.3): a CUDA block works on one
 * walk; its lanes have the i-particles, and particles and cells of the list are
 * read through shared memory. A walk of more than 128 i-particles takes several
 * blocks.
 *
 * Every warp of a block has the same 32 I i-particles, I in the registers of
 * each lane, where I is chosen as small as possible for each walk. The warps
 * divide the list, and at the end their sums are added. Each warp has its own
 * tile, and loads the next one into registers while it sums the current one, so
 * that no warp waits for another. Padding past the end of a list has no mass.
 * Sums in float run over one tile and are added up in double.
 */
#ifndef KOSHU_BACKEND_CUDA_LISTS_WALK_SUMS_CUH
#define KOSHU_BACKEND_CUDA_LISTS_WALK_SUMS_CUH

#include <cstddef>

#include "backend/cuda/pairs/interact.cuh"
#include "backend/cuda/pairs/tiles.cuh"
#include "backend/walks.h"

#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/quadrupole.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

enum {
    WALK_WARP = 32,
    WALK_WARPS = 4, /* per block */
    WALK_TILE = LOADED_TILE,
    WALK_MAX_I = 4,
    WALK_CHUNK = WALK_WARP * WALK_MAX_I /* i-particles */
};

/* Quads of a cell, and rows of a particle. */
enum { CELL_QUADS = 3 };
template <class P>
constexpr int point_rows = P::quads == 1 ? KOSHU_WALK_POINT : KOSHU_WALK_SPLIT;

/* Walks whose arrays are in device memory. */
struct walk_args : koshu_walks {
    bool own;
    unsigned chunk; /* i-particles per block, at most WALK_CHUNK */
};

/* ---- tiles --------------------------------------------------------------- */

/* A range of the arrays of rows. */
template <int ROWS> struct row_range {
    const float *const *row;
    size_t first;
    int n;
};

/* Loads rows as quads of four; zeros past the end. */
template <int ROWS, int QUADS> struct row_loader {
    using quad = float4;
    static constexpr int quads = QUADS;
    row_range<ROWS> from;

    __device__ __forceinline__ void load(quad (*to)[LOADED_EACH], int first)
    {
#pragma unroll
        for (int k = 0; k < LOADED_EACH; k++) {
            const int at = first + k * WARP + threadIdx.x % WARP;
            float x[4 * QUADS];
#pragma unroll
            for (int r = 0; r < 4 * QUADS; r++) x[r] = 0;
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                if (at < from.n) x[r] = from.row[r][from.first + at];
#pragma unroll
            for (int c = 0; c < QUADS; c++)
                to[c][k] = make_float4(x[4 * c], x[4 * c + 1], x[4 * c + 2],
                                       x[4 * c + 3]);
        }
    }
};

/* ---- pairs --------------------------------------------------------------- */

/* An i-particle and its softening. */
template <class P> struct walk_target {
    typename P::point at;
    softening<P> soft;
};

/* Softenings differ between particles, so a distance lost in r2 beside eps^2
 * may still count. */
template <class P> struct at_exactly_one_place {
    KOSHU_DEVICE bool is(const typename P::vector &d, float r2, float)
    {
        return (d.x == 0 && d.y == 0 && d.z == 0) || r2 == 0;
    }
};

template <class P, bool ZERO_SAFE>
KOSHU_DEVICE void
add_walk_cell(gravity_sum_f32 *s, const walk_target<P> &i, const float4 *q)
{
    const quadrupole_cell_f32 cell = {q[0].w, q[1].x, q[1].y, q[1].z,
                                      q[1].w, q[2].x, q[2].y, q[2].z};
    const float dx = q[0].x - i.at.x, dy = q[0].y - i.at.y,
                dz = q[0].z - i.at.z;
    const float r2 = gravity_r2_f32(dx, dy, dz, i.soft.eps2);
    float rinv = estimate(r2);
    if (ZERO_SAFE && r2 == 0) rinv = 0;
    quadrupole_add_f32(s, dx, dy, dz, &cell, rinv);
}

/* ---- one warp ------------------------------------------------------------ */

/* The sums of a lane; those of the current tile are in float. */
template <int I> struct walk_lane_sums {
    double out[I][4];
    gravity_sum_f32 s[I];

    __device__ __forceinline__ walk_lane_sums()
    {
        for (int k = 0; k < I; k++) {
            for (int c = 0; c < 4; c++) out[k][c] = 0;
            s[k] = {0, 0, 0, 0};
        }
    }
    /* factor: what the sums of a must be multiplied by. */
    __device__ __forceinline__ void flush(double factor)
    {
#pragma unroll
        for (int k = 0; k < I; k++) {
            out[k][0] += factor * s[k].ax;
            out[k][1] += factor * s[k].ay;
            out[k][2] += factor * s[k].az;
            out[k][3] += s[k].mr;
            s[k] = {0, 0, 0, 0};
        }
    }
};

/* A warp's part of a list, and its i-particles; self: index of each in that
 * part. */
template <class P, int I> struct warp_work {
    walk_target<P> target[I];
    int self[I];
    row_range<point_rows<P>> j;
    row_range<KOSHU_WALK_CELL> cells;
};

enum { WALK_UNROLL = 4 };

/* The operations of sum_tiles() on particles: tiles are rounded up. */
template <class P, int I, bool ZERO_SAFE> struct walk_particles {
    const warp_work<P, I> &w;
    walk_lane_sums<I> *sums;

    __device__ __forceinline__ bool masks(int at) const
    {
        bool mine = false;
        for (int i = 0; i < I; i++)
            mine |= (unsigned)(w.self[i] - at) < WALK_TILE;
        return __any_sync(~0u, mine);
    }
    template <bool SELF>
    __device__ __forceinline__ void add(const float4 (*tile)[WALK_TILE], int at)
    {
        constexpr int unroll = SELF || ZERO_SAFE ? 1 : WALK_UNROLL;
        const int count = min(w.j.n - at, (int)WALK_TILE);
#pragma unroll 1
        for (int begin = 0; begin < count; begin += unroll) {
#pragma unroll
            for (int k = begin; k < begin + unroll; k++) {
                float4 q[P::quads];
                for (int c = 0; c < P::quads; c++) q[c] = tile[c][k];
                const typename P::point j = P::unpack(q);
#pragma unroll
                for (int i = 0; i < I; i++)
                    interact<P, ZERO_SAFE, SELF, at_exactly_one_place<P>>(
                            &sums->s[i], w.target[i].at, j, w.target[i].soft,
                            w.self[i] == at + k);
            }
        }
    }
    __device__ __forceinline__ void flush()
    {
        sums->flush(P::a_factor);
    }
};

/* The operations of sum_tiles() on cells. */
template <class P, int I, bool ZERO_SAFE> struct walk_cells {
    const warp_work<P, I> &w;
    walk_lane_sums<I> *sums;

    __device__ __forceinline__ bool masks(int) const
    {
        return false;
    }
    template <bool>
    __device__ __forceinline__ void add(const float4 (*tile)[WALK_TILE], int at)
    {
        constexpr int unroll = I < 3 ? 2 : 1;
        const int count = min(w.cells.n - at, (int)WALK_TILE);
#pragma unroll 1
        for (int begin = 0; begin < count; begin += unroll) {
#pragma unroll
            for (int k = begin; k < begin + unroll; k++) {
                const float4 q[CELL_QUADS] = {tile[0][k], tile[1][k],
                                              tile[2][k]};
#pragma unroll
                for (int i = 0; i < I; i++)
                    add_walk_cell<P, ZERO_SAFE>(&sums->s[i], w.target[i], q);
            }
        }
    }
    __device__ __forceinline__ void flush()
    {
        sums->flush(1);
    }
};

/* Sums all of a range. */
template <int QUADS, int ROWS, class Sum>
KOSHU_DEVICE void
sum_rows(Sum sum, const row_range<ROWS> &from, float4 (*tile)[WALK_TILE])
{
    loaded_tiles<row_loader<ROWS, QUADS>> stage = {{from}, tile};
    stage.start(0);
    sum_tiles(&stage, &sum, 0, from.n, (int)WALK_TILE);
}

/* ---- one block ----------------------------------------------------------- */

/* Some i-particles of a walk, at most 32 I. */
struct walk_chunk {
    size_t walk, first; /* counted from the batch's first i-particle */
    int n;
};

union walk_shared {
    float4 tile[WALK_WARPS][CELL_QUADS][WALK_TILE];
    double sums[WALK_WARPS][WALK_MAX_I * WALK_WARP][4];
};

/* A warp's part of first ... last - 1. */
template <int ROWS>
KOSHU_DEVICE row_range<ROWS>
part_of(const float *const *row, size_t first, size_t last, int warp)
{
    const size_t n = last - first, begin = n * warp / WALK_WARPS,
                 end = n * (warp + 1) / WALK_WARPS;
    return {row, first + begin, (int)(end - begin)};
}

template <class P>
KOSHU_DEVICE walk_target<P>
load_target(const float *const *row, size_t i)
{
    float4 q[2] = {make_float4(row[0][i], row[1][i], row[2][i], 0),
                   make_float4(0, 0, 0, 0)};
    if (P::quads > 1) q[1] = make_float4(row[4][i], row[5][i], row[6][i], 0);
    const float eps2 = row[3][i];
    return {P::unpack(q), {eps2, eps2 > 0 ? 1 / sqrtf(eps2) : 0}};
}

/* Missing i-particles are replaced by the chunk's first one. */
template <class P, int I>
KOSHU_DEVICE void
start_work(warp_work<P, I> *w, const walk_args &a, const walk_chunk &chunk,
           int warp, int lane)
{
    const size_t j = a.j_offset[chunk.walk], cell = a.cell_offset[chunk.walk];
    w->j = part_of<point_rows<P>>(a.j, j, a.j_offset[chunk.walk + 1], warp);
    w->cells = part_of<KOSHU_WALK_CELL>(a.cell, cell,
                                        a.cell_offset[chunk.walk + 1], warp);
    const size_t own = chunk.first - a.i_offset[chunk.walk];
#pragma unroll
    for (int k = 0; k < I; k++) {
        const int r = k * WALK_WARP + lane;
        const bool there = r < chunk.n;
        w->target[k] = load_target<P>(a.i, chunk.first + (there ? r : 0));
        const long long self =
                (long long)(own + r) - (long long)(w->j.first - j);
        w->self[k] =
                a.own && there && self >= 0 && self < w->j.n ? (int)self : -1;
    }
}

/* Sum c of an i-particle: that of the first warp, which calls this, plus the
 * others'. */
KOSHU_DEVICE double
add_partial_sums(const walk_shared *shared, double sum, int place, int c)
{
#pragma unroll
    for (int warp = 1; warp < WALK_WARPS; warp++)
        sum += shared->sums[warp][place][c];
    return sum;
}

template <class P, int I, bool POTENTIAL, bool ZERO_SAFE>
KOSHU_DEVICE void
sum_chunk(const walk_args &a, const walk_chunk &chunk, walk_shared *shared)
{
    const int warp = threadIdx.x / WALK_WARP, lane = threadIdx.x % WALK_WARP;
    warp_work<P, I> w;
    walk_lane_sums<I> sums;
    start_work<P, I>(&w, a, chunk, warp, lane);
    sum_rows<P::quads>(walk_particles<P, I, ZERO_SAFE>{w, &sums}, w.j,
                       shared->tile[warp]);
    sum_rows<CELL_QUADS>(walk_cells<P, I, ZERO_SAFE>{w, &sums}, w.cells,
                         shared->tile[warp]);
    __syncthreads(); /* all have finished with their tiles */
    for (int k = 0; warp > 0 && k < I; k++)
        for (int c = 0; c < 3 + POTENTIAL; c++)
            shared->sums[warp][k * WALK_WARP + lane][c] = sums.out[k][c];
    __syncthreads();
    for (int k = 0; warp == 0 && k < I; k++) {
        const int r = k * WALK_WARP + lane;
        if (r >= chunk.n) continue;
        for (int c = 0; c < 3 + POTENTIAL; c++) {
            const double sum = add_partial_sums(shared, sums.out[k][c], r, c);
            a.result[c][chunk.first + r] = c < 3 ? sum : -sum;
        }
    }
}

/* Sums a chunk of walk blockIdx.x, or several: number blockIdx.y and every
 * gridDim.y-th after it. */
template <class P, bool POTENTIAL, bool ZERO_SAFE>
__global__ void
__launch_bounds__(WALK_WARP *WALK_WARPS, 4)
        sum_walks(const __grid_constant__ walk_args a)
{
    __shared__ walk_shared shared;
    const size_t walk = blockIdx.x;
    const size_t last = a.i_offset[walk + 1];
    for (size_t first = a.i_offset[walk] + (size_t)blockIdx.y * a.chunk;
         first < last; first += (size_t)gridDim.y * a.chunk) {
        const int n = (int)min(last - first, (size_t)a.chunk);
        const walk_chunk chunk = {walk, first, n};
        const int per_lane = (n + WALK_WARP - 1) / WALK_WARP;
        __syncthreads(); /* all have finished with the previous chunk */
        switch (per_lane) {
        case 1: sum_chunk<P, 1, POTENTIAL, ZERO_SAFE>(a, chunk, &shared); break;
        case 2: sum_chunk<P, 2, POTENTIAL, ZERO_SAFE>(a, chunk, &shared); break;
        case 3: sum_chunk<P, 3, POTENTIAL, ZERO_SAFE>(a, chunk, &shared); break;
        default: sum_chunk<P, 4, POTENTIAL, ZERO_SAFE>(a, chunk, &shared);
        }
    }
}

} /* namespace koshu */

#endif
