/* SPDX-License-Identifier: MIT */
/* Sums on one i-particle of single precision, in double by a whole block. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_SUM_DOUBLE_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_SUM_DOUBLE_CUH

#include "backend/cuda/pairs/interact.cuh"
#include "backend/cuda/pairs/result.cuh"

namespace koshu {

/* Lanes 8 c ... 8 c + 7 of a warp hold the total of component c: ax, ay, az,
 * mr. */
enum { SUM_LANES = 8 };

/* The sum over SUM_LANES adjacent lanes, in each of them. */
KOSHU_DEVICE double
sum_of_neighbours(double sum)
{
    for (int other = SUM_LANES / 2; other > 0; other /= 2)
        sum += __shfl_xor_sync(~0u, sum, other);
    return sum;
}

/* The sums over a warp. Each lane first passes on the components that it will
 * not hold. */
KOSHU_DEVICE double
sum_of_warp(const gravity_sum_f64 &s)
{
    const bool later = threadIdx.x & 16, odd = threadIdx.x & 8;
    double even_one = later ? s.az : s.ax, odd_one = later ? s.mr : s.ay;
    even_one += __shfl_xor_sync(~0u, later ? s.ax : s.az, 16);
    odd_one += __shfl_xor_sync(~0u, later ? s.ay : s.mr, 16);
    const double sum = odd ? odd_one : even_one;
    return sum_of_neighbours(sum +
                             __shfl_xor_sync(~0u, odd ? even_one : odd_one, 8));
}

/* The sums over a block of THREADS, in its first warp, in the form of
 * sum_of_warp(). */
template <int THREADS>
KOSHU_DEVICE double
sum_of_block(const gravity_sum_f64 &s)
{
    constexpr unsigned warps = THREADS / 32;
    __shared__ double of_warp[4][warps];
    const unsigned lane = threadIdx.x % 32, c = lane / SUM_LANES;
    double sum = sum_of_warp(s);
    __syncthreads(); /* all have finished with the previous sum */
    if (lane % SUM_LANES == 0) of_warp[c][threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return sum;
    sum = 0;
    for (unsigned w = lane % SUM_LANES; w < warps; w += SUM_LANES)
        sum += of_warp[c][w];
    return sum_of_neighbours(sum);
}

template <class P>
KOSHU_DEVICE double_precision::point
in_double(const typename P::quad &q)
{
    const typename P::point p = P::unpack(&q);
    return {p.x, p.y, p.z, p.m};
}

/* What a thread sums at a time: particles k, k + THREADS, ... */
template <class P, int THREADS> struct some_in_double {
    static constexpr unsigned count = 2, step = count * THREADS;
    typename P::quad q[count];

    /* Beyond the n-th, the last one is repeated. */
    __device__ __forceinline__ void
    load(const typename P::quad *from, unsigned k, unsigned n)
    {
#pragma unroll
        for (unsigned c = 0; c < count; c++)
            q[c] = from[min(k + c * THREADS, n - 1)];
        __syncwarp(); /* keeps loads from being moved to where they are used */
    }
    template <bool ZERO_SAFE>
    __device__ __forceinline__ void
    add_to(gravity_sum_f64 *sum, const double_precision::point &pi, unsigned k,
           unsigned n, unsigned left_out,
           const softening<double_precision> &soft) const
    {
#pragma unroll
        for (unsigned c = 0; c < count; c++) {
            const unsigned which = k + c * THREADS;
            double_precision::point pj = in_double<P>(q[c]);
            if (which >= n || which == left_out) pj.m = 0;
            interact<double_precision, ZERO_SAFE, false>(sum, pi, pj, soft,
                                                         false);
        }
    }
};

/* Sums the j-particles first ... end - 1, at least one and fewer than 2^31, on
 * an i-particle at `at`, leaving out the pair with `self`. The result is valid
 * in the first warp of THREADS, in the form of sum_of_warp(). */
template <class P, bool ZERO_SAFE, int THREADS>
KOSHU_DEVICE double
sum_in_double(const packed<P> &j, size_t first, size_t end,
              const typename P::quad &at, size_t self,
              const softening<double_precision> &soft)
{
    some_in_double<P, THREADS> a, b; /* one is being loaded while the other is
                                      * summed */
    constexpr unsigned step = a.step;
    const typename P::quad *const from = j.q[0] + first;
    const unsigned n = (unsigned)(end - first);
    const unsigned left_out = self - first < n ? (unsigned)(self - first) : n;
    const double_precision::point pi = in_double<P>(at);
    gravity_sum_f64 sum = {0, 0, 0, 0};
    a.load(from, threadIdx.x, n);
#pragma unroll 1
    for (unsigned done = 0; done < n; done += 2 * step) {
        const unsigned k = done + threadIdx.x;
        b.load(from, k + step, n);
        a.template add_to<ZERO_SAFE>(&sum, pi, k, n, left_out, soft);
        if (n - done <= step) break;
        a.load(from, k + 2 * step, n);
        b.template add_to<ZERO_SAFE>(&sum, pi, k + step, n, left_out, soft);
    }
    return sum_of_block<THREADS>(sum);
}

/* Called by the first warp: writes a sum in the form of sum_of_warp(). out: in
 * double precision. */
KOSHU_DEVICE void
put_sum(const force_out &out, size_t i, double sum)
{
    if (threadIdx.x % SUM_LANES == 0)
        put_result(out, threadIdx.x / SUM_LANES, i, sum);
}

} /* namespace koshu */

#endif
