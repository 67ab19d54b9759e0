/* SPDX-License-Identifier: MIT */
/*
 * The parts of koshu_friends_of_friends(): sorting particles into cells
 * (friends_cells.c), joining cells (friends.c, friends_sets.c), collecting the
 * particles of joined cells (friends_members.c), all three on a device if there
 * is one (friends_device.c), and sorting the sets (friends_order.c). All
 * threads share each loop over particles; results of loops over parts do not
 * depend on their number.
 */
#ifndef KOSHU_ANALYSIS_FRIENDS_H
#define KOSHU_ANALYSIS_FRIENDS_H

#include <stdatomic.h>

#include "analysis/analysis.h"
#include "backend/backend.h"

struct friends {
    struct koshu_context *context;
    const struct koshu_particle_const_view *v;
    const struct koshu_friends_options *o;
    int threads;
    size_t edge;              /* cells along the box's edge */
    size_t n_cells;           /* those that hold particles */
    uint32_t *index;          /* particles, by cell */
    double *x[3];             /* positions in the box, in the order of index */
    uint64_t *key;            /* of cells, ascending */
    uint32_t *first;          /* n_cells + 1 positions in index */
    _Atomic uint32_t *parent; /* of cells */
};

/* Arrays are divided into this many parts for the threads. */
enum { FRIENDS_PARTS = 64 };

static inline size_t
koshu_friends_part(size_t n, size_t part)
{
    return n / FRIENDS_PARTS * part + n % FRIENDS_PARTS * part / FRIENDS_PARTS;
}

/* From `edge`; *found: false if there is no device, or it lacks memory. Status:
 * the backend's. */
koshu_status koshu_friends_by_device(const struct friends *f,
                                     struct koshu_friends_sets *sets,
                                     bool *found);
void koshu_friends_free_sets(struct koshu_friends_sets *sets);

/* On the host, from `edge`: fills all but parent. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_friends_cells(struct friends *f);

/* The first of all cells joined with this one. */
uint32_t koshu_friends_root(struct friends *f, uint32_t cell);

/* The smaller root becomes the other's parent, so that the root of a set is
 * finally its first cell, whatever the order in which threads join cells. */
void koshu_friends_join(struct friends *f, uint32_t a, uint32_t b);

/* From index, first, and parent of joined cells; of f only parent is left.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_friends_members(struct friends *f, struct koshu_friends_sets *sets);

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_friends_order(const struct friends *f,
                                 const struct koshu_friends_sets *sets,
                                 struct koshu_fof *groups);

void koshu_friends_free_cells(struct friends *f);

#endif
