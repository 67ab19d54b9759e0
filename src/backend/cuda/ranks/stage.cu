/* SPDX-License-Identifier: MIT */
/* From device to host and back, beside the sums. */
#include "backend/cuda/ranks/share.cuh"

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
    KOSHU_CUDA_TRY(cudaHostAlloc(&memory,
                                 KOSHU_SHARE_BUFFERS * KOSHU_SHARE_BUFFER,
                                 cudaHostAllocDefault));
    direction->buffer = static_cast<char *>(memory);
    return cudaSuccess;
}

int
koshu_cuda_stage_open(struct koshu_cuda_share *share)
{
    koshu_cuda_enter(share->cuda);
    KOSHU_CUDA_TRY(open_direction(&share->out));
    return open_direction(&share->in);
}

void *
koshu_cuda_stage_buffer(const struct koshu_cuda_share *share, bool out, int k)
{
    const staged_direction &direction = out ? share->out : share->in;
    return direction.buffer + (size_t)k * KOSHU_SHARE_BUFFER;
}

/* What `after` is given from now on comes after what `before` has by now. */
static cudaError_t
follow(koshu_cuda_share *s, cudaStream_t after, cudaStream_t before)
{
    KOSHU_CUDA_TRY(cudaEventRecord(s->here, before));
    return cudaStreamWaitEvent(after, s->here, 0);
}

/* What comes in overwrites what sums before may still read. */
int
koshu_cuda_stage_begin(struct koshu_cuda_share *share)
{
    koshu_cuda_enter(share->cuda);
    KOSHU_CUDA_TRY(follow(share, share->out.stream, share->cuda->stream));
    return follow(share, share->in.stream, share->cuda->stream);
}

int
koshu_cuda_stage_out(struct koshu_cuda_share *share, int k,
                     const struct koshu_share_piece *from)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(koshu_cuda_stage_buffer(share, true, k),
                                   from->memory, from->bytes,
                                   cudaMemcpyDeviceToHost, share->out.stream));
    return cudaEventRecord(share->out.done[k], share->out.stream);
}

int
koshu_cuda_stage_in(struct koshu_cuda_share *share, int k,
                    const struct koshu_share_piece *to)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(
            to->memory, koshu_cuda_stage_buffer(share, false, k), to->bytes,
            cudaMemcpyHostToDevice, share->in.stream));
    return cudaEventRecord(share->in.done[k], share->in.stream);
}

int
koshu_cuda_stage_wait(struct koshu_cuda_share *share, bool out, int k)
{
    return cudaEventSynchronize((out ? share->out : share->in).done[k]);
}

int
koshu_cuda_stage_end(struct koshu_cuda_share *share)
{
    return follow(share, share->cuda->stream, share->in.stream);
}
