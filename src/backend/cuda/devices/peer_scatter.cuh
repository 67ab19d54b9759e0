/* SPDX-License-Identifier: MIT */
/* Packed particles, written into the memory of several devices at once. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PEER_SCATTER_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PEER_SCATTER_CUH

#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

/* Where the first of the particles goes; all have the same capacity. */
struct scatter_targets {
    void *base[KOSHU_MAX_DEVICES];
    size_t n, capacity;
};

/* The first n particles of `from`, of so many quads each. */
cudaError_t peer_scatter(const koshu_cuda *cuda, const packed_memory &from,
                         size_t n, size_t quads, const scatter_targets &to);

} /* namespace koshu */

#endif
