/* SPDX-License-Identifier: MIT */
/* CUDA errors as statuses of the library. */
#include <cstdio>

#include "backend/cuda/internal.h"
#include "backend/cuda/runtime/device.cuh"

const char *
koshu_cuda_error(int error)
{
    if (error == cudaErrorNoKernelImageForDevice)
        return "koshu was compiled for other GPUs: compile it on a machine "
               "with "
               "this one, or with CUDA_ARCHITECTURES=... (README.md)";
    return cudaGetErrorString((cudaError_t)error);
}

bool
koshu_cuda_is_out_of_memory(int error)
{
    return error == cudaErrorMemoryAllocation;
}

koshu_status
koshu_cuda_check(struct koshu_context *context, int error, const char *doing)
{
    if (error == 0) return KOSHU_OK;
    return koshu_fail(context,
                      koshu_cuda_is_out_of_memory(error)
                              ? KOSHU_ERROR_OUT_OF_MEMORY
                              : KOSHU_ERROR_DEVICE,
                      "cuda: %s: %s", doing, koshu_cuda_error(error));
}

koshu_status
koshu::status_of(const koshu_cuda *cuda, cudaError_t error, const char *doing)
{
    char text[160];
    if (error == cudaSuccess) return KOSHU_OK;
    if (!cuda->one_of_several)
        return koshu_cuda_check(cuda->context, error, doing);
    snprintf(text, sizeof text, "GPU %d: %s", cuda->device, doing);
    return koshu_cuda_check(cuda->context, error, text);
}
