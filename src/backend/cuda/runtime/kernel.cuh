/* SPDX-License-Identifier: MIT */
/* Common parts of all kernels. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_KERNEL_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_KERNEL_CUH

#define KOSHU_DEVICE static __device__ __forceinline__

namespace koshu {

enum { WARP = 32 };

/* Kernels of a stream overlap: each waits here, before it accesses memory, for
 * the previous one, and lets the next one launch. (Compute capability 9.0; on
 * older devices a launch waits by itself.) */
KOSHU_DEVICE void
wait_for_previous_kernel()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

} /* namespace koshu */

#endif
