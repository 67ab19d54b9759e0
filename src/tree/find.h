/* SPDX-License-Identifier: MIT */
/*
 * The inner loops of a walk: which cells and particles act on a group, and
 * their copies for the list. Compiled once per instruction set, without fused
 * operations: lists are the same on all of them, bit for bit.
 */
#ifndef KOSHU_TREE_FIND_H
#define KOSHU_TREE_FIND_H

#include "tree/tree.h"

struct opening {
    double x, y, z, half_x, half_y, half_z; /* the group's box */
    uint32_t first, last;                   /* and particles */
    double factor2; /* (alpha a)^(-2/(p + 2)); 0: the geometric criterion */
    uint32_t few;   /* particles that no cell stands for */
    bool moments;   /* do cells have them? */
};

struct find_ops {
    /* Into walker->accepted and ->range, behind what is found already: cells,
     * and particles, the group's own among them. KOSHU_ERROR_OUT_OF_MEMORY,
     * without a message. */
    koshu_status (*find)(const struct koshu_tree *tree,
                         const struct opening *opening,
                         struct koshu_walker *walker,
                         struct koshu_walk_found *found);
    /* to[k] = x[k] - origin; low[k]: what rounding leaves, low may be NULL. */
    void (*copy)(float *to, float *low, const double *x, double origin,
                 size_t n);
    /* The cells index[0 ... n - 1], relative to the origin, to rows: x y z
     * mass, and with moments xx ... half_trace. */
    void (*copy_cells)(const struct koshu_tree *tree, const uint32_t *index,
                       size_t n, const double origin[3], bool moments,
                       float *const *row, size_t first);
};

extern const struct find_ops koshu_find_base, koshu_find_avx2,
        koshu_find_avx512;

#endif
