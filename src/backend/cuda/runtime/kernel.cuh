/* SPDX-License-Identifier: MIT */
/* What kernels have in common, whatever they compute. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_KERNEL_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_KERNEL_CUH

#define KOSHU_DEVICE static __device__ __forceinline__

namespace koshu {

enum { WARP = 32 };

/* Kernels of a stream overlap their launches: each waits here, before it
 * touches memory, for the one before it, and lets the next one be launched.
 * (Compute capability 9.0; before that, a launch waits by itself.) */
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
