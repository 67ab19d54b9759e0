/* SPDX-License-Identifier: MIT */
/* The largest acceleration of a particle store, computed on the device. */
#include <cub/block/block_reduce.cuh>

#include "backend/cuda/particles/store.cuh"
#include "backend/cuda/runtime/for_each.cuh"

using namespace koshu;

struct larger_of {
    __device__ double operator()(double a, double b) const
    {
        return b > a ? b : a; /* b = NaN is ignored */
    }
};

/* The maximum goes into *bits, which is 0 at first: numbers >= 0 sort like
 * their bits, and a maximum does not depend on the order. Rounded like on the
 * host, so that steps are the same. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        find_largest(const double *ax, const double *ay, const double *az,
                     size_t n, unsigned long long *bits)
{
    using reduce = cub::BlockReduce<double, ITEM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    wait_for_previous_kernel();
    const size_t i = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x;
    double a2 = 0;
    if (i < n)
        a2 = __dadd_rn(
                __dadd_rn(__dmul_rn(ax[i], ax[i]), __dmul_rn(ay[i], ay[i])),
                __dmul_rn(az[i], az[i]));
    const double largest =
            reduce(storage).Reduce(a2 > 0 ? a2 : 0.0, larger_of());
    if (threadIdx.x == 0 && largest > 0)
        atomicMax(bits, (unsigned long long)__double_as_longlong(largest));
}

cudaError_t
koshu::largest_acceleration(koshu_cuda_store *s, double *a2)
{
    *a2 = 0;
    if (s->n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(sizeof *a2));
    void *bits = s->cuda->between_steps.as<void>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(bits, 0, sizeof *a2, s->cuda->stream));
    KOSHU_CUDA_TRY(launch(s->cuda, find_largest, blocks_of(s->n), ITEM_THREADS,
                          0, s->f.a[0], s->f.a[1], s->f.a[2], s->n,
                          (unsigned long long *)bits));
    const host_copy one = {bits, a2, sizeof *a2};
    return download(s->cuda, &one, 1);
}
