/* SPDX-License-Identifier: MIT */
/* Blocks that finish what others have begun, without a kernel of its own. Also
 * compiled at run time (interaction/sum.cuh). */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_ARRIVE_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_ARRIVE_CUH

#ifndef __CUDACC_RTC__
#include <cstddef>

#include "backend/cuda/runtime/kernel.cuh"
#endif

namespace koshu {

/* Adds 1, from `max_value` to 0; returns the old value. Writes of this block's
 * threads before their last barrier come before it, and what others wrote
 * before theirs is seen after it. */
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

/* Is this CUDA block the last of `count` that come here? What the others wrote
 * before is then seen by all its threads. Counts from 0 again afterwards. */
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
