/* SPDX-License-Identifier: MIT */
/*
 * Direct sums over the leaves near a leaf, by one warp. Its i-particles are in
 * the registers of sixteen lanes, I in each. Both halves of the warp hold the
 * same ones, and each half sums every second j-particle: with so few
 * i-particles few lanes are idle. Short loops and tiles are fastest, as the
 * code of all warps of a multiprocessor then fits in its instruction cache.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_NEAR_CUH
#define KOSHU_BACKEND_CUDA_FMM_NEAR_CUH

#include "backend/cuda/fmm/near_tile.cuh"
#include "backend/cuda/tree/walking_group.cuh"

namespace koshu {

/* How pairs at zero distance are treated: as softened pairs;
 * zero-distance-safe, both as in interact(); or, without softening, as nothing.
 * The last costs more than softening only for pairs tested for it. */
enum near_rule { NEAR_SOFTENED, NEAR_ZERO_SAFE, NEAR_BARE };

template <class P, near_rule RULE>
KOSHU_DEVICE void
add_pair(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, const softening<P> &soft)
{
    if constexpr (RULE == NEAR_BARE) {
        const typename P::vector d = P::difference(j, i);
        const typename P::real r2 = P::distance2(d), rinv = P::rinv(r2);
        P::add(s, d, j.m, r2, r2 > 0 ? rinv : 0);
    } else {
        interact<P, RULE == NEAR_ZERO_SAFE, false>(s, i, j, soft, false);
    }
}

/* 1 / r between a particle and itself, as add_pair() adds it. */
template <class P, near_rule RULE>
KOSHU_DEVICE typename P::real
own_rinv(const softening<P> &soft)
{
    if constexpr (RULE == NEAR_SOFTENED) return P::rinv(soft.eps2);
    return RULE == NEAR_ZERO_SAFE ? soft.coincident : 0;
}

/* The first `count` j-particles of the tile, a multiple of NEAR_SPLIT. The
 * i-particle itself may be among them. */
template <class P, near_rule RULE, int I>
KOSHU_DEVICE void
sum_tile(const near_leaf<P> &g, const softening<P> &soft,
         const typename P::point *at, unsigned count)
{
    typename P::sum s[I] = {};
#pragma unroll 1
    for (unsigned j = g.lane / NEAR_LANES; j < count; j += NEAR_SPLIT) {
        const typename P::point pj = get_from_tile<P>(g.tile, j);
#pragma unroll
        for (int i = 0; i < I; i++) add_pair<P, RULE>(&s[i], at[i], pj, soft);
    }
#pragma unroll
    for (int i = 0; i < I; i++) {
        g.totals[4 * i][g.lane] += s[i].ax;
        g.totals[4 * i + 1][g.lane] += s[i].ay;
        g.totals[4 * i + 2][g.lane] += s[i].az;
        g.totals[4 * i + 3][g.lane] += s[i].mr;
    }
}

/* ---- what is in the tile ------------------------------------------------- */

/* The particles of the lanes' leaves as one sequence; `end`: the end of this
 * lane's leaf in it. */
struct near_sequence {
    uint32_t first, end, n, total;
    uint32_t entry; /* of the lane's leaf */
};

/* A lane's entry of a list, if it has one. */
struct near_entry {
    uint32_t entry;
    bool any;
};

KOSHU_DEVICE near_entry
entry_of(const fmm_span &near, uint32_t k)
{
    if (k >= near.n) return {0, false};
    return {near.entry[k], true};
}

KOSHU_DEVICE near_sequence
sequence_of(const fmm_view &v, const near_entry &e, unsigned lane)
{
    near_sequence s = {};
    if (e.any) {
        s.entry = e.entry;
        const tree_cell leaf = v.source[cell_of(v, e.entry)];
        s.first = leaf.first;
        s.n = leaf.n;
    }
    s.end = s.n;
    for (unsigned step = 1; step < WARP; step *= 2) {
        const uint32_t before = __shfl_up_sync(~0u, s.end, step);
        if (lane >= step) s.end += before;
    }
    s.total = __shfl_sync(~0u, s.end, WARP - 1);
    return s;
}

