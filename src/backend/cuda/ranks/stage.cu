/* SPDX-License-Identifier: MIT */
/* From device to host and back, beside the sums. */
#include "backend/cuda/ranks/partition.cuh"

using namespace koshu;

static cudaError_t
open_direction(staged_direction *direction)
{
    if (direction->buffer) return cudaSuccess;
    KOSHU_CUDA_TRY(cudaStreamCreateWithFlags(&direction->stream,
                                             cudaStreamNonBlocking));
    for (cudaEvent_t &done : direction->done)
        KOSHU_CUDA_TRY(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    void *memory;
    KOSHU_CUDA_TRY(cudaHostAlloc(
            &memory, KOSHU_PARTITION_BUFFERS * KOSHU_PARTITION_BUFFER,
            cudaHostAllocDefault));
    direction->buffer = static_cast<char *>(memory);
    return cudaSuccess;
}

int
koshu_cuda_stage_open(struct koshu_cuda_partition *partition)
{
    koshu_cuda_enter(partition->cuda);
    KOSHU_CUDA_TRY(open_direction(&partition->out));
    return open_direction(&partition->in);
}

void *
koshu_cuda_stage_buffer(const struct koshu_cuda_partition *partition, bool out,
                        int k)
{
    const staged_direction &direction = out ? partition->out : partition->in;
    return direction.buffer + (size_t)k * KOSHU_PARTITION_BUFFER;
}

/* What `after` is given from now on comes after what `before` has by now. */
static cudaError_t
follow(koshu_cuda_partition *s, cudaStream_t after, cudaStream_t before)
{
    KOSHU_CUDA_TRY(cudaEventRecord(s->here, before));
    return cudaStreamWaitEvent(after, s->here, 0);
}

/* What comes in overwrites what sums before may still read. */
int
koshu_cuda_stage_start(struct koshu_cuda_partition *partition)
{
    koshu_cuda_enter(partition->cuda);
    KOSHU_CUDA_TRY(
            follow(partition, partition->out.stream, partition->cuda->stream));
    return follow(partition, partition->in.stream, partition->cuda->stream);
}

int
koshu_cuda_stage_out(struct koshu_cuda_partition *partition, int k,
                     const struct koshu_partition_chunk *from)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(
            koshu_cuda_stage_buffer(partition, true, k), from->memory,
            from->bytes, cudaMemcpyDeviceToHost, partition->out.stream));
    return cudaEventRecord(partition->out.done[k], partition->out.stream);
}

int
koshu_cuda_stage_in(struct koshu_cuda_partition *partition, int k,
                    const struct koshu_partition_chunk *to)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(
            to->memory, koshu_cuda_stage_buffer(partition, false, k), to->bytes,
            cudaMemcpyHostToDevice, partition->in.stream));
    return cudaEventRecord(partition->in.done[k], partition->in.stream);
}

int
koshu_cuda_stage_wait(struct koshu_cuda_partition *partition, bool out, int k)
{
    return cudaEventSynchronize((out ? partition->out : partition->in).done[k]);
}

int
koshu_cuda_stage_finish(struct koshu_cuda_partition *partition)
{
    return follow(partition, partition->cuda->stream, partition->in.stream);
}
