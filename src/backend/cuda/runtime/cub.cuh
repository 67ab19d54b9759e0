/* SPDX-License-Identifier: MIT */
/* Device-wide functions of CUB, which work in memory of the caller. Must come
 * before anything else that includes CUB. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_CUB_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_CUB_CUH

/* No profiler ranges: they would become symbols of the library. */
#define CCCL_DISABLE_NVTX
#define NVTX_DISABLE
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "backend/cuda/runtime/buffer.cuh"

namespace koshu {

/* Calls a function of CUB twice with (memory, bytes): without memory it returns
 * the size that it needs. */
template <class Call>
cudaError_t
with_memory(buffer *memory, const Call &call)
{
    size_t bytes = 0;
    KOSHU_CUDA_TRY(call(nullptr, bytes));
    KOSHU_CUDA_TRY(memory->reserve(bytes));
    return call(memory->as<void>(), bytes);
}

} /* namespace koshu */

#endif
