/* SPDX-License-Identifier: MIT */
/* Into the arrays of other processes of the host. */
#include <cstdlib>
#include <cstring>

#include "backend/cuda/ranks/share.cuh"

using namespace koshu;

static_assert(sizeof(cudaIpcMemHandle_t) <= 64 &&
                      sizeof(cudaIpcEventHandle_t) <= 64,
              "handles have room in struct koshu_share_handle");

static cudaError_t
handle_of_event(cudaEvent_t *event, char *handle)
{
    cudaIpcEventHandle_t made;
    if (!*event)
        KOSHU_CUDA_TRY(cudaEventCreateWithFlags(
                event, cudaEventDisableTiming | cudaEventInterprocess));
    KOSHU_CUDA_TRY(cudaIpcGetEventHandle(&made, *event));
    memcpy(handle, &made, sizeof made);
    return cudaSuccess;
}

static cudaError_t
make_handles(koshu_cuda_share *share, koshu_share_handle *handle)
{
    void *const arrays[2] = {share->points.as<void>(), share->come.as<void>()};
    for (int k = 0; k < 2; k++) {
        cudaIpcMemHandle_t made;
        KOSHU_CUDA_TRY(cudaIpcGetMemHandle(&made, arrays[k]));
        memcpy(handle->array[k], &made, sizeof made);
    }
    for (int k = 0; k < KOSHU_SHARE_MARKS; k++)
        KOSHU_CUDA_TRY(handle_of_event(&share->mark[k], handle->mark[k]));
    for (cudaEvent_t mark : share->mark) /* as after a sum */
        KOSHU_CUDA_TRY(cudaEventRecord(mark, share->cuda->stream));
    return cudaSuccess;
}

int
koshu_cuda_peer_handle(struct koshu_cuda_share *share,
                       struct koshu_share_handle *handle)
{
    koshu_cuda_enter(share->cuda);
    cudaError_t error = make_handles(share, handle);
    if (error != cudaSuccess) cudaGetLastError(); /* another way is taken */
    return error;
}

static cudaError_t
open_array(const char *handle, void **array)
{
    cudaIpcMemHandle_t given;
    memcpy(&given, handle, sizeof given);
    return cudaIpcOpenMemHandle(array, given, cudaIpcMemLazyEnablePeerAccess);
}

static cudaError_t
open_rank(const koshu_share_handle &handle, peer *p)
{
    KOSHU_CUDA_TRY(open_array(handle.array[0], &p->points));
    KOSHU_CUDA_TRY(open_array(handle.array[1], &p->come));
    for (int k = 0; k < KOSHU_SHARE_MARKS; k++) {
        cudaIpcEventHandle_t given;
        memcpy(&given, handle.mark[k], sizeof given);
        KOSHU_CUDA_TRY(cudaIpcOpenEventHandle(&p->mark[k], given));
    }
    return cudaSuccess;
}

int
koshu_cuda_peer_open(struct koshu_cuda_share *share,
                     const struct koshu_share_handle handles[])
{
    const size_t n = share->slices.devices;
    koshu_cuda_enter(share->cuda);
    koshu_cuda_peer_close(share);
    share->peers = static_cast<peer *>(calloc(n, sizeof *share->peers));
    if (!share->peers) return cudaErrorMemoryAllocation;
    for (size_t r = 0; r < n; r++)
        if (r != share->rank)
            KOSHU_CUDA_TRY(open_rank(handles[r], &share->peers[r]));
    peer *own = &share->peers[share->rank];
    own->points = share->points.as<void>();
    own->come = share->come.as<void>();
    return cudaSuccess;
}

static void
close_rank(const peer &p)
{
    if (p.points) cudaIpcCloseMemHandle(p.points);
    if (p.come) cudaIpcCloseMemHandle(p.come);
    for (cudaEvent_t mark : p.mark)
        if (mark) cudaEventDestroy(mark);
}

void
koshu_cuda_peer_close(struct koshu_cuda_share *share)
{
    if (!share->peers) return;
    koshu_cuda_enter(share->cuda);
    cudaStreamSynchronize(share->cuda->stream);
    for (size_t r = 0; r < share->slices.devices; r++)
        if (r != share->rank) close_rank(share->peers[r]);
    cudaGetLastError(); /* a process that has gone takes its memory along */
    free(share->peers);
    share->peers = nullptr;
}

cudaError_t
koshu::note_mark(koshu_cuda_share *share, koshu_share_mark mark)
{
    if (!share->peers) return cudaSuccess;
    return cudaEventRecord(share->mark[mark], share->cuda->stream);
}

int
koshu_cuda_peer_await(struct koshu_cuda_share *share,
                      enum koshu_share_mark mark)
{
    koshu_cuda_enter(share->cuda);
    for (size_t r = 0; r < share->slices.devices; r++)
        if (r != share->rank)
            KOSHU_CUDA_TRY(cudaStreamWaitEvent(share->cuda->stream,
                                               share->peers[r].mark[mark], 0));
    return cudaSuccess;
}
