/* SPDX-License-Identifier: MIT */
/*
 * Sums over near pairs of what the direct kernel (near.cuh) does not have:
 * dipoles, vortices and Hessians. Lanes hold i-particles and divide the
 * j-particles as there. With floats, positions are sums of two floats, so that
 * near pairs keep their digits (backend/fmm_pairs.h), and a tile's sums are
 * added up in double precision.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_FIELD_PAIRS_CUH
#define KOSHU_BACKEND_CUDA_FMM_FIELD_PAIRS_CUH

#include "backend/cuda/fmm/core_kinds.cuh"
#include "backend/cuda/fmm/near.cuh"

namespace koshu {

/* Fewer lanes than in near.cuh hold different i-particles, since each has many
 * sums. */
enum { FIELD_LANES = 8, FIELD_SPLIT = WARP / FIELD_LANES };

enum { FIELD_TILE = 64 };

/* Strengths in the order of the tree: charges first, then dipoles. */
struct field_sources {
    const fmm_view *v;
    const double *const *strength;
};

/* A position relative to the leaf's centre: in the leaf's lengths for
 * expansions, as the kind defines for near pairs. */
template <class Real> struct field_place {
    Real x, y, z, x_low, y_low, z_low;
};

template <class K> struct field_shape {
    using real = typename K::real;
    /* numbers of a j-particle: its position, then its strengths */
    static constexpr int place = K::split ? 6 : 3;
    static constexpr int numbers = place + K::strengths;
    static constexpr int max_i = sizeof(real) == sizeof(float) ? 4 : 2;
    static constexpr uint32_t width = FIELD_LANES * max_i;
    /* loaded sixteen bytes at a time */
    static constexpr int quad = 16 / sizeof(real);
    struct alignas(16) row {
        real of[(numbers + quad - 1) / quad * quad];
    };
    using tile = row[FIELD_TILE];
    using totals = double[width][K::fields];
};

/* What the warp of a leaf works on. */
template <class K> struct field_leaf {
    const fmm_view &v;
    const field_sources sources;
    typename field_shape<K>::tile &tile;
    typename field_shape<K>::totals &totals;
    const unsigned lane;
    fmm_place at;
    double per_length;
    double near_scale; /* scale of near coordinates */
    core_order<typename K::real> order;
    uint32_t first, n; /* i-particles in work: at most `width` */
};

/* ---- what is in the tile ------------------------------------------------- */

/* Particle j, or its image given by a list's entry; without mass. */
KOSHU_DEVICE near_particle
load_place(const fmm_view &v, uint32_t j)
{
    return {v.x[j], v.y[j], v.z[j], 0};
}

KOSHU_DEVICE near_particle
load_image(const fmm_view &v, uint32_t entry, uint32_t j)
{
    near_particle p = load_place(v, j);
    if (v.images.code.mask != 0) move_to_image(v, entry, &p);
    return p;
}

template <class Real>
KOSHU_DEVICE field_place<Real>
place_in_leaf(const near_particle &of, const fmm_place &at, double scale)
{
    const double x = (of.x - at.x) * scale, y = (of.y - at.y) * scale,
                 z = (of.z - at.z) * scale;
    field_place<Real> p = {(Real)x, (Real)y, (Real)z, 0, 0, 0};
    p.x_low = (Real)(x - p.x);
    p.y_low = (Real)(y - p.y);
    p.z_low = (Real)(z - p.z);
    return p;
}

/* The c-th strength of a particle. */
template <class K>
KOSHU_DEVICE double
strength_in_leaf(const field_sources &s, int c, double per_length, uint32_t j)
{
    const double unit = s.v->per_mass * (c < K::charges ? 1 : per_length);
    return s.strength[c][j] * unit;
}

