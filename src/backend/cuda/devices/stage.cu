/* SPDX-License-Identifier: MIT */
/* Copies from device to host and back, beside the sums. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/devices/arrays.cuh"

using namespace koshu;

static koshu_status
staged(const koshu_device_arrays *a, cudaError_t error)
{
    return status_of(a->cuda, error, "copying particles to and from the host");
}

static cudaError_t
open_direction(staged_direction *direction)
{
    KOSHU_CUDA_TRY(direction->stream.open());
    for (event &done : direction->done) KOSHU_CUDA_TRY(done.open());
    return direction->buffers.reserve(KOSHU_TRAFFIC_BUFFERS *
                                      KOSHU_TRAFFIC_BUFFER);
}

static koshu_status
open_stage(koshu_device_arrays *a)
{
    koshu_cuda_enter(a->cuda);
    cudaError_t error = open_direction(&a->out);
    if (error == cudaSuccess) error = open_direction(&a->in);
    return status_of(a->cuda, error, "making room for copies on the host");
}

static void *
buffer_of(const koshu_device_arrays *a, bool out, int k)
{
    const staged_direction &direction = out ? a->out : a->in;
    return direction.buffers.as<char>() + (size_t)k * KOSHU_TRAFFIC_BUFFER;
}

cudaError_t
koshu::follow(koshu_device_arrays *a, cudaStream_t after, cudaStream_t before)
{
    KOSHU_CUDA_TRY(cudaEventRecord(a->here, before));
    return cudaStreamWaitEvent(after, a->here, 0);
}

/* Copies through buffer k, which is free again when this is done. */
static koshu_status
copy(koshu_device_arrays *a, bool out, int k, const koshu_traffic_chunk *chunk)
{
    const staged_direction &direction = out ? a->out : a->in;
    void *buffer = buffer_of(a, out, k);
    cudaError_t error = cudaMemcpyAsync(
            out ? buffer : chunk->memory, out ? chunk->memory : buffer,
            chunk->bytes, cudaMemcpyDefault, direction.stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(direction.done[k], direction.stream);
    return staged(a, error);
}

static koshu_status
wait_for(koshu_device_arrays *a, bool out, int k)
{
    return staged(a, cudaEventSynchronize((out ? a->out : a->in).done[k]));
}

/* Incoming data overwrite what previous sums may still read. */
koshu_status
koshu::start_copies(koshu_device_arrays *a)
{
    koshu_cuda_enter(a->cuda);
    cudaError_t error = follow(a, a->out.stream, a->cuda->stream);
    if (error == cudaSuccess) error = follow(a, a->in.stream, a->cuda->stream);
    return staged(a, error);
}

koshu_status
koshu::finish_copies(koshu_device_arrays *a)
{
    return staged(a, follow(a, a->cuda->stream, a->in.stream));
}

const koshu_traffic_stage_ops koshu::stage_ops = {.open = open_stage,
                                                  .buffer = buffer_of,
                                                  .copy = copy,
                                                  .wait = wait_for};
