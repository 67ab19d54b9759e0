/* SPDX-License-Identifier: MIT */
#include "backend/cuda/devices/peer_scatter.cuh"

#include "backend/cuda/runtime/for_each.cuh"

using namespace koshu;

enum { SCATTER_THREADS = ITEM_THREADS };

static __global__ void
__launch_bounds__(SCATTER_THREADS)
        scatter_quads(const uint4 *from, size_t capacity, size_t n,
                      const __grid_constant__ scatter_targets to)
{
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * SCATTER_THREADS + threadIdx.x;
    if (i >= n) return;
    const uint4 quad = from[blockIdx.y * capacity + i];
    for (size_t k = 0; k < to.n; k++)
        static_cast<uint4 *>(to.base[k])[blockIdx.y * to.capacity + i] = quad;
}

cudaError_t
koshu::peer_scatter(const koshu_cuda *cuda, const packed_memory &from, size_t n,
                    size_t quads, const scatter_targets &to)
{
    if (n == 0) return cudaSuccess;
    return launch(cuda, scatter_quads, dim3(blocks_of(n).x, (unsigned)quads),
                  SCATTER_THREADS, 0, static_cast<const uint4 *>(from.base),
                  from.capacity, n, to);
}
