/* SPDX-License-Identifier: MIT */
/* The number of a kernel's blocks that fit on a multiprocessor. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_OCCUPANCY_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_OCCUPANCY_CUH

#include "backend/cuda/runtime/device.cuh"

namespace koshu {

template <class... Parameters>
static cudaError_t
occupancy(void (*kernel)(Parameters...), int threads, size_t shared,
          koshu_force_shape *shape)
{
    int blocks = 0;
    if (shared > 0)
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)shared));
    KOSHU_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, threads, shared));
    shape->at_once = (size_t)blocks;
    return cudaSuccess;
}

} /* namespace koshu */

#endif
