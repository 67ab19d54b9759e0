/* SPDX-License-Identifier: MIT */
/* Device memory that grows. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_BUFFER_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_BUFFER_CUH

#include <cstddef>
#include <utility>

/* Hands an error to the caller. */
#define KOSHU_CUDA_TRY(...)                                       \
    do {                                                          \
        cudaError_t koshu_cuda_try = (__VA_ARGS__);               \
        if (koshu_cuda_try != cudaSuccess) return koshu_cuda_try; \
    } while (0)

namespace koshu {

/* Device memory that is kept from one call to the next, and grown. */
class buffer {
  public:
    buffer() = default;
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    ~buffer()
    {
        cudaFree(memory);
    }
    /* What was in it is lost when it grows. */
    cudaError_t reserve(size_t bytes)
    {
        if (bytes <= size) return cudaSuccess;
        KOSHU_CUDA_TRY(release());
        cudaError_t error = cudaMalloc(&memory, bytes);
        if (error == cudaSuccess)
            size = bytes;
        else
            cudaGetLastError(); /* is told here, and not by the next launch */
        return error;
    }
    cudaError_t release()
    {
        cudaError_t error =
                cudaFree(memory); /* waits for kernels that use it */
        memory = nullptr;
        size = 0;
        return error;
    }
    bool has(size_t bytes) const
    {
        return bytes <= size;
    }
    size_t bytes() const
    {
        return size;
    }
    template <class T> T *as() const
    {
        return static_cast<T *>(memory);
    }
    void swap(buffer &other)
    {
        std::swap(memory, other.memory);
        std::swap(size, other.size);
    }

  private:
    void *memory = nullptr;
    size_t size = 0;
};

} /* namespace koshu */

#endif
