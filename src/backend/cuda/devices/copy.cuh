/* SPDX-License-Identifier: MIT */
/* The device copy of a particle store: one slice on each device of a group, or
 * everything on the first. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_COPY_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_COPY_CUH

#include "backend/cuda/devices/group.cuh"
#include "backend/cuda/devices/partition.cuh"
#include "backend/cuda/particles/store.cuh"

struct koshu_cuda_copy {
    koshu_cuda_group *group;
    koshu::distribution slices; /* on the first slices.devices */
    koshu_cuda_store *store[KOSHU_MAX_DEVICES];

    /* Additional arrays for sums on several devices; NULL: not created yet. */
    koshu_backend_partition *part[KOSHU_MAX_DEVICES];
    const koshu::precision_functions *ready_for; /* memory is reserved for this;
                                                  * NULL: not */
    bool has_sums;                               /* for parts that are sent */
};

namespace koshu {

enum { ANY_DEVICES = 0 };

/* The copy on this many devices, one or all; ANY_DEVICES: as it is, or on all
 * if there is none. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status copy_of(const koshu_backend *backend, koshu_particles *particles,
                     size_t devices, koshu_cuda_copy **copy);

/* Makes the fields that sums read and write available on the store's copy. */
koshu_status start_forces(koshu_particles *particles, unsigned fields);

/* Calls work(k) for each slice, in the thread of its device. */
template <class Work>
cudaError_t
by_slices(koshu_cuda_copy *copy, const Work &work)
{
    return by_members(copy->group, copy->slices.devices, work);
}

} /* namespace koshu */

#endif
