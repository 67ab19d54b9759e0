/* SPDX-License-Identifier: MIT */
/*
 * Sums with jerk over the particles of all ranks: each rank sums what its own
 * j-particles give to the members of everyone's block, and each gets the sums
 * on its own members, added in the order of the ranks. So a block of a few
 * particles keeps all ranks busy.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_RANKS_H
#define KOSHU_INTEGRATE_BLOCK_RANKS_H

#include "integrate/block_step.h"

/* Memory for chunks of blocks. */
struct koshu_block_ranks;

koshu_status koshu_block_ranks_create(struct koshu_context *context,
                                      struct koshu_block_ranks **ranks);
/* NULL is allowed. */
void koshu_block_ranks_destroy(struct koshu_block_ranks *ranks);

/*
 * The sums on step->end at `time` of the store into step->result, over the n_j
 * particles of each rank. Collective; step->members_of says how many members
 * each rank has. A rank on which step->status is a failure takes part, with
 * zeros; where its own sums fail, that becomes step->status. What comes back is
 * a failure between ranks.
 */
koshu_status koshu_block_ranks_sum(struct koshu_block_ranks *ranks,
                                   struct koshu_block_step *step, size_t n_j,
                                   double time);

#endif
