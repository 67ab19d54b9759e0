/* SPDX-License-Identifier: MIT */
/* What the parts of an evaluation by the FMM share. */
#ifndef KOSHU_SOLVE_FMM_SIDES_H
#define KOSHU_SOLVE_FMM_SIDES_H

#include "backend/backend.h"
#include "fmm/fmm.h"
#include "solve/fmm.h"
#include "tree/tree.h"

/* Particles, in a tree of theirs. */
struct koshu_fmm_side {
    struct koshu_tree tree;
    struct koshu_fmm_cells cells;
    double *strength; /* of sources: charges, and the unit of each set */
    size_t capacity_strength;
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

/* Where the fields go, and the Hessians' zz. */
void koshu_fmm_results(const struct koshu_laplace_result *result,
                       double *to[KOSHU_FMM_FIELDS + 1]);

/* The sums of all targets, once the sources have multipoles; apart: targets are
 * a side of their own. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_descend(struct koshu_fmm *fmm,
                               const struct koshu_force_task *task, bool apart,
                               const struct koshu_laplace_result *result);

/* ---- fmm_leaf.c ---------------------------------------------------------- */

/* Memory of a thread, and what it has done. */
struct koshu_fmm_worker {
    struct koshu_fmm_lists lists;
    uint32_t *pending; /* what the cells above the present one left over */
    size_t n_pending, capacity_pending;
    double *near; /* j-particles: x y z, charges of each right-hand side */
    size_t capacity_near;
    double *sums; /* of a leaf: i-particles x y z, near and far fields */
    size_t capacity_sums;
    uint64_t *self;
    size_t capacity_self;
    uint64_t m2l, pairs;
    double near_seconds;
};

/* A way down. */
struct koshu_fmm_down {
    struct koshu_fmm *fmm;
    const struct koshu_force_task *task;
    double *to[KOSHU_FMM_FIELDS + 1];     /* and zz; NULL: not requested */
    bool hessian;                         /* is requested */
    const struct koshu_fmm_side *targets; /* perhaps the sources */
    struct koshu_fmm_criterion criterion;
};

/* What a leaf's particles get, once its lists and local expansions are there.
 * KOSHU_ERROR_OUT_OF_MEMORY, without a message. */
koshu_status koshu_fmm_finish_leaf(const struct koshu_fmm_down *down,
                                   struct koshu_fmm_worker *w, uint32_t leaf);

/* ---- fmm_strengths.c ----------------------------------------------------- */

/* The points' charges, for the cells of a side. KOSHU_ERROR_NOT_FINITE, which
 * names the point; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_take_strengths(struct koshu_fmm_side *side,
                         const struct koshu_laplace_points *points);

#endif
