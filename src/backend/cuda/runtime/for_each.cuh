/* SPDX-License-Identifier: MIT */
/* Kernels in which each thread works on one item. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_FOR_EACH_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_FOR_EACH_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

enum { ITEM_THREADS = 256 };

/* The number of blocks for at least this many threads. */
static inline dim3
blocks_of(size_t threads)
{
    return dim3((unsigned)((threads + ITEM_THREADS - 1) / ITEM_THREADS));
}

template <class Work>
static __global__ void
__launch_bounds__(ITEM_THREADS)
        do_each(const __grid_constant__ Work work, size_t n)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    if (k < n) work(k);
}

/* Runs work(k), a __device__ lambda, for all k < n on the device's stream. */
template <class Work>
cudaError_t
for_each(const koshu_cuda *cuda, size_t n, const Work &work)
{
    if (n == 0) return cudaSuccess;
    return launch(cuda, do_each<Work>, blocks_of(n), ITEM_THREADS, 0, work, n);
}

} /* namespace koshu */

#endif
