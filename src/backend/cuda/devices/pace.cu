/* SPDX-License-Identifier: MIT */
/* Progress of the devices of a group, and the time of their sums. */
#include "backend/cuda/devices/group.cuh"

using namespace koshu;

/* Sums that are not done yet count as the mean of the others. */
double
koshu_cuda_seconds(const struct koshu_backend *backend)
{
    const koshu_cuda_group *group = group_of(backend);
    const unsigned long long count = group->seen->count;
    if (count == 0) return 0;
    return 1e-9 * (double)group->seen->nanoseconds * (double)*group->sums /
           (double)count;
}

/* The error of any device, without waiting; cudaErrorNotReady: none, but at
 * least one device is still working. */
static cudaError_t
query_devices(koshu_cuda_group *group)
{
    bool ready = true;
    for (size_t k = 0; k < group->n; k++)
        for (const koshu_cuda *lane : group->members[k].lane) {
            if (!lane) continue;
            const cudaError_t error = cudaStreamQuery(lane->stream);
            ready &= error == cudaSuccess;
            if (error == cudaSuccess || error == cudaErrorNotReady) continue;
            group->failed = k;
            return error;
        }
    return ready ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t
koshu::keep_pace(koshu_cuda_group *group, unsigned ahead)
{
    const unsigned long long interval = 4096;
    unsigned long long polls = 0;
    while (*group->sums > group->seen->count + ahead) {
        if (++polls % interval != 0) continue;
        const cudaError_t error = query_devices(group);
        if (error != cudaErrorNotReady) return error;
    }
    return cudaSuccess;
}

cudaError_t
koshu::wait_for_all(koshu_cuda_group *group)
{
    return by_all(group, [&](size_t k) {
        for (const koshu_cuda *lane : group->members[k].lane)
            if (lane) KOSHU_CUDA_TRY(cudaStreamSynchronize(lane->stream));
        return cudaSuccess;
    });
}

koshu_status
koshu_cuda_wait(struct koshu_backend *backend)
{
    koshu_cuda_group *group = group_of(backend);
    return status_in(group, wait_for_all(group), "waiting for the device");
}
