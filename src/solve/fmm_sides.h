/* SPDX-License-Identifier: MIT */
/* What the parts of an evaluation by the FMM share. */
#ifndef KOSHU_SOLVE_FMM_SIDES_H
#define KOSHU_SOLVE_FMM_SIDES_H

#include "fmm/fmm.h"
#include "solve/fmm.h"
#include "tree/tree.h"

/* Particles, in a tree of theirs. */
struct koshu_fmm_side {
    struct koshu_tree tree;
    struct koshu_fmm_cells cells;
};

struct koshu_fmm_descent; /* memory of the way down */

struct koshu_fmm {
    struct koshu_backend *backend;
    const struct koshu_fmm_kernels *kernels;
    struct koshu_expansion *expansion;
    struct koshu_fmm_options options;
    struct koshu_fmm_side sources, targets; /* targets: where they differ */
    struct koshu_fmm_descent *descent;
    struct koshu_laplace_report report;
};

/* ---- fmm_down.c ---------------------------------------------------------- */

koshu_status koshu_fmm_descent_create(struct koshu_context *context,
                                      struct koshu_fmm_descent **descent);
/* NULL is allowed. */
void koshu_fmm_descent_destroy(struct koshu_fmm_descent *descent);

/* The sums of all targets, once the sources have multipoles; apart: targets are
 * a side of their own. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_descend(struct koshu_fmm *fmm,
                               const struct koshu_force_task *task, bool apart,
                               const struct koshu_force_sums *result);

#endif
