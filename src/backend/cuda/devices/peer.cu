/* SPDX-License-Identifier: MIT */
/* Into the arrays of other processes of the host. */
#include "backend/cuda/devices/partition.cuh"

using namespace koshu;

static_assert(sizeof(cudaIpcMemHandle_t) <= 64 &&
                      sizeof(cudaIpcEventHandle_t) <= 64,
              "handles fit into struct koshu_partition_handle");

static cudaError_t
make_handles(koshu_backend_partition *partition, koshu_partition_handle *handle)
{
    void *const arrays[2] = {partition->points.as<void>(),
                             partition->come.as<void>()};
    for (int k = 0; k < 2; k++)
        KOSHU_CUDA_TRY(cudaIpcGetMemHandle(
                reinterpret_cast<cudaIpcMemHandle_t *>(handle->array[k]),
                arrays[k]));
    for (int k = 0; k < KOSHU_PARTITION_MARKS; k++) {
        event *mark = &partition->mark[k];
        KOSHU_CUDA_TRY(
                mark->open(cudaEventDisableTiming | cudaEventInterprocess));
        KOSHU_CUDA_TRY(cudaIpcGetEventHandle(
                reinterpret_cast<cudaIpcEventHandle_t *>(handle->mark[k]),
                *mark));
        /* as after a sum */
        KOSHU_CUDA_TRY(cudaEventRecord(*mark, partition->cuda->stream));
    }
    return cudaSuccess;
}

/* Where another process's memory cannot be opened this transport cannot be
 * used. */
static koshu_status
supported(const koshu_backend_partition *p, cudaError_t error)
{
    if (error == cudaSuccess) return KOSHU_OK;
    cudaGetLastError(); /* another transport is taken */
    return koshu_fail(p->cuda->context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: peer: the memory of another rank's GPU "
                      "cannot be opened: %s; use another transport",
                      cudaGetErrorString(error));
}

static koshu_status
handle_of(koshu_backend_partition *p, koshu_partition_handle *handle)
{
    koshu_cuda_enter(p->cuda);
    return supported(p, make_handles(p, handle));
}

static cudaError_t
open_rank(const koshu_partition_handle &handle, peer *p)
{
    void **const arrays[2] = {&p->points, &p->come};
    for (int k = 0; k < 2; k++)
        KOSHU_CUDA_TRY(cudaIpcOpenMemHandle(
                arrays[k],
                *reinterpret_cast<const cudaIpcMemHandle_t *>(handle.array[k]),
                cudaIpcMemLazyEnablePeerAccess));
    for (int k = 0; k < KOSHU_PARTITION_MARKS; k++)
        KOSHU_CUDA_TRY(cudaIpcOpenEventHandle(
                &p->mark[k], *reinterpret_cast<const cudaIpcEventHandle_t *>(
                                     handle.mark[k])));
    return cudaSuccess;
}

static cudaError_t
open_ranks(koshu_backend_partition *p, const koshu_partition_handle handles[])
{
    const size_t n = p->slices.devices;
    p->connected = p->writes = true;
    for (size_t r = 0; r < n; r++)
        if (r != p->place) KOSHU_CUDA_TRY(open_rank(handles[r], &p->peers[r]));
    peer *own = &p->peers[p->place];
    own->points = p->points.as<void>();
    own->come = p->come.as<void>();
    return cudaSuccess;
}

static koshu_status
open_peers(koshu_backend_partition *p, const koshu_partition_handle handles[])
{
    koshu_cuda_enter(p->cuda);
    close_peers(p);
    return supported(p, open_ranks(p, handles));
}

static void
close_rank(peer *p)
{
    if (p->points) cudaIpcCloseMemHandle(p->points);
    if (p->come) cudaIpcCloseMemHandle(p->come);
    for (cudaEvent_t mark : p->mark)
        if (mark) cudaEventDestroy(mark);
    *p = {};
}

void
koshu::close_peers(koshu_backend_partition *p)
{
    if (!p->connected) return;
    koshu_cuda_enter(p->cuda);
    cudaStreamSynchronize(p->cuda->stream);
    for (size_t r = 0; !p->in_process && r < p->slices.devices; r++)
        if (r != p->place) close_rank(&p->peers[r]);
    cudaGetLastError(); /* a process that has gone takes its memory along */
    p->connected = p->writes = false;
}

cudaError_t
koshu::await(const koshu_backend_partition *p, koshu_partition_mark mark)
{
    for (size_t m = 0; m < p->slices.devices; m++)
        if (m != p->place)
            KOSHU_CUDA_TRY(cudaStreamWaitEvent(p->cuda->stream,
                                               p->peers[m].mark[mark], 0));
    return cudaSuccess;
}

static koshu_status
await_peers(koshu_backend_partition *p, enum koshu_partition_mark mark)
{
    koshu_cuda_enter(p->cuda);
    return status_of(p->cuda, await(p, mark), "waiting for other GPUs");
}

const koshu_partition_peer_ops koshu::peer_ops = {.handle = handle_of,
                                                  .open = open_peers,
                                                  .close = close_peers,
                                                  .await = await_peers};
