/* SPDX-License-Identifier: MIT */
/* A chunk of j-particles in a sum with jerk (jerk_sum.cuh): its copy to shared
 * memory, and its pairs with the i-particles of a warp. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_CHUNK_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_CHUNK_CUH

#include "backend/cuda/pairs/jerk_lane.cuh"

namespace koshu {

/* Two chunks of j-particles of one warp; one is filled while the other is
 * read. */
template <class P> struct jerk_stage {
    typename P::quad q[2][P::quads][JERK_CHUNK];
};

/* Starts the copy of a quad to shared memory; zeros if not `there`. */
template <class Quad>
KOSHU_DEVICE void
start_copy(Quad *shared, const Quad *global, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global), "r"(there ? 16 : 0)
                 : "memory");
}

/* The stage of sum_tiles() that copies chunks without using registers. */
template <class P> struct copied_chunks {
    const packed<P> &j;
    uint32_t end;
    jerk_stage<P> *stage;
    int buffer;

    __device__ __forceinline__ void start(uint32_t first) const
    {
        start(first, stage->q[0]);
    }
    __device__ __forceinline__ void advance(uint32_t next) const
    {
        start(next, stage->q[buffer ^ 1]);
    }
    /* Waits for all groups of copies but the last one. */
    __device__
            __forceinline__ const typename P::quad (*ready() const)[JERK_CHUNK]
    {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncwarp();
        return stage->q[buffer];
    }
    __device__ __forceinline__ void done()
    {
        __syncwarp();
        buffer ^= 1;
    }

  private:
    /* Starts the copy of a chunk, as one group; nothing beyond `end`. */
    __device__ __forceinline__ void
    start(uint32_t chunk, typename P::quad (*to)[JERK_CHUNK]) const
    {
        const uint32_t lane = threadIdx.x % WARP, at = chunk + lane;
        if (chunk < end)
            for (int c = 0; c < P::quads; c++)
                start_copy(&to[c][lane], &j.q[c][at < end ? at : chunk],
                           at < end);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
};

KOSHU_DEVICE float
smaller(float a, float b)
{
    return fminf(a, b);
}

KOSHU_DEVICE double
smaller(double a, double b)
{
    return a < b ? a : b;
}

/* One pair. */
template <class P, bool NEAREST, bool MASKED>
KOSHU_DEVICE void
add_jerk(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, typename P::real eps2, bool excluded,
         typename P::real *nearest_r2)
{
    using real = typename P::real;
    const typename P::vector d = P::difference(j, i);
    real r2;
    if (NEAREST) {
        r2 = P::distance2(d);
        const real found = MASKED && excluded ? (real)INFINITY : r2;
        *nearest_r2 = smaller(found, *nearest_r2);
        r2 += eps2;
    } else {
        r2 = P::r2(d, eps2);
    }
    real rinv = P::rinv(r2);
    if (MASKED && excluded) rinv = 0;
    P::add(s, d, j, i, r2, rinv);
}

/* Adds the chunk that begins at address `chunk`; only those below `end`
 * exist. */
template <bool MASKED, int UNROLL, class Lane, class Exclude>
KOSHU_DEVICE void
add_chunk(Lane *lane, typename Lane::precision::sum *s,
          const typename Lane::precision::quad (*from)[JERK_CHUNK],
          typename Lane::precision::real eps2, const Exclude &exclude,
          uint32_t chunk, uint32_t end)
{
    using P = typename Lane::precision;
    constexpr int I = Lane::I, T = Lane::T;
    constexpr bool NEAREST = Lane::NEAREST;
    typename P::real nearest_r2[I];
    for (int k = 0; k < I; k++) nearest_r2[k] = (typename P::real)INFINITY;
    const int row = Lane::row();
    uint32_t left_out[I] = {};
    if (MASKED) {
        const uint32_t there = end - chunk,
                       beyond = there < JERK_CHUNK ? ~0u << there : 0;
        for (int k = 0; k < I; k++)
            left_out[k] = beyond | exclude.mask(k, chunk, end);
    }
#pragma unroll UNROLL
    for (int m = 0; m < JERK_CHUNK; m += WARP / T) {
        typename P::quad q[P::quads];
        for (int c = 0; c < P::quads; c++) q[c] = from[c][m + row];
        const typename P::point j = P::unpack(q);
#pragma unroll
        for (int k = 0; k < I; k++) {
            const bool excluded = MASKED && (left_out[k] >> (m + row) & 1);
            add_jerk<P, NEAREST, MASKED>(&s[k], lane->i[k], j, eps2, excluded,
                                         &nearest_r2[k]);
        }
    }
    for (int k = 0; k < I && NEAREST; k++)
        if (nearest_r2[k] < lane->nearest_r2[k]) {
            lane->nearest_r2[k] = nearest_r2[k];
            lane->nearest_chunk[k] = chunk;
        }
}

} /* namespace koshu */

#endif
