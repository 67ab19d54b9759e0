/* SPDX-License-Identifier: MIT */
/* Streams and events that are destroyed with their owner. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_STREAM_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_STREAM_CUH

#include <cuda_runtime.h>

namespace koshu {

/* A handle that is NULL until it is opened. */
template <class Handle, cudaError_t (*DESTROY)(Handle)> class owned {
  public:
    owned() = default;
    owned(const owned &) = delete;
    owned &operator=(const owned &) = delete;
    ~owned()
    {
        if (handle) DESTROY(handle);
    }
    operator Handle() const
    {
        return handle;
    }
    void swap(owned &other)
    {
        const Handle own = handle;
        handle = other.handle;
        other.handle = own;
    }

  protected:
    Handle handle = nullptr;
};

struct stream : owned<cudaStream_t, cudaStreamDestroy> {
    cudaError_t open()
    {
        if (handle) return cudaSuccess;
        return cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking);
    }
    /* Its blocks start before those of other streams. */
    cudaError_t open_urgent()
    {
        int lowest = 0, highest = 0;
        if (handle) return cudaSuccess;
        const cudaError_t error =
                cudaDeviceGetStreamPriorityRange(&lowest, &highest);
        if (error != cudaSuccess) return error;
        return cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking,
                                            highest);
    }
};

/* Without timing by default. */
struct event : owned<cudaEvent_t, cudaEventDestroy> {
    cudaError_t open(unsigned flags = cudaEventDisableTiming)
    {
        if (handle) return cudaSuccess;
        return cudaEventCreateWithFlags(&handle, flags);
    }
};

} /* namespace koshu */

#endif
