/* SPDX-License-Identifier: MIT */
/*
 * Translates 16 expansions at once, each along its own path, with a block of
 * threads: kernels/expansion.h, with all matrices that do not depend on the
 * path applied by tensor cores, in double precision.
 *
 * The expansions lie in shared memory. Rotations go degree by degree,
 * translations along z order by order (m); a warp takes every fourth. Quad g of
 * a warp, lanes 4 g to 4 g + 3, handles two of the expansions. Of a degree, a
 * lane holds those m / 2, and of an order those n, that equal its number modulo
 * 4: so one product leaves numbers where the next needs them.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_TILE_CUH
#define KOSHU_BACKEND_CUDA_FMM_TILE_CUH

#include "backend/cuda/fmm/fragments.cuh"
#include "backend/cuda/fmm/paths.cuh"

namespace koshu {

enum { TILE = 16, TILE_WARPS = 4, TILE_THREADS = TILE_WARPS * WARP };

/* Degree n is first multiplied by before^n, and last by after first *
 * after^n. */
struct tile_path {
    expansion_direction_f64 direction;
    double before, first, after;
};

/* With this distance between rows there are no bank conflicts. */
static constexpr __host__ __device__ int
tile_stride(int p)
{
    return (EXPANSION_TERMS(p) + 14) / 16 * 16 + 1;
}

static constexpr __host__ __device__ size_t
tile_bytes(int p)
{
    return TILE * tile_stride(p) * sizeof(double) + TILE * sizeof(tile_path);
}

struct tile {
    const fmm_fragments &fragments;
    tile_path *path; /* [TILE] */
    double *row;     /* [TILE][stride] */
    int stride;
};

KOSHU_DEVICE tile
tile_of(const fmm_fragments &fragments, void *memory)
{
    tile_path *const path = static_cast<tile_path *>(memory);
    return {fragments, path, reinterpret_cast<double *>(path + TILE),
            tile_stride(fragments.p)};
}

/* What a lane works on; row: the first of its quad's two expansions. */
struct tile_lane {
    double *row, *other;
    const tile_path *path, *other_path;
    int q, warp, lane;
};

KOSHU_DEVICE tile_lane
lane_of(const tile &t)
{
    const int lane = (int)(threadIdx.x % WARP), quad = lane / 4;
    const int row = quad % 2 + quad / 2 % 2 * 8 + quad / 4 * 2;
    return {t.row + row * t.stride,
            t.row + (row + 4) * t.stride,
            t.path + row,
            t.path + row + 4,
            lane % 4,
            (int)(threadIdx.x / WARP),
            lane};
}

/* Assigns degree or order n to a warp: largest work first, back and forth. */
KOSHU_DEVICE int
warp_of(int work)
{
    const int turn = work / TILE_WARPS, k = work % TILE_WARPS;
    return turn % 2 ? TILE_WARPS - 1 - k : k;
}

/* ---- matrix units -------------------------------------------------------- */

/* Products for both rows of each quad at once: of 8 columns a lane has two. */
struct fragment_sums {
    double at[2][2]; /* [expansion of the quad][column] */
};

KOSHU_DEVICE void
multiply_add(fragment_sums *s, double a, double other, double b)
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(s->at[0][0]), "+d"(s->at[0][1]), "+d"(s->at[1][0]),
          "+d"(s->at[1][1])
        : "d"(a), "d"(other), "d"(b));
#else
    const double two[2] = {a, other};
    for (int k = 0; k < 2; k++)
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
            "{%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(s->at[k][0]), "+d"(s->at[k][1])
            : "d"(two[k]), "d"(b));
#endif
}

/* ---- rotations ----------------------------------------------------------- */

/* For each m of a lane, 2 (q + 4 j) + parity, and each of its expansions. */
template <int STEPS> struct tile_turn {
    double c[2][STEPS][2], s[2][STEPS][2]; /* [parity][j][expansion] */
};

/* The numbers of a degree: [cosines, sines][parity][j][expansion]. */
template <int STEPS> struct tile_degree {
    double v[2][2][STEPS][2];
};

/* e^(i m angle) */
template <int STEPS>
KOSHU_DEVICE void
find_turn(tile_turn<STEPS> *t, int which, int q, double c, double s)
{
    const double c2 = c * c - s * s, s2 = 2 * c * s;
    const double c4 = c2 * c2 - s2 * s2, s4 = 2 * c2 * s2;
    const double c8 = c4 * c4 - s4 * s4, s8 = 2 * c4 * s4;
    const double c_low = q % 2 ? c2 : 1, s_low = q % 2 ? s2 : 0;
    const double c_high = q / 2 ? c4 : 1, s_high = q / 2 ? s4 : 0;
    double cm = c_low * c_high - s_low * s_high,
           sm = c_low * s_high + s_low * c_high;
#pragma unroll
    for (int j = 0; j < STEPS; j++) {
        t->c[0][j][which] = cm;
        t->s[0][j][which] = sm;
        t->c[1][j][which] = cm * c - sm * s;
        t->s[1][j][which] = sm * c + cm * s;
        const double next = cm * c8 - sm * s8;
        sm = sm * c8 + cm * s8;
        cm = next;
    }
}

