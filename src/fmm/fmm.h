/* SPDX-License-Identifier: MIT */
/*
 * The fast multipole method: what its operators multiply by, and the cells
 * of a tree with their expansions.
 */
#ifndef KOSHU_FMM_FMM_H
#define KOSHU_FMM_FMM_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

#include "tree/tree.h"

enum { KOSHU_MAX_ORDER = 20 };

/* A dense matrix between some coefficients and others; `matrix`: where its
 * numbers are, row by row. */
struct koshu_expansion_block {
    uint8_t rows, columns;
    uint16_t from[KOSHU_MAX_ORDER + 1], to[KOSHU_MAX_ORDER + 1];
    uint32_t matrix;
};

/*
 * Of order p; see kernels/expansion.h. The coefficients are there in both
 * precisions; regular, gradient and shift are where those kinds begin.
 */
struct koshu_expansion {
    int p;
    int n_exchange, n_along;
    struct koshu_expansion_block *exchange; /* of x and z */
    struct koshu_expansion_block *along;    /* M2L along z */
    size_t regular, gradient, shift;
    size_t n;
    double *f64;
    float *f32;
};

/* 1 <= p <= KOSHU_MAX_ORDER. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_expansion_create(struct koshu_context *context, int p,
                                    struct koshu_expansion **expansion);
/* NULL is allowed. */
void koshu_expansion_destroy(struct koshu_expansion *expansion);

/* ---- cells.c ------------------------------------------------------------- */

/*
 * The cells of a tree: what the operators see of them. A cell's expansions are
 * about the middle of the box that its particles fill, in lengths of its own: a
 * power of two, its radius or up to twice that. All of its particles are
 * within the radius, which is not less than the 256th part of its
 * parent's: a single particle has a length, too, such that what is far
 * from it is some of these away.
 */
struct koshu_fmm_cells {
    const struct koshu_cell *cell;
    size_t n;                   /* particles */
    const double *px, *py, *pz; /* in the tree's order */
    size_t n_rhs;               /* right-hand sides */
    const double *charge;       /* of each n; NULL where they are no sources */
    const double *per_charge;   /* a power of two for each */
    double *x, *y, *z, *radius, *length;
    double *extent;          /* the radius without that bound: 0 of a point */
    void *multipole, *local; /* `stride` numbers for each cell and, side by
                                side, each right-hand side */
    size_t stride, capacity, bytes;
};

/* Of a tree whose cells are there; n_rhs expansions of `terms` numbers of
 * `real` bytes. Begun as {0}; charges are the caller's to set.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_cells_make(struct koshu_fmm_cells *cells,
                                  const struct koshu_tree *tree, size_t n_rhs,
                                  int terms, size_t real);
void koshu_fmm_cells_free(struct koshu_fmm_cells *cells);

/* ---- lists.c ------------------------------------------------------------- */

/* Which pairs of cells act by their expansions. */
struct koshu_fmm_criterion {
    double theta; /* radii together over the distance: at most */
    double apart; /* and the distance of any two particles: at least */
};

/* Of one cell of the targets. */
struct koshu_fmm_lists {
    uint32_t *far;     /* act by their multipoles on its local expansion */
    uint32_t *same;    /* all of their particles, and its own, are in one point
                        */
    uint32_t *near;    /* leaves that act, particle by particle, on this leaf */
    uint32_t *pending; /* its children are to ask */
    uint32_t *stack;
    size_t n_far, n_same, n_near, n_pending, n_stack;
    size_t capacity_far, capacity_same, capacity_near, capacity_pending,
            capacity_stack;
};

/*
 * A step of the dual traversal (Warren & Salmon 1995; Dehnen 2002): the source
 * cells that a target's parent left over are far, or near, or are cut, or left
 * to the target's children, whichever of the two is larger being cut.
 * Lists begun as {0}. KOSHU_ERROR_OUT_OF_MEMORY, without a message.
 */
koshu_status koshu_fmm_lists_make(struct koshu_fmm_lists *lists,
                                  const struct koshu_fmm_criterion *criterion,
                                  const struct koshu_fmm_cells *targets,
                                  uint32_t target,
                                  const struct koshu_fmm_cells *sources,
                                  size_t n, const uint32_t *source);
void koshu_fmm_lists_free(struct koshu_fmm_lists *lists);

#endif
