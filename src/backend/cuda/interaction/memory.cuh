/* SPDX-License-Identifier: MIT */
/* Memory of interactions, common to all programs of a device. */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH
#define KOSHU_BACKEND_CUDA_INTERACTION_MEMORY_CUH

#include "backend/cuda/runtime/buffer.cuh"
#include "backend/cuda/runtime/stream.cuh"

namespace koshu {

/* One of two streams that the chunks of i-particles alternate between: while
 * one chunk is summed, the next and the previous one are copied. */
struct pair_lane {
    koshu::stream stream;
    buffer i, out, partial, arrived;
};

struct pair_memory {
    buffer given_j, rows_j; /* as passed by the caller; in the form that the
                             * kernels read */
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
