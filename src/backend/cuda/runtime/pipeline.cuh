/* SPDX-License-Identifier: MIT */
/*
 * Large copies between pageable memory of the host and the device. They pass
 * through pinned memory, in parts: several threads of the host fill or empty
 * some while the device reads or writes others. (The driver does so with one
 * thread, which also is the first to touch a caller's new memory.)
 */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_PIPELINE_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_PIPELINE_CUH

#include "backend/cuda/runtime/copies.cuh"
#include "backend/cuda/runtime/stream.cuh"

namespace koshu {

class pipeline {
  public:
    /* Is this so much that several threads, if there are, gain by it? */
    static bool is_for(koshu_cuda *cuda, const host_copy *copies, size_t n);
    /* As of copies.cuh. */
    cudaError_t upload(koshu_cuda *cuda, const host_copy *copies, size_t n);
    cudaError_t download(koshu_cuda *cuda, const host_copy *copies, size_t n);

  private:
    enum { MAX_THREADS = 16, TURNS = 2 };
    struct job;
    host_buffer memory;
    event done[MAX_THREADS * TURNS]; /* the device's work on each part */

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
