/* SPDX-License-Identifier: MIT */
/* Memory that interactions use, shared by all programs of a device. */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH
#define KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH

#include "backend/cuda/runtime/buffer.cuh"
#include "backend/cuda/runtime/stream.cuh"

namespace koshu {

/* One of two lanes that chunks of the i-particles take in turn: while one is
 * summed, the next comes and the last goes. */
struct pair_lane {
    koshu::stream stream;
    buffer i, out, partial, arrived;
};

struct pair_memory {
    buffer given_j, rows_j; /* as they came; as the kernels read them */
    event j_is_there;
    pair_lane lane[2];

    cudaError_t open()
    {
        for (pair_lane &l : lane) KOSHU_CUDA_TRY(l.stream.open());
        return j_is_there.open();
    }
};

} /* namespace koshu */

#endif
