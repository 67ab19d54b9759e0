/* SPDX-License-Identifier: MIT */
/* The device copy of a particle store: a slice on each device of a group, or
 * all on the first. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_COPY_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_COPY_CUH

#include "backend/cuda/devices/group.cuh"
#include "backend/cuda/devices/partition.cuh"
#include "backend/cuda/particles/store.cuh"

struct koshu_cuda_copy {
    koshu_cuda_group *group;
    koshu::distribution slices; /* to the first slices.devices */
    koshu_cuda_store *store[KOSHU_MAX_DEVICES];

    /* What sums on several devices need besides; NULL until there is one. */
    koshu_backend_partition *part[KOSHU_MAX_DEVICES];
    const koshu::precision_functions *ready_for; /* there is memory; NULL: no */
    bool has_sums;                               /* for parts that are sent */
};

namespace koshu {

enum { ANY_DEVICES = 0 };

/* The copy on so many devices, one or all; ANY_DEVICES: as it is, on all where
 * there is none. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status copy_of(const koshu_backend *backend, koshu_particles *particles,
                     size_t devices, koshu_cuda_copy **copy);

/* The fields that sums read and write, to the copy that the store has. */
koshu_status start_forces(koshu_particles *particles, unsigned fields);

/* work(k) for each slice, by the thread of its device. */
template <class Work>
cudaError_t
by_slices(koshu_cuda_copy *copy, const Work &work)
{
    return by_members(copy->group, copy->slices.devices, work);
}

} /* namespace koshu */

#endif
