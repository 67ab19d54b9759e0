/* SPDX-License-Identifier: MIT */
/* Into the arrays of other processes of the host, by copy engines. */
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
    for (int k = 0; k < KOSHU_SHARE_EVENTS; k++)
        KOSHU_CUDA_TRY(handle_of_event(&share->sent[k], handle->event[k]));
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
    for (int k = 0; k < KOSHU_SHARE_EVENTS; k++) {
        cudaIpcEventHandle_t given;
        memcpy(&given, handle.event[k], sizeof given);
        KOSHU_CUDA_TRY(cudaIpcOpenEventHandle(&p->sent[k], given));
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
    return cudaSuccess;
}

void
koshu_cuda_peer_close(struct koshu_cuda_share *share)
{
    if (!share->peers) return;
    koshu_cuda_enter(share->cuda);
    for (size_t r = 0; r < share->slices.devices; r++) {
        const peer &p = share->peers[r];
        if (p.points) cudaIpcCloseMemHandle(p.points);
        if (p.come) cudaIpcCloseMemHandle(p.come);
        for (cudaEvent_t sent : p.sent)
            if (sent) cudaEventDestroy(sent);
    }
    cudaGetLastError(); /* a process that has gone takes its memory along */
    free(share->peers);
    share->peers = nullptr;
}

/* Arrays are laid out alike on all ranks. */
int
koshu_cuda_peer_put(struct koshu_cuda_share *share, int rank, int k,
                    const struct koshu_share_range *from,
                    const struct koshu_share_range *to)
{
    const bool points = to->array == KOSHU_SHARE_POINTS;
    const char *here = (points ? share->points : share->come).as<char>();
    const peer &p = share->peers[rank];
    char *there = static_cast<char *>(points ? p.points : p.come);
    koshu_share_piece pieces[KOSHU_SHARE_PIECES], targets[KOSHU_SHARE_PIECES];
    const size_t n = koshu_cuda_share_pieces(share, from, pieces);
    koshu_cuda_share_pieces(share, to, targets);
    koshu_cuda_enter(share->cuda);
    for (size_t c = 0; c < n; c++)
        KOSHU_CUDA_TRY(cudaMemcpyAsync(
                there + (static_cast<char *>(targets[c].memory) - here),
                pieces[c].memory, pieces[c].bytes, cudaMemcpyDefault,
                share->cuda->stream));
    return cudaEventRecord(share->sent[k], share->cuda->stream);
}

int
koshu_cuda_peer_await(struct koshu_cuda_share *share, int rank, int k)
{
    koshu_cuda_enter(share->cuda);
    return cudaStreamWaitEvent(share->cuda->stream, share->peers[rank].sent[k],
                               0);
}