template <class K>
KOSHU_DEVICE void
put_in_tile(const field_leaf<K> &g, unsigned k, uint32_t entry, uint32_t j)
{
    using Real = typename K::real;
    using shape = field_shape<K>;
    const field_place<Real> p =
            place_in_leaf<Real>(load_image(g.v, entry, j), g.at, g.near_scale);
    typename shape::row to = {};
    to.of[0] = p.x;
    to.of[1] = p.y;
    to.of[2] = p.z;
    if constexpr (K::split) {
        to.of[3] = p.x_low;
        to.of[4] = p.y_low;
        to.of[5] = p.z_low;
    }
#pragma unroll
    for (int c = 0; c < K::strengths; c++)
        to.of[shape::place + c] =
                (Real)strength_in_leaf<K>(g.sources, c, g.per_length, j);
    g.tile[k] = to;
}

/* As fill_tile() of near.cuh, without padding. */
template <class K>
KOSHU_DEVICE unsigned
fill_field_tile(const field_leaf<K> &g, const near_sequence &s, uint32_t done)
{
    const unsigned n = min(s.total - done, (uint32_t)FIELD_TILE);
#pragma unroll
    for (unsigned k = g.lane; k < FIELD_TILE; k += WARP) {
        int lane;
        const uint32_t j = particle_of(s, done + k, &lane);
        const uint32_t entry = __shfl_sync(~0u, s.entry, lane);
        if (k < n) put_in_tile(g, k, entry, j);
    }
    __syncwarp();
    return n;
}

/* ---- pairs --------------------------------------------------------------- */

/* The effect of one j-particle of the tile on an i-particle. */
template <class K>
KOSHU_DEVICE void
add_pair(const field_leaf<K> &g, const typename field_shape<K>::row &j,
         const field_place<typename K::real> &i, typename K::real *sum)
{
    using Real = typename K::real;
    Real x = i.x - j.of[0], y = i.y - j.of[1], z = i.z - j.of[2];
    if constexpr (K::split) {
        x += i.x_low - j.of[3];
        y += i.y_low - j.of[4];
        z += i.z_low - j.of[5];
    }
    if constexpr (K::bounded)
        K::add(sum, x, y, z, j.of + field_shape<K>::place, g.order);
    else
        K::add(sum, x, y, z, j.of + field_shape<K>::place);
}

/* The first n j-particles of the tile on the I i-particles of each lane. */
template <class K, int I>
KOSHU_DEVICE void
sum_field_tile(const field_leaf<K> &g,
               const field_place<typename K::real> (&at)[I], unsigned n,
               typename K::real (&sum)[I][K::sums])
{
#pragma unroll 1
    for (unsigned j = g.lane / FIELD_LANES; j < n; j += FIELD_SPLIT) {
        const typename field_shape<K>::row pj = g.tile[j];
#pragma unroll
        for (int i = 0; i < I; i++) add_pair<K>(g, pj, at[i], sum[i]);
    }
    __syncwarp();
}

/* Adds the sums to the totals and clears them. */
template <class K, int I>
KOSHU_DEVICE void
add_to_totals(const field_leaf<K> &g, typename K::real (&sum)[I][K::sums])
{
#pragma unroll
    for (int i = 0; i < I; i++) {
        K::give(sum[i]);
#pragma unroll
        for (int f = 0; f < K::fields; f++) {
            typename K::real s = sum[i][f];
            for (unsigned step = FIELD_LANES; step < WARP; step *= 2)
                s += __shfl_xor_sync(~0u, s, step);
            if (g.lane < FIELD_LANES)
                g.totals[FIELD_LANES * i + g.lane][f] += s;
        }
#pragma unroll
        for (int f = 0; f < K::sums; f++) sum[i][f] = 0;
    }
}

/* Sums over a sequence. Bounded kinds are summed in floats throughout. */
template <class K, int I>
KOSHU_DEVICE void
sum_field_sequence(const field_leaf<K> &g, const near_sequence &s,
                   const field_place<typename K::real> (&at)[I])
{
    typename K::real sum[I][K::sums] = {};
    for (uint32_t done = 0; done < s.total; done += FIELD_TILE) {
        const unsigned n = fill_field_tile(g, s, done);
        sum_field_tile<K, I>(g, at, n, sum);
        if constexpr (!K::bounded) add_to_totals<K, I>(g, sum);
    }
    if constexpr (K::bounded) add_to_totals<K, I>(g, sum);
}

