/* SPDX-License-Identifier: MIT */
/* CUDA errors as statuses of the library. */
#include <cstdio>

#include "backend/cuda/runtime/device.cuh"

/* The words of a CUDA error: "out of memory". */
static const char *
words_of(cudaError_t error)
{
    if (error == cudaErrorNoKernelImageForDevice)
        return "koshu was compiled for other GPUs: compile it on a machine "
               "with "
               "this one, or with CUDA_ARCHITECTURES=... (README.md)";
    return cudaGetErrorString(error);
}

koshu_status
koshu::status_of(const koshu_cuda *cuda, cudaError_t error, const char *doing)
{
    char which[16] = "";
    if (error == cudaSuccess) return KOSHU_OK;
    if (cuda->one_of_several)
        snprintf(which, sizeof which, "GPU %d: ", cuda->device);
    return koshu_fail(cuda->context,
                      error == cudaErrorMemoryAllocation
                              ? KOSHU_ERROR_OUT_OF_MEMORY
                              : KOSHU_ERROR_DEVICE,
                      "cuda: %s%s: %s", which, doing, words_of(error));
}
