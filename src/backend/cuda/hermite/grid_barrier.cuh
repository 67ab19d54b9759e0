/* SPDX-License-Identifier: MIT */
/*
 * A barrier for all blocks of a grid, by one counter in L2. Every block of the
 * grid must be resident (a cooperative launch).
 *
 * What a thread wrote before the barrier is visible to all threads after it. A
 * flag raised before it is seen by all blocks after it, and by none before, so
 * that all blocks draw the same conclusion.
 */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_GRID_BARRIER_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_GRID_BARRIER_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

/* Number of arrivals in the low half (fewer than 2^31 per launch), flags in the
 * high half. */
using barrier_word = unsigned long long;

KOSHU_DEVICE void
raise_flag(barrier_word *barrier, unsigned flag)
{
    atomicOr(barrier, (barrier_word)flag << 32);
}

/* passes: how often this barrier has been passed since it was zero. Returns the
 * flags raised so far. */
KOSHU_DEVICE unsigned
pass_barrier(barrier_word *barrier, unsigned *passes)
{
    __shared__ unsigned flags;
    const unsigned expected = ++*passes * gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier_word seen;
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;"
                     :
                     : "l"(barrier)
                     : "memory");
        do
            asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                         : "=l"(seen)
                         : "l"(barrier)
                         : "memory");
        while ((int)((unsigned)seen - expected) < 0);
        flags = (unsigned)(seen >> 32);
    }
    __syncthreads();
    return flags;
}

} /* namespace koshu */

#endif
