/* SPDX-License-Identifier: MIT */
/* Memory layout of sums with jerk. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_JERK_ROWS_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_JERK_ROWS_CUH

#include <cmath>
#include <cstddef>

#include "backend/cuda/pairs/jerk_lane.cuh"

namespace koshu {

/* One row per component; with nearest neighbours also one for r2, and one for
 * the address at which their search begins. */
template <bool NEAREST>
constexpr int jerk_rows = JERK_COMPONENTS + (NEAREST ? 2 : 0);
enum { ROW_NEAREST_R2 = JERK_COMPONENTS, ROW_NEAREST_FIRST };

template <bool NEAREST>
KOSHU_DEVICE void
clear_jerk_rows(double *row)
{
    for (int c = 0; c < jerk_rows<NEAREST>; c++) row[c] = 0;
    if (NEAREST) row[ROW_NEAREST_R2] = INFINITY;
}

/* Adds rows at distances `stride`. */
template <bool NEAREST>
KOSHU_DEVICE void
add_jerk_rows(double *row, const double *part, size_t stride)
{
    for (int c = 0; c < JERK_COMPONENTS; c++) row[c] += part[c * stride];
    if (NEAREST)
        keep_nearer(&row[ROW_NEAREST_R2], &row[ROW_NEAREST_FIRST],
                    part[ROW_NEAREST_R2 * stride],
                    part[ROW_NEAREST_FIRST * stride]);
}

} /* namespace koshu */

#endif
