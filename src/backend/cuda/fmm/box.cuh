/* SPDX-License-Identifier: MIT */
/* The FMM in a periodic box: what its files share. */
#ifndef KOSHU_BACKEND_CUDA_FMM_BOX_CUH
#define KOSHU_BACKEND_CUDA_FMM_BOX_CUH

#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

/* The expansions in the other precision, floats or doubles. */
struct other_rows {
    void *numbers;
    bool in_double;

    __device__ double get(size_t at) const
    {
        return in_double ? static_cast<double *>(numbers)[at]
                         : (double)static_cast<float *>(numbers)[at];
    }
    __device__ void put(size_t at, double x) const
    {
        if (in_double)
            static_cast<double *>(numbers)[at] = x;
        else
            static_cast<float *>(numbers)[at] = (float)x;
    }
};

static inline other_rows
others_of(const fmm_step &s, void *numbers)
{
    return {numbers, s.real == sizeof(double)};
}

/* Two sums over a block of ITEM_THREADS, returned in all its threads. */
KOSHU_DEVICE void
sum_block(double *charge, double *second)
{
    __shared__ double of[2][ITEM_THREADS];
    of[0][threadIdx.x] = *charge;
    of[1][threadIdx.x] = *second;
    for (unsigned half = ITEM_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (auto &row : of) row[threadIdx.x] += row[threadIdx.x + half];
    }
    __syncthreads();
    *charge = of[0][0];
    *second = of[1][0];
}

} /* namespace koshu */

#endif
