/* SPDX-License-Identifier: MIT */
/* A lane's data in a sum with jerk (jerk_sum.cuh), and the exclusion of
 * j-particles. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_LANE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_LANE_CUH

#include <cmath>
#include <cstdint>

#include "backend/cuda/pairs/components.cuh"
#include "backend/cuda/pairs/jerk_precision.cuh"

namespace koshu {

enum { JERK_CHUNK = WARP };

/*
 * A lane with I i-particles. After sum_jerk() all lanes with the same
 * i-particle have the same total. Nearest: the smallest unsoftened r2, and the
 * first chunk that has a j-particle at that distance (by the address of its
 * first one).
 */
template <class P, int T_, int I_, bool NEAREST_> struct jerk_lane {
    static constexpr int T = T_, I = I_;
    static constexpr bool NEAREST = NEAREST_;
    using precision = P;

    typename P::point i[I];
    jerk_sum_f64 total[I];
    typename P::real nearest_r2[NEAREST ? I : 1];
    uint32_t nearest_chunk[NEAREST ? I : 1];

    /* This lane's i-particles are T k + column(). */
    KOSHU_DEVICE int column()
    {
        return (int)(threadIdx.x % WARP) % T;
    }
    /* This lane's j-particles of a chunk are row(), row() + WARP / T ... */
    KOSHU_DEVICE int row()
    {
        return (int)(threadIdx.x % WARP) / T;
    }
    __device__ __forceinline__ void begin()
    {
        for (int k = 0; k < I && NEAREST; k++) {
            nearest_r2[k] = INFINITY;
            nearest_chunk[k] = 0;
        }
    }
};

/* Keeps the nearer of (r2, address) and another; of equals the lower
 * address. */
template <class Real, class Address>
KOSHU_DEVICE void
keep_nearer(Real *r2, Address *address, Real other_r2, Address other)
{
    if (other_r2 < *r2 || (other_r2 == *r2 && other < *address)) {
        *r2 = other_r2;
        *address = other;
    }
}

/*
 * An exclusion policy has three functions: may(k, chunk): may i-particle k have
 * to leave out a j-particle of the chunk that begins at this address? mask(k,
 * chunk, end): one bit for each j-particle below `end` that it must leave out.
 * is(k, j): must it leave out j-particle j? Pairs are only checked in chunks
 * for which some lane's may() is true.
 */

/* A lane has one i-particle, which is this j-particle. */
struct exclude_own {
    uint32_t own[1];

    __device__ __forceinline__ bool may(int k, uint32_t chunk) const
    {
        return own[k] - chunk < JERK_CHUNK;
    }
    __device__ __forceinline__ uint32_t mask(int k, uint32_t chunk,
                                             uint32_t) const
    {
        return may(k, chunk) ? 1u << (own[k] - chunk) : 0;
    }
    __device__ __forceinline__ bool is(int k, uint32_t j) const
    {
        return own[k] == j;
    }
};

} /* namespace koshu */

#endif
