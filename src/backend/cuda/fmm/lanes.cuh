/* SPDX-License-Identifier: MIT */
/* Sums of many numbers over the lanes of a warp. */
#ifndef KOSHU_BACKEND_CUDA_FMM_LANES_CUH
#define KOSHU_BACKEND_CUDA_FMM_LANES_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* Sums 2 HALF numbers over as many lanes; lane k gets the sum of w[k]. Each
 * step halves the numbers per lane and the number of lanes still to be summed
 * over. */
template <int HALF, class Real>
KOSHU_DEVICE Real
sum_by_lane(Real *w)
{
    const bool upper = threadIdx.x & HALF;
#pragma unroll
    for (int k = 0; k < HALF; k++) {
        const Real keep = upper ? w[k + HALF] : w[k];
        const Real give = upper ? w[k] : w[k + HALF];
        w[k] = keep + __shfl_xor_sync(~0u, give, HALF);
    }
    if constexpr (HALF > 1)
        return sum_by_lane<HALF / 2>(w);
    else
        return w[0];
}

/* Lane l gets, as sums[g], the sum of term 32 g + l. */
template <int TERMS, class Real>
KOSHU_DEVICE void
add_lanes(const Real *v, Real *sums)
{
#pragma unroll
    for (int group = 0; group < (TERMS + WARP - 1) / WARP; group++) {
        Real w[WARP];
#pragma unroll
        for (int k = 0; k < WARP; k++)
            w[k] = group * WARP + k < TERMS ? v[group * WARP + k] : (Real)0;
        sums[group] += sum_by_lane<WARP / 2>(w);
    }
}

/* The sum over the warp, in all lanes. */
template <class Real>
KOSHU_DEVICE Real
sum_of_lanes(Real x)
{
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    return x;
}

} /* namespace koshu */

#endif
