/* SPDX-License-Identifier: MIT */
/*
 * Friends of friends (analysis/friends.h) on a device: sorts particles by
 * cells, and joins cells if two of their particles are friends. Results are bit
 * for bit those of the processors.
 */
#ifndef KOSHU_BACKEND_FRIENDS_H
#define KOSHU_BACKEND_FRIENDS_H

#include <stddef.h>
#include <stdint.h>

struct koshu_friends_task {
    size_t n;           /* particles, 1 to 2^32 - 2 */
    const double *x[3]; /* on the host; need not be in the box */
    double box, length; /* edge of the periodic box; linking length */
    size_t edge; /* cells along the box, at most 2^21; the diagonal of a cell is
                  * no longer than the linking length */
};

/* The caller frees each with koshu_free(). */
struct koshu_friends_cells {
    size_t n;        /* nonempty cells */
    uint32_t *index; /* particles by cell, ascending within each */
    uint32_t *first; /* n + 1 offsets into index */
    uint32_t *root;  /* of each cell: the first cell that it is joined with */
};

#endif
