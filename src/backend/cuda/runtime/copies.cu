/* SPDX-License-Identifier: MIT */
/* Copies between pageable memory of the host and the device. */
#include "backend/cuda/runtime/copies.cuh"

#include <cstring>

#include "backend/cuda/runtime/device.cuh"

namespace koshu {

static size_t
bytes_of(const host_copy *copies, size_t n)
{
    size_t bytes = 0;
    for (size_t k = 0; k < n; k++) bytes += copies[k].bytes;
    return bytes;
}

/* The number of copies, from the first on, that are contiguous in device
 * memory. */
static size_t
contiguous_copies(const host_copy *copies, size_t n)
{
    size_t k = 1;
    const char *end = static_cast<char *>(copies->device) + copies->bytes;
    for (; k < n && copies[k].device == end; k++) end += copies[k].bytes;
    return k;
}

/* Copies between the device and staged memory, where the copies lie one after
 * another. */
static cudaError_t
copy_contiguous(koshu_cuda *cuda, const host_copy *copies, size_t n,
                char *staged, cudaMemcpyKind direction)
{
    for (size_t k = 0, count; k < n; k += count) {
        count = contiguous_copies(copies + k, n - k);
        const size_t bytes = bytes_of(copies + k, count);
        bool up = direction == cudaMemcpyHostToDevice;
        KOSHU_CUDA_TRY(cudaMemcpyAsync(up ? copies[k].device : staged,
                                       up ? staged : copies[k].device, bytes,
                                       direction, cuda->stream));
        staged += bytes;
    }
    return cudaSuccess;
}

cudaError_t
upload(koshu_cuda *cuda, const host_copy *copies, size_t n)
{
    if (pipeline::is_for(cuda, copies, n))
        return cuda->large.upload(cuda, copies, n);
    if (cudaStreamQuery(cuda->stream) == cudaSuccess) cuda->staged.begin();
    if (char *staged = cuda->staged.take(bytes_of(copies, n))) {
        char *next = staged;
        for (size_t k = 0; k < n; next += copies[k++].bytes)
            memcpy(next, copies[k].host, copies[k].bytes);
        return copy_contiguous(cuda, copies, n, staged, cudaMemcpyHostToDevice);
    }
    for (size_t k = 0; k < n; k++) /* returns when the driver has read it */
        KOSHU_CUDA_TRY(cudaMemcpyAsync(copies[k].device, copies[k].host,
                                       copies[k].bytes, cudaMemcpyHostToDevice,
                                       cuda->stream));
    return cudaSuccess;
}

cudaError_t
download(koshu_cuda *cuda, const host_copy *copies, size_t n)
{
    if (pipeline::is_for(cuda, copies, n))
        return cuda->large.download(cuda, copies, n);
    char *staged = cuda->staged.take(bytes_of(copies, n));
    if (staged)
        KOSHU_CUDA_TRY(copy_contiguous(cuda, copies, n, staged,
                                       cudaMemcpyDeviceToHost));
    else
        for (size_t k = 0; k < n; k++)
            KOSHU_CUDA_TRY(cudaMemcpyAsync(
                    copies[k].host, copies[k].device, copies[k].bytes,
                    cudaMemcpyDeviceToHost, cuda->stream));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(cuda->stream));
    for (size_t k = 0; staged && k < n; staged += copies[k++].bytes)
        memcpy(copies[k].host, staged, copies[k].bytes);
    cuda->staged.begin();
    return cudaSuccess;
}

} /* namespace koshu */
