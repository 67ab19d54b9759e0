/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store divided over the devices of a group: each has a part of
 * the j-particles (backend/j_parts.h), gets all i-particles, and sums over its
 * own; the host adds the sums in the order of the devices. Compare
 * integrate/divided_store.h, which divides over ranks into contiguous parts:
 * there the number of particles never changes.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_DIVIDED_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_DIVIDED_CUH

#include "backend/cuda/devices/group.cuh"
#include "backend/cuda/j_store/store.cuh"

struct koshu_cuda_divided_store {
    koshu_backend_j_store base; /* first: pointers are cast */
    koshu_cuda_group *group;
    koshu_cuda_j_store *part[KOSHU_MAX_DEVICES]; /* of each device; NULL:
                                                  * none */

    /* The last sums. */
    size_t n_j;
    uint32_t n_i;
    bool nearest;
};

namespace koshu {

/* Like koshu_j_store_ops.open(), for a group of several devices: replaces the
 * store's operations by those of a divided store. */
koshu_status open_divided_store(koshu_backend_j_store *store);

} /* namespace koshu */

#endif
