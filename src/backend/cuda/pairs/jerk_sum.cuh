/* SPDX-License-Identifier: MIT */
/*
 * Acceleration, jerk, potential and nearest neighbour: the sum of a warp
 * (Belleman08 section 3; formula in kernels/jerk.h).
 *
 * A warp holds T * I i-particles in registers, I in each lane; lanes t, T + t,
 * 2 T + t ... hold the same ones and divide the j-particles among them, so that
 * no lanes are idle if there are few i-particles. The warp reads the
 * j-particles of a range in chunks of 32 through its own shared memory, and
 * copies the next chunk while the current one is summed: warps never wait for
 * each other, and any warp may do any part of any sum. Partial sums are added
 * up in double (Hamada07 eq. 2).
 *
 * One part, by all lanes of a warp:
 *
 *     __shared__ jerk_stage<P> stage[WARPS];
 *     jerk_lane<P, T, I, NEAREST> lane;
 *     lane.i[k] = load_point(i, index of T k + lane.column()), k < I
 *     sum_jerk<FLUSH, UNROLL>(&lane, j, first, end, eps2, exclude,
 *                             &stage[warp]);
 *     lane.total[k], times jerk_unit(), is the sum on it
 *
 * The inner loop has no checks. A sum with a pair at (nearly) zero distance, or
 * one that overflows a float, is infinite or NaN: is_finite_jerk() detects it,
 * and sum_jerk_zero_distance_safe() recomputes it (zero_distance_safe.cuh). (A
 * finite sum is correct: an infinite 1 / r makes mr infinite or NaN, an
 * infinite m / r^3 does it to a component of a.)
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_SUM_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_SUM_CUH

#include "backend/cuda/pairs/jerk_chunk.cuh"
#include "backend/cuda/pairs/tiles.cuh"

namespace koshu {

/* Where sums in double are kept: in the lane, */
struct totals_in_lane {
    template <class Lane> KOSHU_DEVICE void begin(Lane *lane)
    {
        for (jerk_sum_f64 &t : lane->total) t = {};
    }
    template <class Lane, class Sum>
    KOSHU_DEVICE void add(Lane *lane, int k, const Sum &s)
    {
        add_components(&lane->total[k], s);
    }
};

/* or in shared memory: [JERK_COMPONENTS][WIDTH] for the i-particles T k +
 * column() of a warp, where T is all lanes. That leaves registers for more
 * warps. */
template <int WIDTH> struct totals_in_shared {
    double (*of)[WIDTH];

    template <class Lane> __device__ __forceinline__ void begin(Lane *) const
    {
        for (int c = 0; c < JERK_COMPONENTS; c++)
            for (int k = Lane::column(); k < WIDTH; k += WARP) of[c][k] = 0;
    }
    template <class Lane, class Sum>
    __device__ __forceinline__ void add(Lane *, int k, const Sum &s) const
    {
        static_assert(Lane::T == WARP && Lane::I * WARP == WIDTH,
                      "an i-particle has one lane");
        const double sums[JERK_COMPONENTS] = {s.ax, s.ay, s.az, s.jx,
                                              s.jy, s.jz, s.mr};
        for (int c = 0; c < JERK_COMPONENTS; c++)
            of[c][WARP * k + Lane::column()] += sums[c];
    }
};

template <class Lane, class Sum, class Totals>
KOSHU_DEVICE void
flush_jerk(Lane *lane, Sum *s, const Totals &totals)
{
    for (int k = 0; k < Lane::I; k++) {
        totals.add(lane, k, s[k]);
        s[k] = {0, 0, 0, 0, 0, 0, 0};
    }
}

/* Adds up the lanes that have the same i-particle. */
template <class Lane>
KOSHU_DEVICE void
join_rows(Lane *lane)
{
    for (int k = 0; k < Lane::I; k++)
        for (int other = Lane::T; other < WARP; other *= 2) {
            for (int c = 0; c < JERK_COMPONENTS; c++) {
                double &x = component(lane->total[k], c);
                x += __shfl_xor_sync(~0u, x, other);
            }
            if (!Lane::NEAREST) continue;
            keep_nearer(&lane->nearest_r2[k], &lane->nearest_chunk[k],
                        __shfl_xor_sync(~0u, lane->nearest_r2[k], other),
                        __shfl_xor_sync(~0u, lane->nearest_chunk[k], other));
        }
}