template <int STEPS> struct tile_turns {
    tile_turn<STEPS> first, second;
};

template <int STEPS>
KOSHU_DEVICE void
find_turns(tile_turns<STEPS> *t, const tile_lane &l)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const expansion_direction_f64 d =
                (k ? l.other_path : l.path)->direction;
        find_turn(&t->first, k, l.q, d.cos_first, d.sin_first);
        find_turn(&t->second, k, l.q, d.cos_second, d.sin_second);
    }
}

/* sign: -1 for the reverse rotation. */
template <int J, int STEPS>
KOSHU_DEVICE void
turn(tile_degree<J> *d, const tile_turn<STEPS> &t, double sign)
{
#pragma unroll
    for (int parity = 0; parity < 2; parity++)
#pragma unroll
        for (int j = 0; j < J; j++)
#pragma unroll
            for (int k = 0; k < 2; k++) {
                const double even = d->v[0][parity][j][k],
                             odd = d->v[1][parity][j][k], c = t.c[parity][j][k],
                             s = sign * t.s[parity][j][k];
                d->v[0][parity][j][k] = even * c + odd * s;
                d->v[1][parity][j][k] = odd * c - even * s;
            }
}

/* Exchanges x and z. Cosines of odd degrees, and sines of even ones, change
 * between even and odd m. */
template <int J, bool ODD>
KOSHU_DEVICE void
exchange(tile_degree<J> *d, const double *fragment)
{
    constexpr int TILES = exchange_fragments(8 * J - 1).tiles;
    tile_degree<J> to;
#pragma unroll
    for (int matrix = 0; matrix < 4; matrix++) {
        const int sines = matrix / 2, parity = matrix % 2;
        const int out = ODD == (sines == 0) ? 1 - parity : parity;
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            fragment_sums sums = {};
#pragma unroll
            for (int j = 0; j < J; j++)
                multiply_add(
                        &sums, d->v[sines][parity][j][0],
                        d->v[sines][parity][j][1],
                        fragment[((matrix * TILES + tile) * J + j) * WARP]);
#pragma unroll
            for (int j = 2 * tile; j < J && j < 2 * tile + 2; j++)
#pragma unroll
                for (int k = 0; k < 2; k++)
                    to.v[sines][out][j][k] = sums.at[k][j - 2 * tile];
        }
    }
    *d = to;
}

/* power: the factor of degree n. Lanes beyond the degree load other finite
 * numbers, which meet zeros of the matrices. */
template <int J>
KOSHU_DEVICE void
load_degree(tile_degree<J> *d, const tile_lane &l, int n, const double *power)
{
    const int middle = EXPANSION_AT(n, 0);
#pragma unroll
    for (int parity = 0; parity < 2; parity++)
#pragma unroll
        for (int j = 0; j < J; j++) {
            const int m = min(2 * (l.q + 4 * j) + parity, n);
            d->v[0][parity][j][0] = l.row[middle + m] * power[0];
            d->v[1][parity][j][0] = l.row[middle - m] * power[0];
            d->v[0][parity][j][1] = l.other[middle + m] * power[1];
            d->v[1][parity][j][1] = l.other[middle - m] * power[1];
        }
}

template <int J>
KOSHU_DEVICE void
store_degree(const tile_degree<J> &d, const tile_lane &l, int n)
{
    const int middle = EXPANSION_AT(n, 0);
#pragma unroll
    for (int parity = 0; parity < 2; parity++)
#pragma unroll
        for (int j = 0; j < J; j++) {
            const int m = 2 * (l.q + 4 * j) + parity;
            if (m > n) continue;
            l.row[middle + m] = d.v[0][parity][j][0];
            l.other[middle + m] = d.v[0][parity][j][1];
            if (m == 0) continue;
            l.row[middle - m] = d.v[1][parity][j][0];
            l.other[middle - m] = d.v[1][parity][j][1];
        }
}

