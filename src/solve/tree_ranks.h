/* SPDX-License-Identifier: MIT */
/* A treecode over several ranks: domains, essential trees, and sums. */
#ifndef KOSHU_SOLVE_TREE_RANKS_H
#define KOSHU_SOLVE_TREE_RANKS_H

#include "solve/treecode.h"

/* KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_ranks_create(struct koshu_treecode *treecode,
                                     struct koshu_tree_ranks **ranks);
/* NULL is allowed. */
void koshu_tree_ranks_destroy(struct koshu_tree_ranks *ranks);

/*
 * koshu_treecode_forces() of the particles of all ranks; the view has those of
 * this one, with the work of the last forces, which weighs the domains, and
 * becomes that of these. They go to the ranks whose domains they are in, and
 * their sums come back. The same bits for the same number of ranks and the same
 * calls before. Collective.
 */
koshu_status
koshu_tree_ranks_forces(struct koshu_tree_ranks *ranks,
                        const struct koshu_force_task *task,
                        const struct koshu_particle_view *particles,
                        struct koshu_tree_report *report);

#endif
