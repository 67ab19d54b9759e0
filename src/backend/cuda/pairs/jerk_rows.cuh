/* SPDX-License-Identifier: MIT */
/* Sums with jerk in memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_ROWS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_ROWS_CUH

#include <cmath>
#include <cstddef>

#include "backend/cuda/pairs/jerk_precision.cuh"

namespace koshu {

/* A row for each component; with nearest neighbours one for r2, and one for
 * the address from which on to search them. */
template <bool NEAREST>
constexpr int jerk_rows = JERK_COMPONENTS + (NEAREST ? 2 : 0);
enum { ROW_NEAREST_R2 = JERK_COMPONENTS, ROW_NEAREST_FIRST };

/* Of (r2, address), the nearer; of equal ones the lower. */
KOSHU_DEVICE bool
is_nearer(double r2, double address, double than_r2, double than_address)
{
    return r2 < than_r2 || (r2 == than_r2 && address < than_address);
}

template <bool NEAREST>
KOSHU_DEVICE void
clear_jerk_rows(double *row)
{
    for (int c = 0; c < jerk_rows<NEAREST>; c++) row[c] = 0;
    if (NEAREST) row[ROW_NEAREST_R2] = INFINITY;
}

/* Adds rows that are `stride` after each other. */
template <bool NEAREST>
KOSHU_DEVICE void
add_jerk_rows(double *row, const double *part, size_t stride)
{
    for (int c = 0; c < JERK_COMPONENTS; c++) row[c] += part[c * stride];
    if (!NEAREST) return;
    const double r2 = part[ROW_NEAREST_R2 * stride],
                 first = part[ROW_NEAREST_FIRST * stride];
    if (is_nearer(r2, first, row[ROW_NEAREST_R2], row[ROW_NEAREST_FIRST])) {
        row[ROW_NEAREST_R2] = r2;
        row[ROW_NEAREST_FIRST] = first;
    }
}

} /* namespace koshu */

#endif