/* The operation of sum_tiles() on chunks. */
template <int FLUSH, int UNROLL, class Lane, class Exclude, class Totals>
struct jerk_chunks {
    using P = typename Lane::precision;
    Lane *lane;
    const Exclude &exclude;
    const Totals &totals;
    typename P::real eps2;
    uint32_t end;
    int unflushed;
    typename P::sum *s; /* [I] */

    __device__ __forceinline__ bool masks(uint32_t chunk) const
    {
        bool may = end - chunk < JERK_CHUNK;
        for (int k = 0; k < Lane::I; k++) may |= exclude.may(k, chunk);
        return __any_sync(~0u, may);
    }
    template <bool MASKED>
    __device__ __forceinline__ void
    add(const typename P::quad (*from)[JERK_CHUNK], uint32_t chunk)
    {
        add_chunk<MASKED, MASKED ? 2 : UNROLL>(lane, s, from, eps2, exclude,
                                               chunk, end);
    }
    __device__ __forceinline__ void flush()
    {
        if (!in_float<P> || ++unflushed < FLUSH) return;
        flush_jerk(lane, s, totals);
        unflushed = 0;
    }
};

/*
 * Sums the j-particles first ... end - 1 on the i-particles of the warp, which
 * are in lane->i. Writes *totals, and the rest of *lane, which covers only its
 * own part of the j-particles. `first` is a multiple of JERK_CHUNK. stride:
 * distance between chunks, for warps that take turns. FLUSH: number of chunks
 * after which sums are added up in double.
 */
template <int FLUSH, int UNROLL, class Lane, class Exclude, class Totals>
KOSHU_DEVICE void
sum_jerk_to(const Totals &totals, Lane *lane,
            const packed<typename Lane::precision> &j, uint32_t first,
            uint32_t end, typename Lane::precision::real eps2,
            const Exclude &exclude, jerk_stage<typename Lane::precision> *stage,
            uint32_t stride)
{
    typename Lane::precision::sum s[Lane::I];
    for (int k = 0; k < Lane::I; k++) s[k] = {0, 0, 0, 0, 0, 0, 0};
    jerk_chunks<FLUSH, UNROLL, Lane, Exclude, Totals> sum = {
            lane, exclude, totals, eps2, end, 0, s};
    copied_chunks<typename Lane::precision> chunks = {j, end, stage, 0};
    lane->begin();
    totals.begin(lane);
    chunks.start(first);
    sum_tiles(&chunks, &sum, first, end, stride);
    flush_jerk(lane, s, totals);
}

/* The same, with the sums in lane->total; lanes with the same i-particles have
 * the same totals. */
template <int FLUSH, int UNROLL, class Lane, class Exclude>
KOSHU_DEVICE void
sum_jerk(Lane *lane, const packed<typename Lane::precision> &j, uint32_t first,
         uint32_t end, typename Lane::precision::real eps2,
         const Exclude &exclude, jerk_stage<typename Lane::precision> *stage,
         uint32_t stride)
{
    sum_jerk_to<FLUSH, UNROLL>(totals_in_lane(), lane, j, first, end, eps2,
                               exclude, stage, stride);
    join_rows(lane);
}

/* Stores the sums of a warp's i-particles in its part of shared memory. */
template <class Lane, int WIDTH>
KOSHU_DEVICE void
store_totals(double (*to)[WIDTH], const Lane &lane)
{
    if (Lane::row() > 0) return;
    for (int k = 0; k < Lane::I; k++)
        for (int c = 0; c < JERK_COMPONENTS; c++)
            to[c][Lane::T * k + Lane::column()] = component(lane.total[k], c);
}

} /* namespace koshu */

#endif
