/* SPDX-License-Identifier: MIT */
/*
 * The end of direct(): adds up the sums of a CUDA block's threads for each of
 * its i-particles, in an order that depends only on the sizes.
 *
 * Column c * width + r of a block of `width` i-particles is component c of the
 * r-th. A partial sum has all four components of a block.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_PARTIALS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_PARTIALS_CUH

#include <cstddef>

#include "backend/cuda/runtime/arrive.cuh"

namespace koshu {

/* i-particles and their partial sums: partial ... partial + partials - 1. */
struct direct_block {
    size_t i_first, i_count, partial, partials;
};

/* Column sums of J groups in shared memory; thread x adds up columns x, x +
 * THREADS, ... and passes them to put(column, sum). */
template <int THREADS, int J, int COLUMNS, int ROW, class Put>
KOSHU_DEVICE void
add_groups(const double (*by_group)[ROW], const Put &put)
{
#pragma unroll
    for (unsigned q = threadIdx.x; q < COLUMNS; q += THREADS) {
        double sum = by_group[0][q];
#pragma unroll
        for (int g = 1; g < J; g++) sum += by_group[g][q];
        put(q, sum);
    }
}

/* Adds the partial sums of a block, and passes them to give(component, index of
 * the i-particle, sum). If there are fewer columns than threads, several
 * threads divide a column; by_thread: THREADS, in shared memory. */
template <int THREADS, int COMPONENTS, class Give>
KOSHU_DEVICE void
add_partials(const direct_block &b, const double *partial, unsigned width,
             double *by_thread, const Give &give)
{
    const unsigned t = threadIdx.x, count = (unsigned)b.i_count;
    const unsigned columns = COMPONENTS * count;
    const unsigned parts = max(THREADS / columns, 1u);
    const double *first = partial + 4 * b.partial * width;
    for (unsigned q = t; q < columns * parts; q += THREADS) {
        const unsigned column = q % columns, c = column / count,
                       r = column % count;
        double sum = 0;
#pragma unroll 8
        for (size_t s = q / columns; s < b.partials; s += parts)
            sum += __ldcg(first + (4 * s + c) * width + r);
        if (parts == 1)
            give(c, r, sum);
        else
            by_thread[q] = sum;
    }
    if (parts == 1) return;
    __syncthreads();
    if (t >= columns) return;
    double sum = by_thread[t];
    for (unsigned part = 1; part < parts; part++)
        sum += by_thread[part * columns + t];
    give(t / count, t % count, sum);
}

} /* namespace koshu */

#endif
