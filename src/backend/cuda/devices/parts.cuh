/* SPDX-License-Identifier: MIT */
/*
 * Parts of forces, each from some of the j-particles, and their sum in a fixed
 * order: the same bits from run to run.
 *
 * A part of n particles is [4][n]: accelerations, then potentials, in the
 * caller's units.
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTS_CUH

#include "backend/cuda/cancelled.cuh"
#include "base/base.h"

namespace koshu {

/* n particles dealt out to `devices`, as koshu_slice_of() has it; the parts of
 * all slices lie one after the other. */
struct deal {
    size_t n, devices;

    __host__ __device__ size_t first(size_t k) const
    {
        const size_t longer = n % devices;
        return k * (n / devices) + (k < longer ? k : longer);
    }
    __host__ __device__ size_t count(size_t k) const
    {
        return n / devices + (k < n % devices);
    }
    __host__ __device__ size_t of(size_t i) const
    {
        const size_t each = n / devices, longer = n % devices;
        return i < longer * (each + 1) ? i / (each + 1) : (i - longer) / each;
    }
    __device__ double *component(double *part, size_t i, unsigned c) const
    {
        const size_t k = of(i);
        return part + 4 * first(k) + c * count(k) + i - first(k);
    }
};

/* The parts of the forces on n particles. */
struct parts_list {
    const double *part[KOSHU_MOST_DEVICES];
    size_t parts, n;
};

enum { PARTS_LANES = 32, PARTS_GROUPS = 8 };

/* Particle i is number first + i of those that are listed to be summed again.
 */
template <class P>
static __global__ void
__launch_bounds__(PARTS_LANES *PARTS_GROUPS)
        add_parts(const __grid_constant__ parts_list list,
                  const __grid_constant__ force_out out, size_t first,
                  const __grid_constant__ again_args<P> again)
{
    __shared__ double magnitude[3][PARTS_LANES];
    __shared__ sampled_magnitude sampled[PARTS_GROUPS][PARTS_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * PARTS_LANES + lane;
    wait_for_previous_kernel();
    if (i < list.n) {
        if constexpr (sums_again<P>)
            sampled[group][lane] = sample<P, SAMPLES / PARTS_GROUPS>(
                    again, again.whole, group * (SAMPLES / PARTS_GROUPS),
                    again.i.q[0][first + i]);
        if (group < (out.potential ? 4 : 3)) {
            double sum = 0;
            for (size_t k = 0; k < list.parts; k++)
                sum += list.part[k][group * list.n + i];
            put_result(out, group, i, sum);
            if (group < 3) magnitude[group][lane] = fabs(sum);
        }
    }
    __syncthreads();
    if (group > 0) return;
    if (lane == 0 && in_last_block()) note_end(out.progress);
    if constexpr (sums_again<P>) {
        if (i >= list.n) return;
        sampled_magnitude all = sampled[0][lane];
        for (int g = 1; g < PARTS_GROUPS; g++) all.add(sampled[g][lane]);
        list_cancelled(again, first + i, 0, again.i.q[0][first + i], all,
                       magnitude[0][lane] + magnitude[1][lane] +
                               magnitude[2][lane],
                       again.part);
    }
}

} /* namespace koshu */

#endif
