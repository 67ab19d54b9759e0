/* SPDX-License-Identifier: MIT */
/*
 * The inner loops of a walk: they find the cells and particles acting on a
 * group, and copy them to the list. Compiled once per instruction set, without
 * fused operations, so that lists are the same on all of them, bit for bit.
 */
#ifndef KOSHU_TREE_FIND_H
#define KOSHU_TREE_FIND_H

#include "tree/tree.h"

struct opening {
    double x, y, z, half_x, half_y, half_z; /* the group's box */
    uint32_t first, last;                   /* and its particles */
    double factor2; /* (alpha a)^(-2/(p + 2)); 0: the geometric criterion */
    uint32_t few;   /* cells of up to this many are never taken as a whole */
    bool moments;   /* do cells have quadrupole moments? */
};

struct find_ops {
    /* Appends to walker->accepted and ->range: cells, and ranges of particles,
     * including the group's own. Status: KOSHU_ERROR_OUT_OF_MEMORY, without a
     * message. */
    koshu_status (*find)(const struct koshu_tree *tree,
                         const struct opening *opening,
                         struct koshu_walker *walker,
                         struct koshu_walk_found *found);
    /* to[k] = x[k] - origin; low[k]: its rounding error. low may be NULL. */
    void (*copy)(float *to, float *low, const double *x, double origin,
                 size_t n);
    /* Copies the cells index[0 ... n - 1], relative to the origin, to rows x y
     * z mass and, with moments, xx ... half_trace. */
    void (*copy_cells)(const struct koshu_tree *tree, const uint32_t *index,
                       size_t n, const double origin[3], bool moments,
                       float *const *row, size_t first);
};

/* ---- tree.c -------------------------------------------------------------- */

/* The tree of `n` consecutive particles of another, 1 or more, which keep their
 * keys, divided as the options of this one say. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_divide(struct koshu_tree *tree,
                               const struct koshu_tree *of, uint32_t first,
                               uint32_t n);

/* ---- walk.c -------------------------------------------------------------- */

/* Those of this processor's instruction set. */
const struct find_ops *koshu_find_ops(void);

/* Of a group that has none of the tree's particles; and the same as image k
 * sees it, of koshu_tree_images_of(). */
struct opening koshu_opening_of(const struct koshu_tree *tree,
                                const struct koshu_group *group, double a);
struct opening koshu_opening_in_image(const struct koshu_tree *tree,
                                      const struct opening *opening, size_t k);
size_t koshu_tree_images_of(const struct koshu_tree *tree);

extern const struct find_ops koshu_find_base, koshu_find_avx2,
        koshu_find_avx512;

#endif
