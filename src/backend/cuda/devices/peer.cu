/* SPDX-License-Identifier: MIT */
/* Direct access to the arrays of other processes of the host. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/devices/arrays.cuh"

using namespace koshu;

static_assert(sizeof(cudaIpcMemHandle_t) <= 64 &&
                      sizeof(cudaIpcEventHandle_t) <= 64,
              "handles fit into struct koshu_traffic_handle");

static cudaError_t
make_handles(koshu_device_arrays *arrays, koshu_traffic_handle *handle)
{
    for (int k = 0; k < PEER_ARRAYS; k++)
        if (arrays->array[k])
            KOSHU_CUDA_TRY(cudaIpcGetMemHandle(
                    reinterpret_cast<cudaIpcMemHandle_t *>(handle->array[k]),
                    arrays->array[k]));
    for (int k = 0; k < KOSHU_TRAFFIC_MARKS; k++) {
        event *mark = &arrays->mark[k];
        KOSHU_CUDA_TRY(
                mark->open(cudaEventDisableTiming | cudaEventInterprocess));
        KOSHU_CUDA_TRY(cudaIpcGetEventHandle(
                reinterpret_cast<cudaIpcEventHandle_t *>(handle->mark[k]),
                *mark));
        /* as after a sum */
        KOSHU_CUDA_TRY(cudaEventRecord(*mark, arrays->cuda->stream));
    }
    return cudaSuccess;
}

/* This transport is unsupported if another process's memory cannot be
 * opened. */
static koshu_status
supported(const koshu_device_arrays *p, cudaError_t error)
{
    if (error == cudaSuccess) return KOSHU_OK;
    cudaGetLastError(); /* another transport will be used */
    return koshu_fail(p->cuda->context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: peer: the memory of another rank's GPU "
                      "cannot be opened: %s; use another transport",
                      cudaGetErrorString(error));
}

koshu_status
koshu::handle_of_arrays(koshu_device_arrays *p, koshu_traffic_handle *handle)
{
    koshu_cuda_enter(p->cuda);
    return supported(p, make_handles(p, handle));
}

static cudaError_t
open_rank(const koshu_device_arrays *own, const koshu_traffic_handle &handle,
          peer *p)
{
    for (int k = 0; k < PEER_ARRAYS; k++)
        if (own->array[k])
            KOSHU_CUDA_TRY(cudaIpcOpenMemHandle(
                    &p->array[k],
                    *reinterpret_cast<const cudaIpcMemHandle_t *>(
                            handle.array[k]),
                    cudaIpcMemLazyEnablePeerAccess));
    for (int k = 0; k < KOSHU_TRAFFIC_MARKS; k++)
        KOSHU_CUDA_TRY(cudaIpcOpenEventHandle(
                &p->mark[k], *reinterpret_cast<const cudaIpcEventHandle_t *>(
                                     handle.mark[k])));
    return cudaSuccess;
}

static cudaError_t
open_ranks(koshu_device_arrays *p, const koshu_traffic_handle handles[])
{
    p->connected = p->writes = true;
    for (size_t r = 0; r < p->members; r++)
        if (r != p->place)
            KOSHU_CUDA_TRY(open_rank(p, handles[r], &p->peers[r]));
    for (int k = 0; k < PEER_ARRAYS; k++)
        p->peers[p->place].array[k] = p->array[k];
    return cudaSuccess;
}

koshu_status
koshu::open_peers(koshu_device_arrays *p, const koshu_traffic_handle handles[])
{
    koshu_cuda_enter(p->cuda);
    close_peers(p);
    return supported(p, open_ranks(p, handles));
}

static void
close_rank(peer *p)
{
    for (void *array : p->array)
        if (array) cudaIpcCloseMemHandle(array);
    for (cudaEvent_t mark : p->mark)
        if (mark) cudaEventDestroy(mark);
    *p = {};
}

void
koshu::close_peers(koshu_device_arrays *p)
{
    if (!p->connected) return;
    koshu_cuda_enter(p->cuda);
    cudaStreamSynchronize(p->cuda->stream);
    for (size_t r = 0; !p->in_process && r < p->members; r++)
        if (r != p->place) close_rank(&p->peers[r]);
    cudaGetLastError(); /* a process that has ended takes its memory along */
    p->connected = p->writes = false;
}

cudaError_t
koshu::note_mark(koshu_device_arrays *p, int mark)
{
    if (!p->connected) return cudaSuccess;
    return cudaEventRecord(p->mark[mark], p->cuda->stream);
}

cudaError_t
koshu::await(const koshu_device_arrays *p, cudaStream_t stream, int mark)
{
    for (size_t m = 0; m < p->members; m++)
        if (m != p->place)
            KOSHU_CUDA_TRY(
                    cudaStreamWaitEvent(stream, p->peers[m].mark[mark], 0));
    return cudaSuccess;
}

koshu_status
koshu::await_peers(koshu_device_arrays *p, int mark)
{
    koshu_cuda_enter(p->cuda);
    return status_of(p->cuda, await(p, p->cuda->stream, mark),
                     "waiting for other GPUs");
}
