/* SPDX-License-Identifier: MIT */
/*
 * Formulas of pair interactions: no loops over N, no memory.
 *
 * A formula is a function template in plain C: its file is included by each
 * backend once per number type, after
 *
 *     #define KOSHU_REAL    the type: double, float, a vector of floats
 *     #define KOSHU_TYPED(name)   name with the type's suffix
 *
 * so that ref, simd and cuda share the source. It uses only C's operators,
 * which GCC and Clang apply to vectors lane by lane.
 */
#ifndef KOSHU_KERNELS_KERNELS_H
#define KOSHU_KERNELS_KERNELS_H

#ifdef __CUDACC__
#define KOSHU_HD static __host__ __device__ __forceinline__
/* For functions so large that device code should contain them only once. */
#define KOSHU_HD_CALLED static __host__ __device__ __noinline__
#else
#define KOSHU_HD static inline __attribute__((always_inline, unused))
#define KOSHU_HD_CALLED KOSHU_HD
#endif

/* Before a loop whose number of iterations is known at compile time. */
#ifdef __CUDA_ARCH__
#define KOSHU_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define KOSHU_UNROLL
#else
#define KOSHU_UNROLL _Pragma("GCC unroll 21")
#endif

#endif
