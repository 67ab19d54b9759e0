/* SPDX-License-Identifier: MIT */
/* Lets blocks finish what others have started, without another kernel. Also
 * compiled at run time (interaction/sum.cuh). */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_ARRIVE_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_ARRIVE_CUH

#ifndef __CUDACC_RTC__
#include <cstddef>

#include "backend/cuda/runtime/kernel.cuh"
#endif

namespace koshu {

/* Increments the counter, and wraps it from `max_value` to 0; returns the old
 * value. Orders memory: writes of this block's threads before their last
 * barrier come before it, and what other blocks wrote before theirs is visible
 * after it. */
KOSHU_DEVICE unsigned
count_up(unsigned *counter, unsigned max_value)
{
    unsigned old;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(counter), "r"(max_value)
                 : "memory");
    return old;
}

/* Is this block the last of `count` to get here? What the others wrote before
 * is then visible to all its threads. The counter is 0 again afterwards. */
KOSHU_DEVICE bool
comes_last(unsigned *arrived, size_t count)
{
    __shared__ bool last;
    const unsigned max_value = (unsigned)count - 1;
    __syncthreads();
    if (threadIdx.x == 0) last = count_up(arrived, max_value) == max_value;
    __syncthreads();
    return last;
}

} /* namespace koshu */

#endif
