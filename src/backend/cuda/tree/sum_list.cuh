/* SPDX-License-Identifier: MIT */
/*
 * Sums over a list of particles or cells in shared memory. All lanes read the
 * same element at a time, and have I i-particles each.
 *
 * Positions are relative to the middle of a group, in units in which the side
 * of the tree's root is of the order of 2^24: so the fifth power of a distance
 * is in range down to 10^-7 of a unit, which is 10^-14 of the root.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_SUM_LIST_CUH
#define KOSHU_BACKEND_CUDA_TREE_SUM_LIST_CUH

#include "backend/cuda/pairs/interact.cuh"

#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/quadrupole.h"
#include "kernels/series.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

/* A list has two halves, which are filled and summed in turn. */
enum { LIST_HALF = 32, LIST_CAPACITY = 2 * LIST_HALF };

/* Position of a padding element: far from all others, without mass. */
constexpr float padding_coordinate = 0x1p50f;

/*
 * The smallest softening of cells, squared: a distance that rounding makes 0
 * counts as 10^-14 of the root. If particles have less, no cell of nonzero size
 * acts as a whole within the distance nearest_cell, so that the force is off by
 * no more than 2 parts in 10^5.
 */
constexpr float least_cell_eps2 = 1e-13f,
                nearest_cell2 = 1e5f * least_cell_eps2;

/* ---- particles ----------------------------------------------------------- */

template <class P> using point_list = typename P::quad[P::quads][LIST_CAPACITY];

/* Positions of `mixed` are a float and its rounding error: the high parts of
 * near particles have an exact difference. */
template <class P>
KOSHU_DEVICE void
put_point(point_list<P> &list, unsigned k, double x, double y, double z,
          float m)
{
    const float4 q = make_float4((float)x, (float)y, (float)z, m);
    list[0][k] = q;
    if constexpr (P::quads == 2)
        list[1][k] = make_float4((float)(x - q.x), (float)(y - q.y),
                                 (float)(z - q.z), 0.0f);
}

template <class P>
KOSHU_DEVICE typename P::point
get_point(const point_list<P> &list, unsigned k)
{
    typename P::quad q[P::quads];
    for (int c = 0; c < P::quads; c++) q[c] = list[c][k];
    return P::unpack(q);
}

/* Sums particles first ... first + count - 1; count is a multiple of UNROLL.
 * SELF: i-particle k of this lane is element self[k]. */
template <class P, bool ZERO_SAFE, bool SELF, int I, int UNROLL>
KOSHU_DEVICE void
sum_points(typename P::sum *sums, const typename P::point *at,
           const point_list<P> &list, unsigned first, unsigned count,
           const softening<P> &soft, const unsigned *self)
{
#pragma unroll 1
    for (unsigned j = first; j < first + count; j += UNROLL) {
#pragma unroll
        for (unsigned k = 0; k < UNROLL; k++) {
            const typename P::point pj = get_point<P>(list, j + k);
#pragma unroll
            for (int i = 0; i < I; i++)
                interact<P, ZERO_SAFE, SELF>(&sums[i], at[i], pj, soft,
                                             SELF && self[i] == j + k);
        }
    }
}

/* ---- cells --------------------------------------------------------------- */

/* x y z mass; xx xy xz yy; yz f c_eps2 p */
using cell_list = float4[3][LIST_CAPACITY];

KOSHU_DEVICE void
put_cell(cell_list &list, unsigned k, float x, float y, float z,
         const reduced_cell_f32 &c)
{
    list[0][k] = make_float4(x, y, z, c.mass);
    list[1][k] = make_float4(c.xx, c.xy, c.xz, c.yy);
    list[2][k] = make_float4(c.yz, c.f, c.c_eps2, c.p);
}

/* Like sum_points(). */
template <class P, int I, int UNROLL>
KOSHU_DEVICE void
sum_cells(gravity_sum_f32 *sums, const typename P::point *at,
          const cell_list &list, unsigned first, unsigned count, float eps2)
{
#pragma unroll 1
    for (unsigned j = first; j < first + count; j += UNROLL) {
#pragma unroll
        for (unsigned k = 0; k < UNROLL; k++) {
            const float4 q = list[0][j + k], r = list[1][j + k],
                         t = list[2][j + k];
            const reduced_cell_f32 c = {q.w, r.x, r.y, r.z, r.w,
                                        t.x, t.y, t.w, t.z};
#pragma unroll
            for (int i = 0; i < I; i++) {
                const float dx = q.x - at[i].x, dy = q.y - at[i].y,
                            dz = q.z - at[i].z;
                const float r2 = gravity_r2_f32(dx, dy, dz, eps2);
                quadrupole_add_reduced_f32(&sums[i], dx, dy, dz, &c,
                                           estimate(r2));
            }
        }
    }
}

} /* namespace koshu */

#endif
