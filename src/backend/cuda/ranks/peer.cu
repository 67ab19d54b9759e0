/* SPDX-License-Identifier: MIT */
/* Into the arrays of other processes of the host. */
#include <cstdlib>
#include <cstring>

#include "backend/cuda/ranks/partition.cuh"

using namespace koshu;

static_assert(sizeof(cudaIpcMemHandle_t) <= 64 &&
                      sizeof(cudaIpcEventHandle_t) <= 64,
              "handles fit into struct koshu_partition_handle");

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
make_handles(koshu_cuda_partition *partition, koshu_partition_handle *handle)
{
    void *const arrays[2] = {partition->points.as<void>(),
                             partition->come.as<void>()};
    for (int k = 0; k < 2; k++) {
        cudaIpcMemHandle_t made;
        KOSHU_CUDA_TRY(cudaIpcGetMemHandle(&made, arrays[k]));
        memcpy(handle->array[k], &made, sizeof made);
    }
    for (int k = 0; k < KOSHU_PARTITION_MARKS; k++)
        KOSHU_CUDA_TRY(handle_of_event(&partition->mark[k], handle->mark[k]));
    for (cudaEvent_t mark : partition->mark) /* as after a sum */
        KOSHU_CUDA_TRY(cudaEventRecord(mark, partition->cuda->stream));
    return cudaSuccess;
}

int
koshu_cuda_peer_handle(struct koshu_cuda_partition *partition,
                       struct koshu_partition_handle *handle)
{
    koshu_cuda_enter(partition->cuda);
    cudaError_t error = make_handles(partition, handle);
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
open_rank(const koshu_partition_handle &handle, peer *p)
{
    KOSHU_CUDA_TRY(open_array(handle.array[0], &p->points));
    KOSHU_CUDA_TRY(open_array(handle.array[1], &p->come));
    for (int k = 0; k < KOSHU_PARTITION_MARKS; k++) {
        cudaIpcEventHandle_t given;
        memcpy(&given, handle.mark[k], sizeof given);
        KOSHU_CUDA_TRY(cudaIpcOpenEventHandle(&p->mark[k], given));
    }
    return cudaSuccess;
}

int
koshu_cuda_peer_open(struct koshu_cuda_partition *partition,
                     const struct koshu_partition_handle handles[])
{
    const size_t n = partition->slices.devices;
    koshu_cuda_enter(partition->cuda);
    koshu_cuda_peer_close(partition);
    partition->peers = static_cast<peer *>(calloc(n, sizeof *partition->peers));
    if (!partition->peers) return cudaErrorMemoryAllocation;
    for (size_t r = 0; r < n; r++)
        if (r != partition->rank)
            KOSHU_CUDA_TRY(open_rank(handles[r], &partition->peers[r]));
    peer *own = &partition->peers[partition->rank];
    own->points = partition->points.as<void>();
    own->come = partition->come.as<void>();
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
koshu_cuda_peer_close(struct koshu_cuda_partition *partition)
{
    if (!partition->peers) return;
    koshu_cuda_enter(partition->cuda);
    cudaStreamSynchronize(partition->cuda->stream);
    for (size_t r = 0; r < partition->slices.devices; r++)
        if (r != partition->rank) close_rank(partition->peers[r]);
    cudaGetLastError(); /* a process that has gone takes its memory along */
    free(partition->peers);
    partition->peers = nullptr;
}

cudaError_t
koshu::note_mark(koshu_cuda_partition *partition, koshu_partition_mark mark)
{
    if (!partition->peers) return cudaSuccess;
    return cudaEventRecord(partition->mark[mark], partition->cuda->stream);
}

int
koshu_cuda_peer_await(struct koshu_cuda_partition *partition,
                      enum koshu_partition_mark mark)
{
    koshu_cuda_enter(partition->cuda);
    for (size_t r = 0; r < partition->slices.devices; r++)
        if (r != partition->rank)
            KOSHU_CUDA_TRY(cudaStreamWaitEvent(partition->cuda->stream,
                                               partition->peers[r].mark[mark],
                                               0));
    return cudaSuccess;
}
