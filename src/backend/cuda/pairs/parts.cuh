/* SPDX-License-Identifier: MIT */
/*
 * Parts of forces, each from some of the j-particles, and their sum in a fixed
 * order, so that every run gives the same bits.
 *
 * A part of n particles is [4][n]: accelerations, then potentials, in the
 * caller's units.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_PARTS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_PARTS_CUH

#include "backend/cuda/pairs/recompute.cuh"
#include "base/base.h"

namespace koshu {

/* n particles distributed over `devices`, as in koshu_slice_of(); the parts of
 * all slices are stored one after another. */
struct distribution {
    size_t n, devices;
    size_t each, longer; /* particles; the first `longer` slices have one
                          * more */
    double per_particle; /* slices per particle */

    distribution() = default;
    distribution(size_t all, size_t among)
        : n(all), devices(among), each(all / among), longer(all % among),
          per_particle(all > 0 ? (double)among / (double)all : 0)
    {
    }
    __host__ __device__ size_t first(size_t k) const
    {
        return k * each + (k < longer ? k : longer);
    }
    __host__ __device__ size_t count(size_t k) const
    {
        return each + (k < longer);
    }
    __host__ __device__ size_t of(size_t i) const
    {
        size_t k = (size_t)((double)i * per_particle);
        while (first(k) > i) k--;
        while (first(k + 1) <= i) k++;
        return k;
    }
};

/* Where the part of each slice goes: to the device that owns it, or into one
 * array from which it is sent. */
struct part_targets {
    double *all; /* NULL: to the devices */
    double *of[KOSHU_MAX_DEVICES];

    __device__ double *
    component(const distribution &slices, size_t i, unsigned c) const
    {
        const size_t k = slices.of(i), first = slices.first(k);
        double *part = all ? all + 4 * first : of[k];
        return part + c * slices.count(k) + i - first;
    }
};

/* The parts of the forces on n particles. in_a_row parts are added in sequence;
 * the sums of the rows, whose number is a power of two, are added in pairs,
 * then in pairs of pairs. */
struct parts_list {
    const double *part[KOSHU_MAX_DEVICES];
    size_t rows, in_a_row, n;
};

enum {
    PARTS_LANES = 32,
    PARTS_GROUPS = 8,
    PARTS_AT_ONCE = 4, /* being loaded */
    LOG_MAX_DEVICES = 6
};
static_assert(KOSHU_MAX_DEVICES <= 1 << LOG_MAX_DEVICES, "pairs of pairs");

/* The element `at` summed over all parts. */
KOSHU_DEVICE double
sum_of_parts(const parts_list &list, size_t at)
{
    double sum = 0, held[LOG_MAX_DEVICES]; /* sums of 2^k rows, until the next
                                            * 2^k are done */
    const double *const *part = list.part;
    for (size_t row = 0; row < list.rows; row++, part += list.in_a_row) {
        sum = 0;
        for (size_t k = 0; k < list.in_a_row; k += PARTS_AT_ONCE) {
            double next[PARTS_AT_ONCE];
#pragma unroll
            for (int c = 0; c < PARTS_AT_ONCE; c++)
                next[c] = k + c < list.in_a_row ? part[k + c][at] : 0;
#pragma unroll
            for (int c = 0; c < PARTS_AT_ONCE; c++) sum += next[c];
        }
        bool joins = true;
#pragma unroll
        for (int k = 0; k < LOG_MAX_DEVICES; k++) {
            if (!joins) continue;
            joins = row >> k & 1;
            if (joins)
                sum = held[k] + sum;
            else
                held[k] = sum;
        }
    }
    return sum;
}

/* Particle i is listed for recomputation as number first + i. */
template <class P>
static __global__ void
__launch_bounds__(PARTS_LANES *PARTS_GROUPS)
        add_parts(const __grid_constant__ parts_list list,
                  const __grid_constant__ force_out out, size_t first,
                  const __grid_constant__ recompute_args<P> recompute)
{
    __shared__ double absolute[3][PARTS_LANES];
    __shared__ cancellation_sample sampled[PARTS_GROUPS][PARTS_LANES];
    const unsigned lane = threadIdx.x, group = threadIdx.y;
    const size_t i = (size_t)blockIdx.x * PARTS_LANES + lane;
    wait_for_previous_kernel();
    if (i < list.n) {
        if constexpr (recomputes<P>)
            sampled[group][lane] = sample<P, SAMPLES / PARTS_GROUPS>(
                    recompute, recompute.whole,
                    group * (SAMPLES / PARTS_GROUPS),
                    recompute.i.q[0][first + i]);
        if (group < (out.potential ? 4 : 3)) {
            const double sum = sum_of_parts(list, group * list.n + i);
            put_result(out, group, i, sum);
            if (group < 3) absolute[group][lane] = fabs(sum);
        }
    }
    __syncthreads();
    if (group > 0) return;
    if (lane == 0 && in_last_block()) note_end(out.progress);
    if constexpr (recomputes<P>) {
        if (i >= list.n) return;
        cancellation_sample all = sampled[0][lane];
        for (int g = 1; g < PARTS_GROUPS; g++) all.add(sampled[g][lane]);
        list_cancellation(
                recompute, first + i, 0, recompute.i.q[0][first + i], all,
                absolute[0][lane] + absolute[1][lane] + absolute[2][lane],
                recompute.part);
    }
}

} /* namespace koshu */

#endif
