/* SPDX-License-Identifier: MIT */
/* A particle store's fields on several devices, and what their sums need. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTICLES_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTICLES_CUH

#include "backend/cuda/devices/group.cuh"
#include "backend/cuda/particles/store.cuh"

namespace koshu {

/* Of one device. */
struct slice_on_device {
    koshu_cuda_store *store;
    buffer all;   /* the packed particles of all slices, zero beyond the last */
    buffer parts; /* of the forces on this slice: one after the other */
    buffer given; /* this device's parts of the forces on all slices */
};

} /* namespace koshu */

struct koshu_cuda_group_store {
    koshu_cuda_group *group;
    koshu::distribution slices;
    koshu::slice_on_device slice[KOSHU_MAX_DEVICES];
    /* What there is memory for. */
    const koshu::precision_functions *ready_for;
    bool gives;
};

#endif
