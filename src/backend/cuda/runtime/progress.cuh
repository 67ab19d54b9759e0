/* SPDX-License-Identifier: MIT */
/*
 * What the host can see of the device without waiting: how many sums are done,
 * and their time on the device's clock.
 */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_PROGRESS_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_PROGRESS_CUH

#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

struct alignas(16) sums_done { /* written in one operation */
    unsigned long long count, nanoseconds;
};

/* A device's progress; `begin` and `done` in its memory, `seen` in the
 * host's. */
struct progress {
    unsigned long long *begin;
    sums_done *done;
    sums_done *seen;
};

KOSHU_DEVICE unsigned long long
device_time()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* Called by one thread of the first kernel of a sum. begin = NULL: not this
 * kernel. */
KOSHU_DEVICE void
note_begin(unsigned long long *begin)
{
    if (begin && blockIdx.x == 0 && threadIdx.x == 0) *begin = device_time();
}

/* In a kernel whose blocks end at about the same time, this marks its end. */
KOSHU_DEVICE bool
in_last_block()
{
    return blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 &&
           blockIdx.z == gridDim.z - 1;
}

/* Called by one thread at the end of the last kernel of a sum. begin = NULL:
 * not this kernel. */
KOSHU_DEVICE void
note_end(const progress &p)
{
    if (!p.begin) return;
    sums_done d = *p.done;
    d.count++;
    d.nanoseconds += device_time() - *p.begin;
    *p.done = d;
    *p.seen = d;
}

} /* namespace koshu */

#endif
