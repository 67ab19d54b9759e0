/* SPDX-License-Identifier: MIT */
/* The treecode over several ranks: domains, essential trees, and sums. */
#ifndef KOSHU_SOLVE_TREE_RANKS_H
#define KOSHU_SOLVE_TREE_RANKS_H

#include "solve/treecode.h"

/* one_each: no two ranks share the device of an engine. Collective. Destroy
 * *ranks whatever the status. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_UNSUPPORTED: the requested transport cannot be used. */
koshu_status koshu_tree_ranks_create(struct koshu_treecode *treecode,
                                     bool one_each,
                                     struct koshu_tree_ranks **ranks);
/* NULL is allowed. */
void koshu_tree_ranks_destroy(struct koshu_tree_ranks *ranks);

/*
 * koshu_treecode_forces() on the particles of all ranks. Domains are chosen by
 * the work of the last forces, which is replaced by that of these. Each
 * particle is on the rank that owns it, and results stay there until the store
 * needs them. Results are bitwise the same for the same number of ranks and the
 * same preceding calls. Collective.
 */
koshu_status koshu_tree_ranks_forces(struct koshu_tree_ranks *ranks,
                                     const struct koshu_force_task *task,
                                     struct koshu_particles *particles,
                                     unsigned fields,
                                     struct koshu_tree_report *report);

#endif
