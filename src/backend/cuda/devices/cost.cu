/* SPDX-License-Identifier: MIT */
/* Overheads of launches, waits and copies, measured without any computation. */
#include "backend/cuda/devices/group.cuh"

using namespace koshu;

enum { COST_THREADS = 256 };

static __global__ void
__launch_bounds__(COST_THREADS) nothing(int)
{
}

static cudaError_t
launch_nothing(koshu_cuda *cuda, size_t blocks)
{
    return launch(cuda, nothing, dim3((unsigned)blocks), COST_THREADS, 0, 0);
}

static cudaError_t
launches(koshu_cuda *cuda, size_t n, bool wait_for_each)
{
    for (size_t k = 0; k < n; k++) {
        KOSHU_CUDA_TRY(launch_nothing(cuda, 1));
        if (wait_for_each) KOSHU_CUDA_TRY(cudaStreamSynchronize(cuda->stream));
    }
    return cudaStreamSynchronize(cuda->stream);
}

/* All devices wait for all. */
static cudaError_t
waits(koshu_cuda_group *group, size_t n)
{
    for (size_t k = 0; k < n; k++)
        KOSHU_CUDA_TRY(by_all(group, [&](size_t m) {
            return cudaStreamSynchronize(device_at(group, m)->stream);
        }));
    return cudaSuccess;
}

static cudaError_t
copy(koshu_cuda *cuda, size_t bytes, void *host, cudaMemcpyKind direction)
{
    bool up = direction == cudaMemcpyHostToDevice;
    KOSHU_CUDA_TRY(cuda->batch_packed_i.reserve(bytes));
    void *device = cuda->batch_packed_i.as<void>();
    KOSHU_CUDA_TRY(cudaMemcpyAsync(up ? device : host, up ? host : device,
                                   bytes, direction, cuda->stream));
    return cudaStreamSynchronize(cuda->stream);
}

/* Each device copies to the next, from its second lane to the first. */
static cudaError_t
copies_between(koshu_cuda_group *group, size_t bytes)
{
    KOSHU_CUDA_TRY(by_all(group, [&](size_t k) {
        for (koshu_cuda *lane : group->members[k].lane)
            KOSHU_CUDA_TRY(lane->batch_packed_i.reserve(bytes));
        return cudaSuccess;
    }));
    return by_all(group, [&](size_t k) {
        const koshu_cuda *here = device_at(group, k);
        const koshu_cuda *there =
                group->members[(k + 1) % group->n].lane[LANES - 1];
        KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(here->batch_packed_i.as<void>(),
                                           here->device,
                                           there->batch_packed_i.as<void>(),
                                           there->device, bytes, here->stream));
        return cudaStreamSynchronize(here->stream);
    });
}

static cudaError_t
spend(koshu_cuda_group *group, koshu_cuda *cuda, enum koshu_cost what, size_t n,
      void *host)
{
    switch (what) {
    case KOSHU_COST_WAIT: return waits(group, n);
    case KOSHU_COST_LAUNCH: return launches(cuda, n, false);
    case KOSHU_COST_LAUNCH_WAIT: return launches(cuda, n, true);
    case KOSHU_COST_BLOCKS:
        KOSHU_CUDA_TRY(launch_nothing(cuda, n));
        return cudaStreamSynchronize(cuda->stream);
    case KOSHU_COST_TO_DEVICE:
        return copy(cuda, n, host, cudaMemcpyHostToDevice);
    case KOSHU_COST_FROM_DEVICE:
        return copy(cuda, n, host, cudaMemcpyDeviceToHost);
    case KOSHU_COST_BETWEEN: return copies_between(group, n);
    }
    return cudaErrorInvalidValue;
}

koshu_status
koshu_cuda_cost(struct koshu_backend *backend, enum koshu_cost what, size_t n,
                void *host)
{
    koshu_cuda_group *group = group_of(backend);
    if (what == KOSHU_COST_BETWEEN && group->n == 1)
        return KOSHU_ERROR_UNSUPPORTED;
    return status_in(group, spend(group, enter(backend), what, n, host),
                     "measuring launches and copies");
}
