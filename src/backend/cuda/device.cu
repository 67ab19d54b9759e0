/* SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cstdlib>
#include <new>

#include "backend/cuda/cuda.h"
#include "backend/cuda/device.cuh"

enum { DEVICE = 0, OLDEST_MAJOR = 8 };

int
koshu_cuda_devices(void)
{
    int count = 0, major = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess ||
        (count > 0 &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                DEVICE) != cudaSuccess)) {
        cudaGetLastError(); /* no driver, or none that works: forgotten */
        return 0;
    }
    return major >= OLDEST_MAJOR ? count : 0;
}

const char *
koshu_cuda_error(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

bool
koshu_cuda_is_out_of_memory(int error)
{
    return error == cudaErrorMemoryAllocation;
}

static cudaError_t
open_device(koshu_cuda *cuda, char *name, size_t size)
{
    const size_t most_row_bytes = (size_t)2 << 30;
    cudaDeviceProp properties;
    KOSHU_CUDA_TRY(cudaSetDevice(DEVICE));
    KOSHU_CUDA_TRY(cudaGetDeviceProperties(&properties, DEVICE));
    cuda->device = DEVICE;
    cuda->multiprocessors = (size_t)properties.multiProcessorCount;
    cuda->overlaps_launches = properties.major >= 9;
    cuda->row_bytes = properties.totalGlobalMem / 8;
    if (cuda->row_bytes > most_row_bytes) cuda->row_bytes = most_row_bytes;
    snprintf(name, size, "%s, %zu multiprocessors, %zu GiB", properties.name,
             cuda->multiprocessors, properties.totalGlobalMem >> 30);
    return cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
}

int
koshu_cuda_open(struct koshu_cuda **cuda, char *name, size_t size)
{
    *cuda = nullptr;
    void *memory = calloc(1, sizeof(koshu_cuda));
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda *opened = new (memory) koshu_cuda();
    cudaError_t error = open_device(opened, name, size);
    if (error == cudaSuccess)
        *cuda = opened;
    else
        koshu_cuda_close(opened);
    return error;
}

void
koshu_cuda_close(struct koshu_cuda *cuda)
{
    if (!cuda) return;
    if (cuda->stream) cudaStreamDestroy(cuda->stream);
    cuda->~koshu_cuda();
    free(cuda);
}
