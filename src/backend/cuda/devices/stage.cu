/* SPDX-License-Identifier: MIT */
/* From device to host and back, beside the sums. */
#include "backend/cuda/devices/partition.cuh"

using namespace koshu;

static koshu_status
staged(const koshu_backend_partition *p, cudaError_t error)
{
    return status_of(p->cuda, error, "copying particles to and from the host");
}

static cudaError_t
open_direction(staged_direction *direction)
{
    KOSHU_CUDA_TRY(direction->stream.open());
    for (event &done : direction->done) KOSHU_CUDA_TRY(done.open());
    return direction->buffers.reserve(KOSHU_PARTITION_BUFFERS *
                                      KOSHU_PARTITION_BUFFER);
}

static koshu_status
open_stage(koshu_backend_partition *p)
{
    koshu_cuda_enter(p->cuda);
    cudaError_t error = open_direction(&p->out);
    if (error == cudaSuccess) error = open_direction(&p->in);
    return status_of(p->cuda, error, "making room for copies on the host");
}

static void *
buffer_of(const koshu_backend_partition *p, bool out, int k)
{
    const staged_direction &direction = out ? p->out : p->in;
    return direction.buffers.as<char>() + (size_t)k * KOSHU_PARTITION_BUFFER;
}

/* What `after` is given from now on comes after what `before` has by now. */
static cudaError_t
follow(koshu_backend_partition *p, cudaStream_t after, cudaStream_t before)
{
    KOSHU_CUDA_TRY(cudaEventRecord(p->here, before));
    return cudaStreamWaitEvent(after, p->here, 0);
}

/* What comes in overwrites what sums before may still read. */
static koshu_status
start(koshu_backend_partition *p)
{
    koshu_cuda_enter(p->cuda);
    cudaError_t error = follow(p, p->out.stream, p->cuda->stream);
    if (error == cudaSuccess) error = follow(p, p->in.stream, p->cuda->stream);
    return staged(p, error);
}

/* Through buffer k, which is free again when this is done. */
static koshu_status
copy(koshu_backend_partition *p, bool out, int k,
     const koshu_partition_chunk *chunk)
{
    const staged_direction &direction = out ? p->out : p->in;
    void *buffer = buffer_of(p, out, k);
    cudaError_t error = cudaMemcpyAsync(
            out ? buffer : chunk->memory, out ? chunk->memory : buffer,
            chunk->bytes, cudaMemcpyDefault, direction.stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(direction.done[k], direction.stream);
    return staged(p, error);
}

static koshu_status
wait_for(koshu_backend_partition *p, bool out, int k)
{
    return staged(p, cudaEventSynchronize((out ? p->out : p->in).done[k]));
}

static koshu_status
finish_stage(koshu_backend_partition *p)
{
    return staged(p, follow(p, p->cuda->stream, p->in.stream));
}

const koshu_partition_stage_ops koshu::stage_ops = {.open = open_stage,
                                                    .buffer = buffer_of,
                                                    .start = start,
                                                    .copy = copy,
                                                    .wait = wait_for,
                                                    .finish = finish_stage};
