/* SPDX-License-Identifier: MIT */
/* Memory of the device, and memory of the host that the device accesses
 * directly. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_BUFFER_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_BUFFER_CUH

#include <cstddef>
#include <utility>

/* Returns an error to the caller. */
#define KOSHU_CUDA_TRY(...)                                       \
    do {                                                          \
        cudaError_t koshu_cuda_try = (__VA_ARGS__);               \
        if (koshu_cuda_try != cudaSuccess) return koshu_cuda_try; \
    } while (0)

namespace koshu {

/* Memory that is kept between calls, and grows. */
template <cudaError_t (*ALLOCATE)(void **, size_t), cudaError_t (*FREE)(void *)>
class grown_memory {
  public:
    grown_memory() = default;
    grown_memory(const grown_memory &) = delete;
    grown_memory &operator=(const grown_memory &) = delete;
    ~grown_memory()
    {
        FREE(memory);
    }
    /* The content is lost when it grows. */
    cudaError_t reserve(size_t bytes)
    {
        if (bytes <= size) return cudaSuccess;
        KOSHU_CUDA_TRY(release());
        cudaError_t error = ALLOCATE(&memory, bytes);
        if (error == cudaSuccess)
            size = bytes;
        else
            cudaGetLastError(); /* clears the error, lest the next launch report
                                 * it */
        return error;
    }
    cudaError_t release()
    {
        cudaError_t error = FREE(memory); /* waits for kernels that use it */
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
    void swap(grown_memory &other)
    {
        std::swap(memory, other.memory);
        std::swap(size, other.size);
    }

  private:
    void *memory = nullptr;
    size_t size = 0;
};

inline cudaError_t
allocate_on_host(void **memory, size_t bytes)
{
    return cudaHostAlloc(memory, bytes, cudaHostAllocMapped);
}

using buffer = grown_memory<cudaMalloc, cudaFree>;
using host_buffer = grown_memory<allocate_on_host, cudaFreeHost>;

} /* namespace koshu */

#endif
