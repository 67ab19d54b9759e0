/* SPDX-License-Identifier: MIT */
/* Host memory that the device reads and writes. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_HOST_BUFFER_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_HOST_BUFFER_CUH

#include "backend/cuda/runtime/buffer.cuh"

namespace koshu {

/* Grown like a buffer. */
class host_buffer {
  public:
    host_buffer() = default;
    host_buffer(const host_buffer &) = delete;
    host_buffer &operator=(const host_buffer &) = delete;
    ~host_buffer()
    {
        cudaFreeHost(memory);
    }
    /* What was in it is lost when it grows; nothing may be using it. */
    cudaError_t reserve(size_t bytes)
    {
        if (bytes <= size) return cudaSuccess;
        cudaFreeHost(memory);
        memory = nullptr;
        size = 0;
        KOSHU_CUDA_TRY(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
        size = bytes;
        return cudaSuccess;
    }
    template <class T> T *as() const
    {
        return static_cast<T *>(memory);
    }

  private:
    void *memory = nullptr;
    size_t size = 0;
};

} /* namespace koshu */

#endif
