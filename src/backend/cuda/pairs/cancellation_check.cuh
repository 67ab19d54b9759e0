/* SPDX-License-Identifier: MIT */
/*
 * Recomputes forces that cancel (cancellation.cuh) within direct(): its warps
 * sample while they wait for their first j-particles, and the CUDA block that
 * has all sums of its i-particles checks them. For few particles a separate
 * kernel would take a good part of the time.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_CANCELLATION_CHECK_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_CANCELLATION_CHECK_CUH

#include "backend/cuda/pairs/cancellation.cuh"
#include "backend/cuda/pairs/sum_double.cuh"

namespace koshu {

/* For WIDTH i-particles in a block of WARPS warps. */
template <int WIDTH, int WARPS> struct cancellation_memory {
    static_assert(SAMPLES % WARPS == 0, "samples are distributed");
    cancellation_sample sampled[WARPS][WIDTH];
    double least[WIDTH];    /* smaller forces nearly cancel */
    double force[3][WIDTH]; /* as summed */
};
struct no_cancellation_memory {};

/* n particles on each other; n = 0: nothing is checked. */
template <class P> struct cancellation_args {
    packed<P> particles;
    size_t n;
    softening<P> soft;
    softening<double_precision> double_soft;
    double part;   /* cancellation_part(), in units of the sums */
    force_out out; /* the results, in double precision */
};

/* Called by each warp for all i-particles: pi are those of its lanes. */
template <class P, int WIDTH, int WARPS>
KOSHU_DEVICE void
take_samples(const cancellation_args<P> &a, const typename P::point *pi,
             cancellation_memory<WIDTH, WARPS> *memory)
{
    constexpr unsigned each = SAMPLES / WARPS;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned k = 0; k < WIDTH / 32; k++)
        memory->sampled[warp][k * 32 + lane] = sample<P, each>(
                a.particles, a.soft, 0, a.n, warp * each, pi[k]);
}

/* Combines the samples of all warps. The last threads do it, because the first
 * still have sums to write. */
template <class P, int WIDTH, int WARPS>
KOSHU_DEVICE void
find_least(const cancellation_args<P> &a,
           cancellation_memory<WIDTH, WARPS> *memory)
{
    constexpr unsigned threads = 32 * WARPS;
#pragma unroll 1
    for (unsigned t = threads - 1 - threadIdx.x; t < WIDTH; t += threads) {
        cancellation_sample all = memory->sampled[0][t];
#pragma unroll
        for (unsigned w = 1; w < WARPS; w++) all.add(memory->sampled[w][t]);
        memory->least[t] = a.part * (all.sum - all.largest);
    }
}

/* Called by the block that has written all results of its i-particles, from
 * i_first on. */
template <class P, bool ZERO_SAFE, int WIDTH, int WARPS>
KOSHU_DEVICE void
recompute_cancellations(const cancellation_args<P> &a, size_t i_first,
                        unsigned i_count,
                        cancellation_memory<WIDTH, WARPS> *memory)
{
    find_least(a, memory);
    __syncthreads();
#pragma unroll 1
    for (unsigned first = 0; first < WIDTH; first += 32) {
        const unsigned r = first + threadIdx.x % 32;
        const double force = fabs(memory->force[0][r]) +
                             fabs(memory->force[1][r]) +
                             fabs(memory->force[2][r]);
        unsigned left =
                __ballot_sync(~0u, r < i_count && force < memory->least[r]);
#pragma unroll 1
        for (; left; left &= left - 1) { /* the same in all warps */
            const size_t i = i_first + first + (unsigned)__ffs((int)left) - 1;
            const double sum = sum_in_double<P, ZERO_SAFE, 32 * WARPS>(
                    a.particles, 0, a.n, a.particles.q[0][i], i, a.double_soft);
            if (threadIdx.x < 32) put_sum(a.out, i, sum);
        }
    }
}

} /* namespace koshu */

#endif
