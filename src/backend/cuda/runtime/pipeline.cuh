/* SPDX-License-Identifier: MIT */
/*
 * Large copies between pageable memory of the host and the device. They pass
 * through pinned memory in parts: several threads of the host fill or empty
 * some parts while the device reads or writes others. (The driver does this
 * with a single thread, which also is the first to touch new memory of the
 * caller.)
 */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_PIPELINE_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_PIPELINE_CUH

#include "backend/cuda/runtime/copies.cuh"
#include "backend/cuda/runtime/stream.cuh"

namespace koshu {

class pipeline {
  public:
    /* Are the copies so large that several threads, if there are, are
     * faster? */
    static bool is_for(koshu_cuda *cuda, const host_copy *copies, size_t n);
    /* As in copies.cuh. */
    cudaError_t upload(koshu_cuda *cuda, const host_copy *copies, size_t n);
    cudaError_t download(koshu_cuda *cuda, const host_copy *copies, size_t n);

  private:
    enum { MAX_THREADS = 16, TURNS = 2 };
    struct job;
    host_buffer memory;
    event done[MAX_THREADS * TURNS]; /* the device has finished each part */

    cudaError_t open();
    cudaError_t
    copy(koshu_cuda *cuda, const host_copy *copies, size_t n, bool up);
    cudaError_t run(const job &j);
    cudaError_t do_own(const job &j, size_t thread);
    cudaError_t start(const job &j, size_t part, size_t place);
    cudaError_t finish(const job &j, size_t part, size_t place);
    char *at(size_t place) const;
};

} /* namespace koshu */

#endif
