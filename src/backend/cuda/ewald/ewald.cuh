/* SPDX-License-Identifier: MIT */
/*
 * Ewald's sums on a device: sources come in slices, which bound the memory;
 * each is added up in chunks, and these in their order: the same bits from any
 * run. The larger part is the waves, of which four rows of real numbers have
 * both signs of n_z (solve/ewald_waves.h).
 */
#ifndef KOSHU_BACKEND_CUDA_EWALD_EWALD_CUH
#define KOSHU_BACKEND_CUDA_EWALD_EWALD_CUH

#include <cub/block/block_reduce.cuh>

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"
#include "backend/ewald.h"

namespace koshu {

enum { EWALD_THREADS = 256, EWALD_CHUNKS = 48 };

/* Waves of a thread: of one n_x and n_y, this n_z and those that follow. */
enum { WAVES = 8, WAVE_ROWS = 4 };
struct wave_row {
    short x, y, z;
};

/* A part of the sources. */
struct ewald_slice {
    size_t n;
    const double *x[3], *charge;
};

struct ewald_sums {
    const koshu_ewald_task *task;
    size_t n_rows;
    buffer row, wave_part, wave; /* rows; sums of chunks; of all, weighted */
    buffer source, at, weight;
    buffer pair_part, result;
};

/* What a block's threads have, in the first of them. */
static __device__ __forceinline__ double
sum_of_block(double value)
{
    using reduce = cub::BlockReduce<double, EWALD_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    __syncthreads();
    return reduce(storage).Sum(value);
}

/* The rows of the sphere of waves. */
cudaError_t make_wave_rows(koshu_cuda *cuda, ewald_sums *sums);
cudaError_t
add_waves(koshu_cuda *cuda, ewald_sums *sums, const ewald_slice &slice);
cudaError_t
add_pairs(koshu_cuda *cuda, ewald_sums *sums, const ewald_slice &slice);
/* Of all slices: waves to the results, then pairs in addition. */
cudaError_t finish_waves(koshu_cuda *cuda, ewald_sums *sums);
cudaError_t finish_pairs(koshu_cuda *cuda, ewald_sums *sums);

} /* namespace koshu */

#endif