/* Rotates degree n to axes in which its path is z, or back. */
template <int J, bool ODD, bool BACK, int STEPS>
KOSHU_DEVICE void
rotate_degree(const tile &t, const tile_lane &l, const tile_turns<STEPS> &turns,
              int n, const double *power)
{
    const double *fragment =
            t.fragments.exchange + (size_t)first_exchange(n) * WARP + l.lane;
    tile_degree<J> d;
    load_degree(&d, l, n, power);
    if (!BACK) turn(&d, turns.first, 1);
    exchange<J, ODD>(&d, fragment);
    turn(&d, turns.second, BACK ? -1 : 1);
    exchange<J, ODD>(&d, fragment);
    if (BACK) turn(&d, turns.first, -1);
    __syncwarp(); /* others have read the substitutes for numbers beyond the
                     degree */
    store_degree(d, l, n);
}

/* Any degree that takes J steps or fewer. */
template <int J, bool BACK, int STEPS>
KOSHU_DEVICE void
rotate_any(const tile &t, const tile_lane &l, const tile_turns<STEPS> &turns,
           int n, const double *power)
{
    if constexpr (J > 1)
        if (exchange_fragments(n).steps < J)
            return rotate_any<J - 1, BACK>(t, l, turns, n, power);
    if (n % 2)
        rotate_degree<J, true, BACK>(t, l, turns, n, power);
    else
        rotate_degree<J, false, BACK>(t, l, turns, n, power);
}

template <int STEPS, bool BACK>
KOSHU_DEVICE void
rotate(const tile &t, const tile_lane &l, const tile_turns<STEPS> &turns)
{
    const tile_path &one = *l.path, &two = *l.other_path;
    double power[2] = {BACK ? one.first : 1, BACK ? two.first : 1};
    for (int n = 0; n <= t.fragments.p; n++) {
        if (warp_of(t.fragments.p - n) == l.warp)
            rotate_any<STEPS, BACK>(t, l, turns, n, power);
        power[0] *= BACK ? one.after : one.before;
        power[1] *= BACK ? two.after : two.before;
    }
}

/* ---- along z ------------------------------------------------------------- */

/* Orders m and -m. Numbers beyond the degree meet zeros of the matrix. */
template <int TILES>
KOSHU_DEVICE void
move_order(const tile &t, const tile_lane &l, const double *fragment, int m)
{
    const int p = t.fragments.p, origin = m / 4 * 4 + l.q;
    const int steps = along_fragments(p, m).steps;
    fragment_sums sums[2][TILES] = {};
#pragma unroll 2
    for (int step = 0; step < steps; step++) {
        const int n = min(max(origin + 4 * step, m), p);
        const int plus = EXPANSION_AT(n, m), minus = EXPANSION_AT(n, -m);
        const double a[2][2] = {{l.row[plus], l.other[plus]},
                                {l.row[minus], l.other[minus]}};
#pragma unroll
        for (int tile = 0; tile < TILES; tile++, fragment += WARP) {
            const double b = *fragment;
            multiply_add(&sums[0][tile], a[0][0], a[0][1], b);
            multiply_add(&sums[1][tile], a[1][0], a[1][1], b);
        }
    }
    __syncwarp(); /* others have read it, too */
#pragma unroll
    for (int j = 0; j < 2 * TILES; j++) {
        const int n = origin + 4 * j;
        if (n < m || n > p) continue;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            double *const row = k ? l.other : l.row;
            row[EXPANSION_AT(n, m)] = sums[0][j / 2].at[k][j % 2];
            row[EXPANSION_AT(n, -m)] = sums[1][j / 2].at[k][j % 2];
        }
    }
}

template <int TILES>
KOSHU_DEVICE void
move_any(const tile &t, const tile_lane &l, const double *matrices, int m)
{
    if constexpr (TILES > 1)
        if (along_fragments(t.fragments.p, m).tiles < TILES)
            return move_any<TILES - 1>(t, l, matrices, m);
    move_order<TILES>(
            t, l, matrices + (size_t)t.fragments.first[m] * WARP + l.lane, m);
}

/* ---- all of it ----------------------------------------------------------- */

/* The largest order that takes STEPS steps. */
template <int STEPS>
constexpr int
        order_of_steps = STEPS == 3 ? (int)KOSHU_MAX_ORDER : 8 * STEPS - 1;

/* Translates all rows, which must be behind a barrier, along their paths;
 * `matrices`: of one operator. Ends with a barrier. */
template <int STEPS>
KOSHU_DEVICE void
translate(const tile &t, const double *matrices)
{
    constexpr int TILES = along_fragments(order_of_steps<STEPS>, 0).tiles;
    const tile_lane l = lane_of(t);
    tile_turns<STEPS> turns;
    find_turns(&turns, l);
    rotate<STEPS, false>(t, l, turns);
    __syncthreads();
    for (int m = 0; m <= t.fragments.p; m++)
        if (warp_of(m) == l.warp) move_any<TILES>(t, l, matrices, m);
    __syncthreads();
    rotate<STEPS, true>(t, l, turns);
    __syncthreads();
}

} /* namespace koshu */

#endif
