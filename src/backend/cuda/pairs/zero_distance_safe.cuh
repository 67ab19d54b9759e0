/* SPDX-License-Identifier: MIT */
/* Sums with jerk in the rare cases that need checks, in double; and the search
 * for the nearest neighbour. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_ZERO_DISTANCE_SAFE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_ZERO_DISTANCE_SAFE_CUH

#include "backend/cuda/pairs/jerk_lane.cuh"

namespace koshu {

/* Is a sum of jerk_sum.cuh correct? See there. */
KOSHU_DEVICE bool
is_finite_jerk(const jerk_sum_f64 &s)
{
    return isfinite(s.ax + s.ay + s.az + s.jx + s.jy + s.jz + s.mr);
}

/* A pair in double, at any distance; for distance 0 see koshu/j_store.h. */
template <class P>
KOSHU_DEVICE void
add_jerk_zero_distance_safe(jerk_sum_f64 *s, const typename P::point &i,
                            const typename P::point &j, double eps2)
{
    const double dx = (double)j.x - i.x, dy = (double)j.y - i.y,
                 dz = (double)j.z - i.z;
    const double wx = (double)j.vx - i.vx, wy = (double)j.vy - i.vy,
                 wz = (double)j.vz - i.vz;
    const double r2 = gravity_distance2_f64(dx, dy, dz);
    if (r2 + eps2 == 0) return;
    const double rinv = 1 / sqrt(r2 + eps2);
    if (r2 > 0) {
        jerk_add_f64(s, dx, dy, dz, wx, wy, wz, j.m, rinv);
        return;
    }
    const double mr3 = j.m * rinv * (rinv * rinv);
    if (wx != 0) s->jx += mr3 * wx;
    if (wy != 0) s->jy += mr3 * wy;
    if (wz != 0) s->jz += mr3 * wz;
    s->mr += j.m * rinv;
}

/*
 * Sums the j-particles 0 ... end - 1 on one i-particle, which is the same in
 * all lanes of the warp and number k of `exclude`. All lanes return the sum,
 * still to be multiplied by jerk_unit().
 */
template <class P, class Exclude>
static __device__ __noinline__ jerk_sum_f64
sum_jerk_zero_distance_safe(const typename P::point &i, const packed<P> &j,
                            uint32_t end, double eps2, const Exclude &exclude,
                            int k)
{
    jerk_sum_f64 s = {0, 0, 0, 0, 0, 0, 0};
    for (uint32_t at = threadIdx.x % WARP; at < end; at += WARP)
        if (!exclude.is(k, at))
            add_jerk_zero_distance_safe<P>(&s, i, load_point(j, at), eps2);
    for (int c = 0; c < JERK_COMPONENTS; c++)
        for (int other = 1; other < WARP; other *= 2)
            component(s, c) += __shfl_xor_sync(~0u, component(s, c), other);
    const double a = 1 / P::a_factor;
    return {s.ax * a, s.ay * a, s.az * a,           s.jx * a,
            s.jy * a, s.jz * a, s.mr / P::mr_factor};
}

struct nearest_neighbour {
    double r2; /* infinite: there is none */
    uint32_t address;
};

/* Finds the nearest neighbour of an i-particle, the same in all lanes, among
 * the j-particles `first` ... end - 1; all lanes return it. Of equals, the
 * lowest address. */
template <class P, class Exclude>
KOSHU_DEVICE nearest_neighbour
nearest_among(const typename P::point &i, const packed<P> &j, uint32_t first,
              uint32_t end, const Exclude &exclude, int k)
{
    nearest_neighbour n = {INFINITY, first};
    for (uint32_t at = first + threadIdx.x % WARP; at < end; at += WARP) {
        const typename P::point there = load_point(j, at);
        if (exclude.is(k, at) || is_padding<P>(there)) continue;
        const typename P::vector d = P::difference(there, i);
        const double r2 = P::distance2(d);
        if (r2 < n.r2) n = {r2, at};
    }
    for (int other = 1; other < WARP; other *= 2) {
        double r2 = __shfl_xor_sync(~0u, n.r2, other);
        uint32_t address = __shfl_xor_sync(~0u, n.address, other);
        keep_nearer(&n.r2, &n.address, r2, address);
    }
    return n;
}

} /* namespace koshu */

#endif
