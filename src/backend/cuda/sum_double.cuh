/* SPDX-License-Identifier: MIT */
/* One i-particle of single precision, summed in double by a whole block. */
#ifndef KOSHU_BACKEND_CUDA_SUM_DOUBLE_CUH
#define KOSHU_BACKEND_CUDA_SUM_DOUBLE_CUH

#include "backend/cuda/interact.cuh"
#include "backend/cuda/result.cuh"

namespace koshu {

KOSHU_DEVICE void
add_double(gravity_sum_f64 *to, const gravity_sum_f64 &s)
{
    to->ax += s.ax;
    to->ay += s.ay;
    to->az += s.az;
    to->mr += s.mr;
}

KOSHU_DEVICE void
add_lanes(gravity_sum_f64 *s)
{
    for (int other = 16; other > 0; other /= 2)
        add_double(s, {__shfl_xor_sync(~0u, s->ax, other),
                       __shfl_xor_sync(~0u, s->ay, other),
                       __shfl_xor_sync(~0u, s->az, other),
                       __shfl_xor_sync(~0u, s->mr, other)});
}

/* The sum over a block of THREADS, for its first warp. */
template <int THREADS>
KOSHU_DEVICE gravity_sum_f64
sum_of_block(gravity_sum_f64 s)
{
    __shared__ gravity_sum_f64 of_warp[32];
    constexpr unsigned warps = THREADS / 32;
    add_lanes(&s);
    __syncthreads(); /* all have done with the sum before */
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x >= 32) return s;
    s = threadIdx.x < warps ? of_warp[threadIdx.x]
                            : gravity_sum_f64{0, 0, 0, 0};
    add_lanes(&s);
    return s;
}

template <class P>
KOSHU_DEVICE double_precision::point
in_double(const typename P::quad &q)
{
    const typename P::point p = P::unpack(&q);
    return {p.x, p.y, p.z, p.m};
}

/* j-particles first ... end - 1 on one at `at`, the pair with `self` left out;
 * for the first of THREADS. */
template <class P, bool GUARDED, int THREADS>
KOSHU_DEVICE gravity_sum_f64
sum_in_double(const packed<P> &j, size_t first, size_t end,
              const typename P::quad &at, size_t self,
              const softening<double_precision> &soft)
{
    constexpr int at_once = 4;
    const double_precision::point pi = in_double<P>(at);
    gravity_sum_f64 sum = {0, 0, 0, 0};
#pragma unroll 1
    for (size_t k = first + threadIdx.x; k < end; k += at_once * THREADS) {
        typename P::quad q[at_once]; /* loaded before any is used */
#pragma unroll
        for (int c = 0; c < at_once; c++)
            q[c] = j.q[0][min(k + c * THREADS, end - 1)];
#pragma unroll
        for (int c = 0; c < at_once; c++) {
            const size_t which = k + c * THREADS;
            double_precision::point pj = in_double<P>(q[c]);
            if (which >= end || which == self) pj.m = 0;
            interact<double_precision, GUARDED, false>(&sum, pi, pj, soft,
                                                       false);
        }
    }
    return sum_of_block<THREADS>(sum);
}

/* out: of sums in double precision. */
KOSHU_DEVICE void
put_sum(const force_out &out, size_t i, const gravity_sum_f64 &sum)
{
    out.ax[i] = out.a_unit * sum.ax;
    out.ay[i] = out.a_unit * sum.ay;
    out.az[i] = out.a_unit * sum.az;
    if (out.potential) out.potential[i] = out.potential_unit * sum.mr;
}

} /* namespace koshu */

#endif
