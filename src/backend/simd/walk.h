/* SPDX-License-Identifier: MIT */
/*
 * The kernels of interaction lists, of each instruction set.
 */
#ifndef KOSHU_BACKEND_SIMD_WALK_H
#define KOSHU_BACKEND_SIMD_WALK_H

#include <stdbool.h>

#include "backend/backend.h"

/* One walk; its rows begin with it, and those that nothing reads are NULL. */
struct simd_walk {
    size_t n_i, n_j, n_cells;
    bool own;
    const float *i[KOSHU_WALK_SPLIT], *j[KOSHU_WALK_SPLIT],
            *cell[KOSHU_WALK_CELL];
    double *result[4];
};

typedef void simd_walk_kernel(const struct simd_walk *walk);

/* The kernel for a task. One function for each instruction set. */
simd_walk_kernel *koshu_simd_walk_avx512(const struct koshu_walk_task *task);
simd_walk_kernel *koshu_simd_walk_avx2(const struct koshu_walk_task *task);
simd_walk_kernel *koshu_simd_walk_sse42(const struct koshu_walk_task *task);
simd_walk_kernel *koshu_simd_walk_base(const struct koshu_walk_task *task);

#endif