/* The k-th particle of all lanes together; *lane: which lane has its leaf. */
KOSHU_DEVICE uint32_t
particle_of(const near_sequence &s, unsigned k, int *lane)
{
    unsigned owner = 0; /* the first lane whose leaf ends after k */
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        const unsigned end = __shfl_sync(~0u, s.end, (int)(owner + step - 1));
        if (end <= k) owner += step;
    }
    const uint32_t begin = __shfl_sync(~0u, s.end - s.n, (int)owner);
    *lane = (int)owner;
    return __shfl_sync(~0u, s.first, (int)owner) + (k - begin);
}

/* Loads up to NEAR_TILE particles from the `done`-th on; all loads are issued
 * before the first is waited for. Returns the number in the tile, padded to a
 * multiple of NEAR_SPLIT. */
template <class P>
KOSHU_DEVICE unsigned
fill_tile(const near_leaf<P> &g, const near_sequence &s, uint32_t done)
{
    const unsigned n = min(s.total - done, (uint32_t)NEAR_TILE);
    near_particle p[NEAR_TILE / WARP];
#pragma unroll
    for (unsigned k = 0; k < NEAR_TILE / WARP; k++) {
        const unsigned own = k * WARP + g.lane;
        int lane;
        const uint32_t j = particle_of(s, done + own, &lane);
        if (own < n) p[k] = load_particle(g.v.from.particle, j);
        if (g.v.images.code.mask != 0)
            move_to_image(g.v, __shfl_sync(~0u, s.entry, lane), &p[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < NEAR_TILE / WARP; k++)
        if (k * WARP + g.lane < n) put_in_tile(g, k * WARP + g.lane, p[k]);
    const unsigned count = (n + NEAR_SPLIT - 1) / NEAR_SPLIT * NEAR_SPLIT;
    if (n + g.lane < count) put_padding_in_tile(g, n + g.lane);
    return count;
}

/* Sums over a sequence; returns how many particles it has. */
template <class P, near_rule RULE, int I>
KOSHU_DEVICE uint32_t
sum_sequence(const near_leaf<P> &g, const softening<P> &soft,
             const near_sequence &s, const typename P::point *at)
{
    for (uint32_t done = 0; done < s.total; done += NEAR_TILE) {
        const unsigned count = fill_tile(g, s, done);
        __syncwarp();
        sum_tile<P, RULE, I>(g, soft, at, count);
        __syncwarp();
    }
    return s.total;
}

/* Whether some i-particles are far from the leaf's centre, compared with its
 * length. */
template <class P, int I>
KOSHU_DEVICE bool
fills_its_lengths(const typename P::point *at)
{
    bool far = false;
#pragma unroll
    for (int i = 0; i < I; i++)
        far |= fmax(fmax(fabs(at[i].x), fabs(at[i].y)), fabs(at[i].z)) >
               0x1p-6f;
    return __any_sync(~0u, far);
}

/* Whether a source leaf may have a particle where this leaf has one. In one
 * tree only the leaf itself; with two trees any leaf. */
template <class P>
KOSHU_DEVICE bool
may_coincide(const near_leaf<P> &g, uint32_t entry)
{
    return g.v.source != g.v.cell || cell_of(g.v, entry) == g.cell;
}

/* Sums over near leaves without softening; returns the number of particles.
 * Distinct particles whose coordinates round to the same are treated as if at
 * the distance that the precision resolves. */
template <class P, int I>
KOSHU_DEVICE uint32_t
sum_bare_leaves(const near_leaf<P> &g, const fmm_span &near,
                const typename P::point *at)
{
    constexpr double least2 = near_shape<P>::least2;
    bool told_apart = false;
    if constexpr (least2 > 0) told_apart = fills_its_lengths<P, I>(at);
    uint32_t all = 0;
    for (uint32_t from = 0; from < near.n; from += WARP) {
        const near_entry e = entry_of(near, from + g.lane);
        const bool tested = e.any && (!told_apart || may_coincide(g, e.entry));
        if (__any_sync(~0u, tested))
            all += sum_sequence<P, NEAR_BARE, I>(
                    g, g.soft, sequence_of(g.v, {e.entry, tested}, g.lane), at);
        if constexpr (least2 > 0)
            all += sum_sequence<P, NEAR_SOFTENED, I>(
                    g, {(typename P::real)least2, 0},
                    sequence_of(g.v, {e.entry, e.any && !tested}, g.lane), at);
    }
    return all;
}

/* A product that is not made part of a sum, before it is rounded. */
KOSHU_DEVICE float
rounded_product(float a, float b)
{
    return __fmul_rn(a, b);
}

KOSHU_DEVICE double
rounded_product(double a, double b)
{
    return __dmul_rn(a, b);
}

/* Subtracts from the totals each i-particle's potential of itself, in the lane
 * that added it. */
template <class P>
KOSHU_DEVICE void
subtract_own(const near_leaf<P> &g)
{
    const uint32_t begin = g.first - g.v.cell[g.cell].first;
    for (unsigned k = g.lane; k < g.n; k += WARP) {
        const auto m = (typename P::real)(g.v.mass[g.first + k] * g.v.per_mass);
        const unsigned half = (begin + k) % NEAR_SPLIT;
        g.totals[4 * (k / NEAR_LANES) + 3]
                [half * NEAR_LANES + k % NEAR_LANES] -=
                rounded_product(m, g.own);
    }
    __syncwarp();
}

/* Sums over near leaves with softening; returns the number of particles. The
 * leaf itself comes first: an i-particle's potential of itself may be much
 * larger than all others, which would be rounded as it is. */
template <class P, near_rule RULE, int I>
KOSHU_DEVICE uint32_t
sum_softened_leaves(const near_leaf<P> &g, const fmm_span &near,
                    const typename P::point *at)
{
    const bool one_tree = g.v.source == g.v.cell;
    uint32_t all = 0, from = 0;
    for (bool own = g.owns; own || from < near.n; own = false) {
        near_entry e = {g.cell, g.lane == 0};
        if (!own) {
            e = entry_of(near, from + g.lane);
            e.any = e.any && !(one_tree && e.entry == g.cell);
            from += WARP;
        }
        all += sum_sequence<P, RULE, I>(g, g.soft, sequence_of(g.v, e, g.lane),
                                        at);
        if (own) subtract_own(g);
    }
    return all;
}

/* ---- a leaf -------------------------------------------------------------- */

/* All j-particles on the i-particles; returns how many there are. */
template <class P, near_rule RULE, int I>
KOSHU_DEVICE uint32_t
sum_near(const near_leaf<P> &g, const fmm_span &near)
{
    typename P::point at[I];
    const fmm_particles own = {g.v.x, g.v.y, g.v.z, g.v.mass};
    for (unsigned k = g.lane; k < NEAR_LANES * I; k += WARP)
        put_in_tile(g, k, load_particle(own, g.first + min(k, g.n - 1)));
    for (int k = 0; k < 4 * I; k++) g.totals[k][g.lane] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < I; i++)
        at[i] = get_from_tile<P>(g.tile, g.lane % NEAR_LANES + NEAR_LANES * i);
    __syncwarp();
    if constexpr (RULE == NEAR_BARE)
        return sum_bare_leaves<P, I>(g, near, at);
    else
        return sum_softened_leaves<P, RULE, I>(g, near, at);
}

/* Chooses how many i-particles each lane holds. */
template <class P, near_rule RULE, int I = 1>
KOSHU_DEVICE uint32_t
sum_near_of(const near_leaf<P> &g, const fmm_span &near)
{
    if constexpr (I < near_shape<P>::max_i)
        if (g.n > I * NEAR_LANES) return sum_near_of<P, RULE, I + 1>(g, near);
    return sum_near<P, RULE, I>(g, near);
}

/* Component c of i-particle k, summed over all lanes that hold it. */
template <class P>
KOSHU_DEVICE typename near_shape<P>::total
near_sum(const near_leaf<P> &g, unsigned k, unsigned c)
{
    const auto *row = g.totals[4 * (k / NEAR_LANES) + c] + k % NEAR_LANES;
    typename near_shape<P>::total sum = 0;
#pragma unroll
    for (unsigned l = 0; l < WARP; l += NEAR_LANES) sum += row[l];
    return sum;
}

} /* namespace koshu */

#endif
