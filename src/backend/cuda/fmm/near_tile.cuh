/* SPDX-License-Identifier: MIT */
/* Particles of near leaves in shared memory, relative to a leaf's centre and in
 * its lengths, and the sums over them so far. */
#ifndef KOSHU_BACKEND_CUDA_FMM_NEAR_TILE_CUH
#define KOSHU_BACKEND_CUDA_FMM_NEAR_TILE_CUH

#include "backend/cuda/fmm/cells.cuh"
#include "backend/cuda/pairs/interact.cuh"
#include "backend/cuda/tree/sum_list.cuh"

namespace koshu {

enum { NEAR_LANES = 16, NEAR_SPLIT = WARP / NEAR_LANES, NEAR_TILE = 64 };

/* Constants of a precision. total: type of the partial sums (floats for floats,
 * as each is a sum of few others). max_i: most i-particles per lane. warps: per
 * multiprocessor, which share its registers. least2: a squared distance that is
 * below the resolution of coordinates in a leaf that fills its lengths, but
 * whose 1 / r^3 is finite; 0: none. */
template <class P> struct near_shape {
    using total = double;
    static constexpr int max_i = 5, warps = 16;
    static constexpr double least2 = 0;
};
template <> struct near_shape<fast_precision> {
    using total = float;
    static constexpr int max_i = 5, warps = 20;
    static constexpr double least2 = 1e-18;
};
template <> struct near_shape<double_precision> : near_shape<void> {
    static constexpr int warps = 12;
};
template <class P>
constexpr uint32_t near_width = NEAR_LANES *near_shape<P>::max_i;

/* NEAR_TILE j-particles or, at first, all i-particles. */
template <class P> using near_tile = typename P::quad[P::quads][near_width<P>];
static_assert(near_width<fast_precision> >= NEAR_TILE, "");

/* Sums of each lane over all tiles so far: [4 i + component][lane]. */
template <class P>
using near_totals =
        typename near_shape<P>::total[4 * near_shape<P>::max_i][WARP];

template <class P> struct near_leaf {
    const fmm_view &v;
    const softening<P> soft;
    const typename P::real own; /* 1 / r between an i-particle and itself */
    const bool owns;            /* whether its sums include the leaf itself */
    near_tile<P> &tile;
    near_totals<P> &totals;
    const unsigned lane;
    fmm_place at;
    double per_length;
    uint32_t cell, first, n; /* i-particles in work: at most near_width<P> */
};

/* A particle in double precision. */
struct near_particle {
    double x, y, z, m;
};

KOSHU_DEVICE near_particle
load_particle(const fmm_particles &p, uint32_t j)
{
    return {p.x[j], p.y[j], p.z[j], p.mass[j]};
}

KOSHU_DEVICE void
move_to_image(const fmm_view &v, uint32_t entry, near_particle *p)
{
    const double *shift = shift_of(v, entry);
    p->x += shift[0];
    p->y += shift[1];
    p->z += shift[2];
}

/* Relative to the leaf's centre, in its lengths. */
template <class P>
KOSHU_DEVICE void
put_in_tile(const near_leaf<P> &g, unsigned k, const near_particle &p)
{
    const double x = (p.x - g.at.x) * g.per_length,
                 y = (p.y - g.at.y) * g.per_length,
                 z = (p.z - g.at.z) * g.per_length, m = p.m * g.v.per_mass;
    typename P::quad q[P::quads];
    if constexpr (std::is_same<P, mixed_precision>::value) {
        q[0] = make_float4((float)x, (float)y, (float)z, (float)m);
        q[1] = make_float4((float)(x - q[0].x), (float)(y - q[0].y),
                           (float)(z - q[0].z), 0.0f);
    } else {
        P::pack(q, x, y, z, m);
    }
    for (int c = 0; c < P::quads; c++) g.tile[c][k] = q[c];
}

/* A particle far from all others, without mass. */
template <class P>
KOSHU_DEVICE void
put_padding_in_tile(const near_leaf<P> &g, unsigned k)
{
    typename P::quad q[P::quads] = {};
    q[0].x = padding_coordinate;
    q[0].y = padding_coordinate;
    for (int c = 0; c < P::quads; c++) g.tile[c][k] = q[c];
}

template <class P>
KOSHU_DEVICE typename P::point
get_from_tile(const near_tile<P> &tile, unsigned k)
{
    typename P::quad q[P::quads];
    for (int c = 0; c < P::quads; c++) q[c] = tile[c][k];
    return P::unpack(q);
}

} /* namespace koshu */

#endif
