/* SPDX-License-Identifier: MIT */
/* A treecode over several ranks: domains, essential trees, and sums. */
#ifndef KOSHU_SOLVE_TREE_RANKS_H
#define KOSHU_SOLVE_TREE_RANKS_H

#include "solve/treecode.h"

/* one_each: no two ranks share the device of an engine. Collective. *ranks is
 * to be destroyed whatever comes of it. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_UNSUPPORTED: the transport that is requested cannot be used. */
koshu_status koshu_tree_ranks_create(struct koshu_treecode *treecode,
                                     bool one_each,
                                     struct koshu_tree_ranks **ranks);
/* NULL is allowed. */
void koshu_tree_ranks_destroy(struct koshu_tree_ranks *ranks);

/*
 * koshu_treecode_forces() of the particles of all ranks, each on the rank that
 * owns it, by the work of the last forces, which becomes that of these; there
 * they stay, until the store is to have them. The same bits for the same
 * number of ranks and the same calls before. Collective.
 */
koshu_status koshu_tree_ranks_forces(struct koshu_tree_ranks *ranks,
                                     const struct koshu_force_task *task,
                                     struct koshu_particles *particles,
                                     unsigned fields,
                                     struct koshu_tree_report *report);

#endif
