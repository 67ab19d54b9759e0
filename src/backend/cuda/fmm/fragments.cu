/* SPDX-License-Identifier: MIT */
/* Cuts the matrices of the translations into fragments, and uploads them. */
#include "backend/cuda/fmm/fragments.cuh"

#include <cstdlib>

#include "backend/cuda/runtime/buffer.cuh"

#define KOSHU_REAL double
#define SCALAR double
#define KOSHU_TYPED(name) name
#include "kernels/kernels.h"
#include "kernels/expansion.h"

namespace koshu {

enum { LANES = 32 };

/* The place of a matrix element. by_column: the fragments of a column are
 * consecutive, otherwise those of a row. */
static size_t
place_of(const fragment_counts &f, int row, int column, bool by_column)
{
    const int step = column / 4, tile = row / 8;
    const int fragment =
            by_column ? step * f.tiles + tile : tile * f.steps + step;
    const int lane = 4 * (2 * (row % 4) + row / 4 % 2) + column % 4;
    return (size_t)fragment * LANES + (size_t)lane;
}

/* The largest n with n^2 <= k. */
static int
degree_of(int k)
{
    int n = 0;
    while ((n + 1) * (n + 1) <= k) n++;
    return n;
}

static void
write_exchange(const koshu_expansion &e, double *to)
{
    for (int b = 0; b < e.n_exchange; b++) {
        const koshu_expansion_block &block = e.exchange[b];
        const int n = degree_of(block.to[0]), middle = EXPANSION_AT(n, 0);
        const fragment_counts f = exchange_fragments(n);
        const double *c = e.f64 + block.matrix;
        for (int r = 0; r < block.rows; r++)
            for (int k = 0; k < block.columns; k++) {
                const int row = abs(block.to[r] - middle),
                          column = abs(block.from[k] - middle);
                const int sines = block.from[block.columns - 1] < middle;
                const int matrix = 2 * sines + column % 2;
                const int first =
                        first_exchange(n) + matrix * f.steps * f.tiles;
                to[(size_t)first * LANES +
                   place_of(f, row / 2, column / 2, false)] = *c++;
            }
    }
}

/* The element of order m from degree n to degree k. */
static double *
along_number(const fmm_fragments &all, double *to, int m, int n, int k)
{
    const int origin = m / 4 * 4;
    return to + (size_t)all.first[m] * LANES +
           place_of(along_fragments(all.p, m), k - origin, n - origin, true);
}

static void
write_m2l(const koshu_expansion &e, const fmm_fragments &all, double *to)
{
    for (int b = 0; b < e.n_along; b++) {
        const koshu_expansion_block &block = e.along[b];
        const int m = degree_of(block.from[0]);
        const double *c = e.f64 + block.matrix;
        for (int k = m; k <= e.p; k++)
            for (int n = m; n <= e.p; n++)
                *along_number(all, to, m, n, k) = *c++;
    }
}

static void
write_shifts(const koshu_expansion &e, const fmm_fragments &all, double *up,
             double *down)
{
    const double *c = e.f64 + e.shift;
    for (int n = 0; n <= e.p; n++)
        for (int k = 0; k <= n; k++)
            for (int m = 0; m <= k; m++, c++)
                *along_number(all, up, m, k, n) =
                        *along_number(all, down, m, n, k) = *c;
}

cudaError_t
upload_fragments(const koshu_expansion &e, buffer *memory,
                 fmm_fragments *fragments)
{
    int along = 0;
    fragments->p = e.p;
    for (int m = 0; m <= e.p; m++) {
        const fragment_counts f = along_fragments(e.p, m);
        fragments->first[m] = (uint16_t)along;
        along += f.steps * f.tiles;
    }
    const size_t exchange = (size_t)first_exchange(e.p + 1) * LANES,
                 each = (size_t)along * LANES, n = exchange + 3 * each;
    KOSHU_CUDA_TRY(memory->reserve(n * sizeof(double)));
    double *const host = static_cast<double *>(calloc(n, sizeof(double)));
    if (!host) return cudaErrorMemoryAllocation;
    double *const m2l = host + exchange;
    write_exchange(e, host);
    write_m2l(e, *fragments, m2l);
    write_shifts(e, *fragments, m2l + each, m2l + 2 * each);
    fragments->exchange = memory->as<double>();
    fragments->m2l = fragments->exchange + exchange;
    fragments->m2m = fragments->m2l + each;
    fragments->l2l = fragments->m2m + each;
    const cudaError_t error =
            cudaMemcpy(memory->as<double>(), host, n * sizeof(double),
                       cudaMemcpyHostToDevice);
    free(host);
    return error;
}

} /* namespace koshu */
