/* SPDX-License-Identifier: MIT */
/*
 * Copies between pageable memory of the host and the device.
 *
 * What is small goes through memory that the device reads and writes by itself:
 * the driver takes about 10 microseconds for any copy of pageable memory, and
 * waits for it. What is large goes through such memory in parts, by several
 * threads (pipeline.cuh); the driver copies the rest.
 */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_COPIES_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_COPIES_CUH

#include "backend/cuda/runtime/buffer.cuh"

struct koshu_cuda;

namespace koshu {

struct host_copy {
    void *device;
    void *host; /* only read from, in uploads */
    size_t bytes;
};

/* Where copies pass through; handed out from its beginning, until all that was
 * enqueued is done. */
class staging {
  public:
    cudaError_t open()
    {
        return memory.reserve(SIZE);
    }
    /* NULL: there is not so much left. */
    char *take(size_t bytes)
    {
        if (bytes > SIZE - used) return nullptr;
        char *taken = memory.as<char>() + used;
        used += bytes;
        return taken;
    }
    void begin()
    {
        used = 0;
    }

  private:
    static constexpr size_t SIZE = (size_t)1 << 20;
    host_buffer memory;
    size_t used = 0;
};

/* Enqueues n copies to the device; the host's memory is free on return. */
cudaError_t upload(koshu_cuda *cuda, const host_copy *copies, size_t n);

/* n copies from the device; waits for all that was enqueued before. */
cudaError_t download(koshu_cuda *cuda, const host_copy *copies, size_t n);

} /* namespace koshu */

#endif
