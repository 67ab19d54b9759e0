/* SPDX-License-Identifier: MIT */
/*
 * Friends of friends (analysis/friends.h) by a device: particles in the order
 * of cells, and cells that are joined where two of their particles are friends.
 * The same as by the processors, bit for bit.
 */
#ifndef KOSHU_BACKEND_FRIENDS_H
#define KOSHU_BACKEND_FRIENDS_H

#include <stddef.h>
#include <stdint.h>

struct koshu_friends_task {
    size_t n;           /* particles, 1 to 2^32 - 2 */
    const double *x[3]; /* on the host, anywhere */
    double box, length; /* periodic in box; friends are no further apart */
    size_t edge; /* cells along the box, at most 2^21: the diagonal of one is no
                    longer than length */
};

/* The caller frees each with koshu_free(). */
struct koshu_friends_cells {
    size_t n;        /* cells that hold particles */
    uint32_t *index; /* particles by cell, in each ascending */
    uint32_t *first; /* n + 1: of index */
    uint32_t *root;  /* of each cell: the first that it is joined with */
};

#endif
