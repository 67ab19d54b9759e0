/* SPDX-License-Identifier: MIT */
/*
 * The matrices of cell-to-cell translations (kernels/expansion.h) as the matrix
 * units take them: cut into fragments of 4 columns and 8 rows, a number for
 * each lane of a warp. The numbers between which they stand are held by the
 * four lanes of a quad, what has index i in lane i % 4, so that what one
 * product gives is what the next one takes.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_FRAGMENTS_CUH
#define KOSHU_BACKEND_CUDA_FMM_FRAGMENTS_CUH

#include <cstdint>

#include "backend/cuda/runtime/buffer.cuh"
#include "fmm/fmm.h"

namespace koshu {

/*
 * In the device's memory. The exchange of x and z, of each degree n: for
 * cosines and sines, and those of even and odd m that it is applied to, a
 * matrix whose index is m / 2. Along z, of each m: those of M2L, M2M and L2L,
 * whose index is n less the last multiple of 4 that m is not below; first[m]:
 * where that of m begins.
 */
struct fmm_fragments {
    int p;
    uint16_t first[KOSHU_MAX_ORDER + 1];
    const double *exchange, *m2l, *m2m, *l2l;
};

/* Fragments of a matrix: so many columns, and rows. */
struct fragment_counts {
    int steps, tiles;
};

static constexpr __host__ __device__ fragment_counts
fragments_of_steps(int steps)
{
    return {steps, (steps + 1) / 2};
}

/* Of degree n, which has n / 2 + 1 even m at most. */
static constexpr __host__ __device__ fragment_counts
exchange_fragments(int n)
{
    return fragments_of_steps(n / 8 + 1);
}

/* Where degree n begins among the fragments: 4 for each degree below 8, 8 below
 * 16, 24 from there on. */
static constexpr __host__ __device__ int
first_exchange(int n)
{
    return n < 8 ? 4 * n : n < 16 ? 8 * n - 32 : 24 * n - 288;
}

static constexpr __host__ __device__ fragment_counts
along_fragments(int p, int m)
{
    return fragments_of_steps(p / 4 - m / 4 + 1);
}

/* Writes all of an expansion to the device's memory. */
cudaError_t upload_fragments(const koshu_expansion &e, buffer *memory,
                             fmm_fragments *fragments);

} /* namespace koshu */

#endif
