/* SPDX-License-Identifier: MIT */
/* An open device, its buffers, and launches. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_DEVICE_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_DEVICE_CUH

#include <cstddef>
#include <utility>

#include "backend/backend.h"
#include "backend/cuda/runtime/copies.cuh"
#include "backend/cuda/interaction/memory.cuh"
#include "backend/cuda/runtime/pipeline.cuh"
#include "backend/cuda/runtime/progress.cuh"
#include "backend/cuda/runtime/stream.cuh"

namespace koshu {

struct shaped_kernel;

/* Memory of sums, common to all operations of a device. */
struct scratch {
    buffer partial, arrived;           /* of direct() */
    buffer by_segment, by_row, so_far; /* of mutual() */
    buffer recompute_counters, recompute_partial,
            cancellations;      /* of recompute_sums() */
    unsigned recompute_counter; /* which of the two the next sum uses */
};

/* Progress with its memory; the device must be current. */
struct kept_progress : progress {
    buffer on_device;
    host_buffer on_host;

    cudaError_t open();
};

} /* namespace koshu */

/* A selected shape; kernel NULL: that of tuning.cuh. */
struct koshu_cuda_selection {
    const koshu::shaped_kernel *kernel;
    int shared_memory; /* percent of a multiprocessor's; -1: driver's choice */
};

struct koshu_cuda {
    koshu_context *context;
    int device;
    bool one_of_several; /* of several devices of the context: messages name
                          * it */
    koshu::stream stream;
    size_t multiprocessors;
    bool overlaps_launches;
    size_t row_bytes; /* largest size of mutual()'s rows */
    koshu::scratch scratch;
    koshu::kept_progress progress;
    unsigned long long sums; /* enqueued so far */
    koshu_cuda_selection choice[KOSHU_SHAPE_SETS][KOSHU_SIZE_CLASSES];
    int shared_memory;     /* as in a selection, for the current launches */
    koshu::staging staged; /* for small copies */
    koshu::pipeline large; /* for large copies */
    koshu::buffer batch_j, batch_i, batch_packed_j, batch_packed_i, batch_self,
            batch_items, batch_blocks, batch_sets, batch_result;
    koshu::pair_memory pairs;
    koshu::event walk_clock; /* NULL: not started */
    /* Memory whose content is not kept between calls: the cells of a tree,
     * copies of a store in the tree's order. */
    koshu::buffer between_steps;
};

namespace koshu {

/* KOSHU_OK, or KOSHU_ERROR_OUT_OF_MEMORY or KOSHU_ERROR_DEVICE with a message
 * of what was being done and the CUDA error. */
koshu_status
status_of(const koshu_cuda *cuda, cudaError_t error, const char *doing);

/* Makes the backend's device, or its first one, current for the calling thread,
 * for operations of a single device. */
koshu_cuda *enter(const koshu_backend *backend);

/* A device that is not open yet, 0 <= number < koshu_cuda_devices(); NULL: no
 * memory. */
koshu_cuda *
make_device(koshu_context *context, int number, bool one_of_several);

/* Opens the device and makes it current for the calling thread. */
cudaError_t open_device(koshu_cuda *cuda);

/* Accepts NULL, and a device that could not be opened. */
void close_device(koshu_cuda *cuda);

/* Writes the backend's descriptions of the device. */
cudaError_t name_device(const koshu_cuda *cuda, koshu_backend *base);

/* Like the backend's select_shape, for one device. */
void select_shape(koshu_cuda *cuda, enum koshu_shape_set set,
                  unsigned size_class, size_t k, int shared_memory);

/* Memory that is zero when it is new. */
static inline cudaError_t
reserve_zeros(const koshu_cuda *cuda, buffer *memory, size_t bytes)
{
    if (memory->has(bytes)) return cudaSuccess;
    KOSHU_CUDA_TRY(memory->reserve(bytes));
    return cudaMemsetAsync(memory->as<void>(), 0, bytes, cuda->stream);
}

/*
 * The shared memory that launches request unless a selection differs: all that
 * a multiprocessor has, for every kernel. If it is left to the driver,
 * consecutive kernels may differ; a multiprocessor cannot change it while
 * blocks of the first kernel still run, so with overlapping launches not all
 * blocks of the second fit. (Sums of 2^20 particles then took up to a fifth
 * longer, in some runs and not in others.)
 */
enum { SHARED_MEMORY = 100 };

/* The number of blocks of `width` threads, or other parts, for n. */
template <class N>
inline N
blocks_for(N n, size_t width)
{
    return (N)((n + width - 1) / width);
}

/* Launches on the device's stream; sizes in blocks, threads, bytes. */
template <class... Parameters, class... Arguments>
__forceinline__ cudaError_t
launch(const koshu_cuda *cuda, void (*kernel)(Parameters...), dim3 blocks,
       dim3 threads, size_t shared, Arguments &&...arguments)
{
    cudaLaunchAttribute attributes[2] = {};
    unsigned n = 0;
    if (cuda->overlaps_launches) {
        attributes[n].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[n++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (cuda->shared_memory >= 0) {
#if CUDART_VERSION >= 12060
        attributes[n].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
        attributes[n++].val.sharedMemCarveout = (unsigned)cuda->shared_memory;
#else /* older versions have it per kernel only */
        KOSHU_CUDA_TRY(cudaFuncSetAttribute(
                kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                cuda->shared_memory));
#endif
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    config.stream = cuda->stream;
    config.attrs = attributes;
    config.numAttrs = n;
    KOSHU_CUDA_TRY(cudaLaunchKernelEx(&config, kernel,
                                      std::forward<Arguments>(arguments)...));
    return cudaGetLastError();
}

} /* namespace koshu */

#endif
