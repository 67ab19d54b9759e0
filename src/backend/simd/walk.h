/* SPDX-License-Identifier: MIT */
/*
 * The kernels of interaction lists, of each instruction set.
 */
#ifndef KOSHU_BACKEND_SIMD_WALK_H
#define KOSHU_BACKEND_SIMD_WALK_H

#include <stdbool.h>

#include "backend/backend.h"

/* One walk of a batch; arrays begin with it. */
struct simd_walk {
    size_t n_i, n_j, n_cells;
    struct koshu_walk_points i, j;
    const float *eps2, *j_mass;
    struct koshu_walk_cells cells;
    bool own;
    struct koshu_force_sums result;
};

typedef void simd_walk_kernel(const struct simd_walk *walk);

/* The kernel for a task; split: positions have low parts. One function for
 * each instruction set. */
simd_walk_kernel *
koshu_simd_walk_avx512(const struct koshu_walk_task *task, bool split);
simd_walk_kernel *
koshu_simd_walk_avx2(const struct koshu_walk_task *task, bool split);
simd_walk_kernel *
koshu_simd_walk_sse42(const struct koshu_walk_task *task, bool split);
simd_walk_kernel *
koshu_simd_walk_base(const struct koshu_walk_task *task, bool split);

#endif
