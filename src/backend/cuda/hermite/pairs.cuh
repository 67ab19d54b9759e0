/* SPDX-License-Identifier: MIT */
/*
 * Mixed precision with positions as pairs of floats: a difference takes three
 * float additions, whereas jerk_mixed converts three doubles, which takes an
 * H100 longer than the rest of the pair formula.
 *
 * Unlike there, the unit of length may change the last bits, so it must not
 * depend on positions: block time steps with softening use 2^20 eps (like
 * box.cuh). High parts are multiples of 2^-23 of it, and positions are rounded
 * to 2^-28 eps.
 */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_PAIRS_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_PAIRS_CUH

#include "backend/cuda/pairs/jerk_precision.cuh"

namespace koshu {

struct block_pairs_point {
    float x, y, z, m, vx, vy, vz, x_low, y_low, z_low;
};

struct block_pairs : jerk_corrected<block_pairs_point> {
    static constexpr int quads = 3; /* high x y z, m; v, low x; low y z, 0 0 */

    KOSHU_DEVICE void
    pack(quad *q, const double (&x)[3], const double (&v)[3], double m)
    {
        float high[3], low[3];
        for (int c = 0; c < 3; c++) {
            high[c] = mixed_precision::high(x[c]);
            low[c] = (float)(x[c] - high[c]);
        }
        q[0] = make_float4(high[0], high[1], high[2], (float)m);
        q[1] = make_float4((float)v[0], (float)v[1], (float)v[2], low[0]);
        q[2] = make_float4(low[1], low[2], 0, 0);
    }
    KOSHU_DEVICE point unpack(const quad *q)
    {
        return {q[0].x, q[0].y, q[0].z, q[0].w, q[1].x,
                q[1].y, q[1].z, q[1].w, q[2].x, q[2].y};
    }
    KOSHU_DEVICE vector difference(const point &j, const point &i)
    {
        return {gravity_difference_f32(j.x, j.x_low, i.x, i.x_low),
                gravity_difference_f32(j.y, j.y_low, i.y, i.y_low),
                gravity_difference_f32(j.z, j.z_low, i.z, i.z_low)};
    }
};

} /* namespace koshu */

#endif
