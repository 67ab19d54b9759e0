/* SPDX-License-Identifier: MIT */
/* What launches, waits and copies cost: nothing is computed. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/device.cuh"

enum { COST_THREADS = 256 };

static __global__ void
__launch_bounds__(COST_THREADS) nothing(int)
{
}

static cudaError_t
launch_nothing(koshu_cuda *cuda, size_t blocks)
{
    return koshu::launch(cuda, nothing, dim3((unsigned)blocks), COST_THREADS, 0,
                         0);
}

static cudaError_t
launches(koshu_cuda *cuda, size_t n, bool wait_for_each)
{
    for (size_t k = 0; k < n; k++) {
        KOSHU_CUDA_TRY(launch_nothing(cuda, 1));
        if (wait_for_each) KOSHU_CUDA_TRY(cudaStreamSynchronize(cuda->stream));
    }
    return cudaStreamSynchronize(cuda->stream);
}

static cudaError_t
waits(koshu_cuda *cuda, size_t n)
{
    for (size_t k = 0; k < n; k++)
        KOSHU_CUDA_TRY(cudaStreamSynchronize(cuda->stream));
    return cudaSuccess;
}

static cudaError_t
copy(koshu_cuda *cuda, size_t bytes, void *host, cudaMemcpyKind direction)
{
    bool up = direction == cudaMemcpyHostToDevice;
    KOSHU_CUDA_TRY(cuda->batch_packed_i.reserve(bytes));
    void *device = cuda->batch_packed_i.as<void>();
    KOSHU_CUDA_TRY(cudaMemcpyAsync(up ? device : host, up ? host : device,
                                   bytes, direction, cuda->stream));
    return cudaStreamSynchronize(cuda->stream);
}

int
koshu_cuda_cost(struct koshu_cuda *cuda, enum koshu_cost what, size_t n,
                void *host)
{
    switch (what) {
    case KOSHU_COST_WAIT: return waits(cuda, n);
    case KOSHU_COST_LAUNCH: return launches(cuda, n, false);
    case KOSHU_COST_LAUNCH_WAIT: return launches(cuda, n, true);
    case KOSHU_COST_BLOCKS:
        KOSHU_CUDA_TRY(launch_nothing(cuda, n));
        return cudaStreamSynchronize(cuda->stream);
    case KOSHU_COST_TO_DEVICE:
        return copy(cuda, n, host, cudaMemcpyHostToDevice);
    case KOSHU_COST_FROM_DEVICE:
        return copy(cuda, n, host, cudaMemcpyDeviceToHost);
    case KOSHU_COST_BETWEEN: break;
    }
    return cudaErrorInvalidValue;
}
