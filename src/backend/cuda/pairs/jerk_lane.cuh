/* SPDX-License-Identifier: MIT */
/* What a lane of a warp has of a sum with jerk (jerk_sum.cuh), and which
 * j-particles its i-particles leave out. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_LANE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_LANE_CUH

#include <cmath>
#include <cstdint>

#include "backend/cuda/pairs/components.cuh"
#include "backend/cuda/pairs/jerk_precision.cuh"

namespace koshu {

enum { JERK_CHUNK = WARP };

/*
 * Of I i-particles. After sum_jerk() all lanes that hold an i-particle have
 * the same total. Nearest: the smallest unsoftened r2, and the first chunk
 * that has a j-particle there (by the address of its first).
 */
template <class P, int T_, int I_, bool NEAREST_> struct jerk_lane {
    static constexpr int T = T_, I = I_;
    static constexpr bool NEAREST = NEAREST_;
    using precision = P;

    typename P::point i[I];
    jerk_sum_f64 total[I];
    typename P::real nearest_r2[NEAREST ? I : 1];
    uint32_t nearest_chunk[NEAREST ? I : 1];

    /* Which i-particles: those of this lane are T k + column(). */
    KOSHU_DEVICE int column()
    {
        return (int)(threadIdx.x % WARP) % T;
    }
    /* Which j-particles of a chunk: row(), row() + WARP / T ... */
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

/* Of (r2, address) and another, the nearer; of equal ones the lower. */
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
 * A policy has three functions: may(k, chunk), whether i-particle k may have to
 * leave out a j-particle of the chunk that begins at this address; mask(k,
 * chunk, end), a bit for each that it must leave out, of those below `end`; and
 * is(k, j), whether it must leave out this one. Only chunks where some lane
 * says "may" are summed with a question for each pair.
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
