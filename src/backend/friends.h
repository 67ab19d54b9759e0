/* SPDX-License-Identifier: MIT */
/*
 * Friends of friends (analysis/friends.h) on a device: sorts particles by
 * cells, joins cells if two of their particles are friends, and collects the
 * particles of joined cells. Results are bit for bit those of the processors.
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
    size_t least; /* particles of a set, 1 or more; smaller ones are left out */
};

/* Sets of friends, in the order of their first cells. */
struct koshu_friends_sets {
    size_t n;
    size_t *first;    /* n + 1 offsets into member */
    uint32_t *member; /* particles, ascending within each set */
};

#endif
