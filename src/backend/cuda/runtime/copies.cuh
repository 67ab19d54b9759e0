/* SPDX-License-Identifier: MIT */
/*
 * Copies between pageable memory of the host and the device.
 *
 * Small copies go through memory that the device accesses directly: the driver
 * takes about 10 microseconds for any copy of pageable memory, and waits for
 * it. Large copies go through such memory in parts, by several threads
 * (pipeline.cuh); the driver does the rest.
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

/* Memory through which small copies pass; allocated from its start until all
 * enqueued work is done, then from the start again. */
class staging {
  public:
    cudaError_t open()
    {
        return memory.reserve(SIZE);
    }
    /* NULL: not enough is left. */
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

/* Enqueues n copies to the device; the host's memory, which must be pageable,
 * may be reused on return. */
cudaError_t upload(koshu_cuda *cuda, const host_copy *copies, size_t n);

/* Makes n copies from the device; waits for all previously enqueued work. */
cudaError_t download(koshu_cuda *cuda, const host_copy *copies, size_t n);

} /* namespace koshu */

#endif
