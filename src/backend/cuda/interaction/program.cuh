/* SPDX-License-Identifier: MIT */
/* A user-defined interaction that is loaded on a device. */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_PROGRAM_CUH
#define KOSHU_BACKEND_CUDA_INTERACTION_PROGRAM_CUH

#include "backend/cuda/interaction/driver.h"
#include "backend/cuda/interaction/interaction.h"
#include "backend/cuda/runtime/device.cuh"

namespace koshu {

/* A kernel, and the number of its blocks per multiprocessor at a time. */
struct pair_kernel {
    koshu_pair_shape shape;
    CUfunction function;
    size_t at_once, step;

    size_t width() const
    {
        return (size_t)shape.per_thread * WARP;
    }
    unsigned threads() const
    {
        return (unsigned)shape.warps * WARP;
    }
};

/* Error numbers of the driver and of the runtime have the same meaning. */
static inline cudaError_t
of_driver(CUresult result)
{
    return static_cast<cudaError_t>(result);
}

} /* namespace koshu */

struct koshu_interaction_program {
    koshu_cuda *cuda;
    koshu_driver driver;
    CUmodule module;
    koshu_pair_size size;
    size_t n_j_fields;
    size_t n_kernels;
    koshu::pair_kernel kernels[KOSHU_PAIR_SHAPES];
};

namespace koshu {

/* As evaluate in struct koshu_interaction_ops. Waits. */
cudaError_t evaluate_pairs(koshu_interaction_program *program, size_t n_i,
                           const double *i, size_t n_j, const double *j,
                           double *out);

} /* namespace koshu */

#endif
