/* SPDX-License-Identifier: MIT */
/*
 * Parts of koshu_friends_of_friends(): particles in cells (friends_cells.c),
 * cells joined (friends.c, friends_sets.c), both by a device where there is one
 * (friends_device.c), groups in order (friends_order.c).
 * Each loop over all particles is one of all threads; loops over parts give the
 * same result for any number of them.
 */
#ifndef KOSHU_ANALYSIS_FRIENDS_H
#define KOSHU_ANALYSIS_FRIENDS_H

#include <stdatomic.h>

#include "analysis/analysis.h"

struct friends {
    struct koshu_context *context;
    const struct koshu_particle_const_view *v;
    const struct koshu_friends_options *o;
    int threads;
    size_t edge;              /* cells along the box */
    size_t n_cells;           /* that hold particles */
    uint32_t *index;          /* particles by cell */
    double *x[3];             /* in the box, in the order of index */
    uint64_t *key;            /* of cells, ascending */
    uint32_t *first;          /* n_cells + 1: of index */
    _Atomic uint32_t *parent; /* of cells */
};

/* Where arrays of n are cut for threads. */
enum { FRIENDS_PARTS = 64 };

static inline size_t
koshu_friends_part(size_t n, size_t part)
{
    return n / FRIENDS_PARTS * part + n % FRIENDS_PARTS * part / FRIENDS_PARTS;
}

/* By a device, from edge: index, first, and parent, which is joined already.
 * *found: false where there is no device, or not enough memory of one. Status:
 * that of the backend. */
koshu_status koshu_friends_by_device(struct friends *f, bool *found);

/* By the processors, from edge: all but parent. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_friends_cells(struct friends *f);

/* The first cell of all that this one is joined with. */
uint32_t koshu_friends_root(struct friends *f, uint32_t cell);

/* The smaller root becomes the other's parent: in the end the root of a set is
 * its first cell, whichever thread came first. */
void koshu_friends_join(struct friends *f, uint32_t a, uint32_t b);

/* From index, first, and a parent that is joined; of f, only parent is used
 * afterwards. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_friends_order(struct friends *f, struct koshu_fof *groups);

void koshu_friends_free_cells(struct friends *f);

#endif
