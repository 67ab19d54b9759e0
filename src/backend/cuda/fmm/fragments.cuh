/* SPDX-License-Identifier: MIT */
/*
 * The matrices of cell-to-cell translations (kernels/expansion.h) in the form
 * that tensor cores take: fragments of 4 columns and 8 rows, a number for each
 * lane of a warp. The vectors that they multiply are held by the four lanes of
 * a quad, index i in lane i % 4, so that the result of one product is laid out
 * as input of the next.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_FRAGMENTS_CUH
#define KOSHU_BACKEND_CUDA_FMM_FRAGMENTS_CUH

#include <cstdint>

#include "backend/cuda/runtime/buffer.cuh"
#include "fmm/fmm.h"

namespace koshu {

/*
 * In device memory. exchange: the exchange of x and z, for each degree n, for
 * cosines and sines and for even and odd m separately; matrix index m / 2. m2l,
 * m2m, l2l: translations along z, for each m; matrix index n less the largest
 * multiple of 4 not above m. first[m]: where the matrix of m begins.
 */
struct fmm_fragments {
    int p;
    uint16_t first[KOSHU_MAX_ORDER + 1];
    const double *exchange, *m2l, *m2m, *l2l;
};

/* The size of a matrix in fragments: columns and rows. */
struct fragment_counts {
    int steps, tiles;
};

static constexpr __host__ __device__ fragment_counts
fragments_of_steps(int steps)
{
    return {steps, (steps + 1) / 2};
}

/* For degree n, which has n / 2 + 1 even m at most. */
static constexpr __host__ __device__ fragment_counts
exchange_fragments(int n)
{
    return fragments_of_steps(n / 8 + 1);
}

/* Where degree n begins among the fragments: each degree has 4 below 8, 8 below
 * 16, and 24 from there on. */
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

/* Uploads all matrices of an expansion. */
cudaError_t upload_fragments(const koshu_expansion &e, buffer *memory,
                             fmm_fragments *fragments);

} /* namespace koshu */

#endif
