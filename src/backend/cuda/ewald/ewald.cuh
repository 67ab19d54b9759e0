/* SPDX-License-Identifier: MIT */
/*
 * Ewald sums on a device. Sources are processed in slices, which limits the
 * memory; each slice is summed in chunks, which are added in order, so that
 * every run gives the same bits. Waves take most of the time; four rows of real
 * numbers represent both signs of n_z (solve/ewald_waves.h).
 */
#ifndef KOSHU_BACKEND_CUDA_EWALD_EWALD_CUH
#define KOSHU_BACKEND_CUDA_EWALD_EWALD_CUH

#include <cub/block/block_reduce.cuh>

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"
#include "backend/ewald.h"

namespace koshu {

enum { EWALD_THREADS = 256, EWALD_CHUNKS = 48 };

/* A thread has WAVES waves with the same n_x and n_y, and consecutive n_z from
 * this one on. */
enum { WAVES = 8, WAVE_ROWS = 4 };
struct wave_row {
    short x, y, z;
};

/* A slice of the sources. */
struct ewald_slice {
    size_t n;
    const double *x[3], *charge;
};

struct ewald_sums {
    const koshu_ewald_task *task;
    size_t n_rows;
    buffer row, wave_part, wave; /* rows; sums of chunks; weighted totals */
    buffer source, at, weight;
    buffer pair_part, result;
};

/* The sum over a block's threads, in its first thread. */
static __device__ __forceinline__ double
sum_of_block(double value)
{
    using reduce = cub::BlockReduce<double, EWALD_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    __syncthreads();
    return reduce(storage).Sum(value);
}

/* Lists the rows of the sphere of waves. */
cudaError_t make_wave_rows(koshu_cuda *cuda, ewald_sums *sums);
cudaError_t
add_waves(koshu_cuda *cuda, ewald_sums *sums, const ewald_slice &slice);
cudaError_t
add_pairs(koshu_cuda *cuda, ewald_sums *sums, const ewald_slice &slice);
/* After all slices: writes the waves' part of the results, then adds that of
 * pairs. */
cudaError_t finish_waves(koshu_cuda *cuda, ewald_sums *sums);
cudaError_t finish_pairs(koshu_cuda *cuda, ewald_sums *sums);

} /* namespace koshu */

#endif
