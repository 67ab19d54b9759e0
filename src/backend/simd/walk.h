/* SPDX-License-Identifier: MIT */
/*
 * The kernels of interaction lists, for each instruction set.
 */
#ifndef KOSHU_BACKEND_SIMD_WALK_H
#define KOSHU_BACKEND_SIMD_WALK_H

#include <stdbool.h>

#include "backend/backend.h"

/* One walk: its rows start at its first elements; rows that are not needed are
 * NULL. */
struct simd_walk {
    size_t n_i, n_j, n_cells;
    bool own;
    const float *i[KOSHU_WALK_SPLIT], *j[KOSHU_WALK_SPLIT],
            *cell[KOSHU_WALK_CELL];
    double *result[4];
};

typedef void simd_walk_kernel(const struct simd_walk *walk);

#endif