/* All j-particles on the i-particles; returns how many there are. */
template <class K, int I>
KOSHU_DEVICE uint32_t
sum_fields(const field_leaf<K> &g, const fmm_span &near)
{
    using Real = typename K::real;
    field_place<Real> at[I];
#pragma unroll
    for (int i = 0; i < I; i++) {
        const unsigned k = g.lane % FIELD_LANES + FIELD_LANES * i;
        at[i] = place_in_leaf<Real>(load_place(g.v, g.first + min(k, g.n - 1)),
                                    g.at, g.near_scale);
    }
    for (unsigned k = g.lane; k < FIELD_LANES * I; k += WARP)
        for (int f = 0; f < K::fields; f++) g.totals[k][f] = 0;
    __syncwarp();
    uint32_t all = 0;
    for (uint32_t from = 0; from < near.n; from += WARP) {
        const near_sequence s =
                sequence_of(g.v, entry_of(near, from + g.lane), g.lane);
        sum_field_sequence<K, I>(g, s, at);
        all += s.total;
    }
    __syncwarp();
    if constexpr (K::split && !K::bounded) recompute_lost(g, near);
    return all;
}

/* ---- pairs that floats do not hold --------------------------------------- */

/* All j-particles on particle i, in double precision regardless of cost;
 * written to sum[field]. */
template <class K>
static __device__ __noinline__ void
sum_closely(field_sources s, fmm_span near, fmm_place at, uint32_t i,
            double *sum)
{
    const double per_length = inverse_of_power(length_of(at));
    const auto place =
            place_in_leaf<double>(load_place(*s.v, i), at, per_length);
    double own[K::fields] = {};
    for (uint32_t k = 0; k < near.n; k++) {
        const uint32_t entry = near.entry[k];
        const tree_cell leaf = s.v->source[cell_of(*s.v, entry)];
        for (uint32_t j = leaf.first + threadIdx.x % WARP;
             j < leaf.first + leaf.n; j += WARP) {
            const auto p = place_in_leaf<double>(load_image(*s.v, entry, j), at,
                                                 per_length);
            const double x = place.x - p.x, y = place.y - p.y,
                         z = place.z - p.z;
            double strength[K::strengths];
            for (int c = 0; c < K::strengths; c++)
                strength[c] = strength_in_leaf<K>(s, c, per_length, j);
            K::add(own, x, y, z, strength);
        }
    }
    for (int f = 0; f < K::fields; f++) {
        for (unsigned step = WARP / 2; step > 0; step /= 2)
            own[f] += __shfl_xor_sync(~0u, own[f], step);
        if (threadIdx.x % WARP == 0) sum[f] = own[f];
    }
}

/* Recomputes sums of pairs so close that floats overflow. */
template <class K>
KOSHU_DEVICE void
recompute_lost(const field_leaf<K> &g, const fmm_span &near)
{
    for (unsigned k = 0; k < g.n; k += WARP) {
        bool finite = true;
        for (int f = 0; f < K::fields && k + g.lane < g.n; f++)
            finite = finite && isfinite(g.totals[k + g.lane][f]);
        unsigned lost = __ballot_sync(~0u, !finite);
        for (; lost; lost &= lost - 1) {
            const unsigned i = k + __ffs((int)lost) - 1;
            sum_closely<typename K::in_double>(g.sources, near, g.at,
                                               g.first + i, g.totals[i]);
        }
    }
    __syncwarp();
}

/* ---- a leaf -------------------------------------------------------------- */

/* Chooses how many i-particles each lane holds. */
template <class K, int I = 1>
KOSHU_DEVICE uint32_t
sum_fields_of(const field_leaf<K> &g, const fmm_span &near)
{
    if constexpr (I < field_shape<K>::max_i)
        if (g.n > I * FIELD_LANES) return sum_fields_of<K, 2 * I>(g, near);
    return sum_fields<K, I>(g, near);
}

} /* namespace koshu */

#endif
