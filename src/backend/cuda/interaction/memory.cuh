/* SPDX-License-Identifier: MIT */
/* Memory that interactions use, shared by all programs of a device. */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH
#define KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH

#include "backend/cuda/runtime/buffer.cuh"

namespace koshu {

/* One of two lanes that chunks of the i-particles take in turn: while one is
 * summed, the next comes and the last goes. */
struct pair_lane {
    cudaStream_t stream = nullptr;
    buffer i, out, partial, arrived;
};

struct pair_memory {
    buffer given_j, rows_j; /* as they came; as the kernels read them */
    cudaEvent_t j_is_there = nullptr;
    pair_lane lane[2];

    pair_memory() = default;
    pair_memory(const pair_memory &) = delete;
    pair_memory &operator=(const pair_memory &) = delete;
    ~pair_memory()
    {
        if (j_is_there) cudaEventDestroy(j_is_there);
        for (pair_lane &l : lane)
            if (l.stream) cudaStreamDestroy(l.stream);
    }
    cudaError_t open()
    {
        if (j_is_there) return cudaSuccess;
        for (pair_lane &l : lane)
            if (!l.stream)
                KOSHU_CUDA_TRY(cudaStreamCreateWithFlags(
                        &l.stream, cudaStreamNonBlocking));
        return cudaEventCreateWithFlags(&j_is_there, cudaEventDisableTiming);
    }
};

} /* namespace koshu */

#endif
