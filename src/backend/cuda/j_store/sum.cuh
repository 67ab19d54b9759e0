/* SPDX-License-Identifier: MIT */
/*
 * Sums of the predicted j-particles on the i-particles: the first of two
 * stages.
 *
 * A block has one group of i-particles and one slice of the j-particles, which
 * its warps divide, so that even a single i-particle keeps all multiprocessors
 * busy (Belleman08 section 3.2, with the reduction on the device). The second
 * stage is in last_step.cuh.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_SUM_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_SUM_CUH

#include "backend/cuda/j_store/predict.cuh"
#include "backend/cuda/pairs/jerk_sum.cuh"
#include "backend/cuda/pairs/jerk_rows.cuh"

namespace koshu {

/* T i-particles across the lanes of a warp, I in each lane; W warps per block,
 * at least B blocks per multiprocessor. */
template <int T_, int I_, int W_, int FLUSH_, int UNROLL_, int B_>
struct j_shape {
    static constexpr int T = T_, I = I_, W = W_, FLUSH = FLUSH_,
                         UNROLL = UNROLL_, B = B_;
    static constexpr int width = T * I;
};

template <class P> struct j_sum_args {
    j_packed<P> j;
    i_packed<P> i;
    uint32_t n_j, n_i;
    uint32_t slices, span; /* j-particles per slice */
    typename P::real eps2;
    double *partial; /* [group][slice][row][width] */
};

/* Excludes pairs of equal ids. */
template <class P, int T, int I> struct exclude_ids {
    uint32_t own[I];
    const int64_t *id_j, *id_i; /* of the lane's first i-particle */

    __device__ __forceinline__ bool may(int k, uint32_t chunk) const
    {
        return own[k] - chunk < JERK_CHUNK || own[k] == SEVERAL_OWN;
    }
    __device__ __forceinline__ uint32_t mask(int k, uint32_t chunk,
                                             uint32_t end) const
    {
        if (own[k] - chunk < JERK_CHUNK) return 1u << (own[k] - chunk);
        if (own[k] != SEVERAL_OWN) return 0;
        uint32_t found = 0;
        for (uint32_t m = 0; m < JERK_CHUNK && chunk + m < end; m++)
            found |= (uint32_t)(id_j[chunk + m] == id_i[T * k]) << m;
        return found;
    }
    __device__ __forceinline__ bool is(int k, uint32_t j) const
    {
        return own[k] == j || (own[k] == SEVERAL_OWN && id_j[j] == id_i[T * k]);
    }
};

/* Are the sums in double kept in shared memory? */
template <class P, class S>
constexpr bool keeps_shared = in_float<P> &&S::T == WARP;

template <class P, class S, bool NEAREST, bool = keeps_shared<P, S>>
struct j_sum_shared {
    jerk_stage<P> stage[S::W];
    double part[S::W][jerk_rows<NEAREST>][S::width];
};
template <class P, class S, bool NEAREST>
struct j_sum_shared<P, S, NEAREST, false> {
    union { /* used one after the other */
        jerk_stage<P> stage[S::W];
        double part[S::W][jerk_rows<NEAREST>][S::width];
    };
};

template <class P, class Lane, class Exclude>
KOSHU_DEVICE void
load_group(Lane *lane, Exclude *exclude, const j_sum_args<P> &a, uint32_t first)
{
    const uint32_t mine = first + Lane::column();
    exclude->id_j = a.j.id;
    exclude->id_i = a.i.id + mine;
    for (int k = 0; k < Lane::I; k++) {
        const uint32_t i = mine + Lane::T * k;
        const bool there = i < a.n_i;
        lane->i[k] = load_point(a.i.points, there ? i : first);
        exclude->own[k] = there ? a.i.own[i] : (uint32_t)NO_OWN;
    }
}

/* Stores the nearest neighbours that the warp has found in its part of shared
 * memory. */
template <class Lane, int WIDTH>
KOSHU_DEVICE void
store_nearest(double (*to)[WIDTH], const Lane &lane)
{
    if (Lane::row() > 0) return;
    for (int k = 0; k < Lane::I && Lane::NEAREST; k++) {
        const int r = Lane::T * k + Lane::column();
        to[ROW_NEAREST_R2][r] = lane.nearest_r2[k];
        to[ROW_NEAREST_FIRST][r] = lane.nearest_chunk[k];
    }
}

/* Sums the warp's part of the slice into its part of shared memory. Warps
 * alternate between chunks: those with i-particles in them take longer, and may
 * be adjacent. */
template <class S, class Shared, class Lane, class Exclude, class P>
KOSHU_DEVICE void
sum_partition(Shared *shared, Lane *lane, const Exclude &exclude,
              const j_sum_args<P> &a, uint32_t slice)
{
    constexpr uint32_t stride = S::W * JERK_CHUNK;
    const int warp = threadIdx.x / WARP;
    const uint32_t first = slice * a.span + warp * JERK_CHUNK,
                   end = min((slice + 1) * a.span, a.n_j);
    auto &part = shared->part[warp];
    if constexpr (keeps_shared<P, S>) {
        const totals_in_shared<S::width> totals = {part};
        sum_jerk_to<S::FLUSH, S::UNROLL>(totals, lane, a.j.points, first, end,
                                         a.eps2, exclude, &shared->stage[warp],
                                         stride);
    } else {
        sum_jerk<S::FLUSH, S::UNROLL>(lane, a.j.points, first, end, a.eps2,
                                      exclude, &shared->stage[warp], stride);
        __syncthreads(); /* all have finished with the stages */
        store_totals(part, *lane);
    }
    store_nearest(part, *lane);
    __syncthreads();
}

template <class P, class S, bool NEAREST>
__global__ void
__launch_bounds__(S::W *WARP, S::B)
        sum_slices(const __grid_constant__ j_sum_args<P> a)
{
    constexpr int rows = jerk_rows<NEAREST>, width = S::width;
    __shared__ j_sum_shared<P, S, NEAREST> shared;
    wait_for_previous_kernel();
    const uint32_t group = blockIdx.x / a.slices, slice = blockIdx.x % a.slices;
    jerk_lane<P, S::T, S::I, NEAREST> lane;
    exclude_ids<P, S::T, S::I> exclude;
    load_group(&lane, &exclude, a, group * width);
    sum_partition<S>(&shared, &lane, exclude, a, slice);
    double *to = a.partial + (size_t)blockIdx.x * rows * width;
    for (int k = threadIdx.x; k < JERK_COMPONENTS * width; k += S::W * WARP) {
        double sum = 0;
        for (int w = 0; w < S::W; w++) sum += (&shared.part[w][0][0])[k];
        to[k] = sum;
    }
    for (int r = threadIdx.x; r < width && NEAREST; r += S::W * WARP) {
        double r2 = INFINITY, chunk = 0;
        for (int w = 0; w < S::W; w++)
            keep_nearer(&r2, &chunk, shared.part[w][rows - 2][r],
                        shared.part[w][rows - 1][r]);
        to[(rows - 2) * width + r] = r2;
        to[(rows - 1) * width + r] = chunk;
    }
}

} /* namespace koshu */

#endif
