/* SPDX-License-Identifier: MIT */
#include "backend/cuda/spread.cuh"

#include "backend/cuda/kernel.cuh"

using namespace koshu;

enum { SPREAD_THREADS = 256 };

static __global__ void
__launch_bounds__(SPREAD_THREADS)
        spread_quads(const uint4 *from, size_t capacity, size_t n,
                     const __grid_constant__ spread_targets to)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * SPREAD_THREADS + threadIdx.x;
    if (i >= n) return;
    const uint4 quad = from[blockIdx.y * capacity + i];
    for (size_t k = 0; k < to.n; k++)
        static_cast<uint4 *>(to.base[k])[blockIdx.y * to.capacity + i] = quad;
}

cudaError_t
koshu::spread(const koshu_cuda *cuda, const packed_memory &from, size_t n,
              size_t quads, const spread_targets &to)
{
    if (n == 0) return cudaSuccess;
    return launch(cuda, spread_quads,
                  dim3((unsigned)((n + SPREAD_THREADS - 1) / SPREAD_THREADS),
                       (unsigned)quads),
                  SPREAD_THREADS, 0, static_cast<const uint4 *>(from.base),
                  from.capacity, n, to);
}
