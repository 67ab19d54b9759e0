/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store on the host whose sums are those of a user-defined
 * interaction, for block time steps.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_INTERACTION_H
#define KOSHU_INTEGRATE_BLOCK_INTERACTION_H

#include "backend/backend.h"

struct koshu_block_interaction;

/* For n particles. KOSHU_ERROR_BAD_INPUT: the interaction has no jerk output;
 * KOSHU_ERROR_UNSUPPORTED: there are several ranks; KOSHU_ERROR_OUT_OF_MEMORY;
 * and as koshu_interaction_sums_create(). */
koshu_status
koshu_block_interaction_create(struct koshu_context *context,
                               struct koshu_interaction *interaction, size_t n,
                               struct koshu_block_interaction **sums);
/* NULL is allowed. */
void koshu_block_interaction_destroy(struct koshu_block_interaction *sums);

/* Sets particle index[m] to j[m], for all m below n. */
void koshu_block_interaction_set(struct koshu_block_interaction *sums, size_t n,
                                 const uint64_t *index,
                                 const struct koshu_j_particle *j);

/* Sums on the n_i particles index[] (ascending), whose states are end[], over
 * all particles; those not in index[] are predicted to `time`. */
KOSHU_MUST_CHECK koshu_status koshu_block_interaction_sum(
        struct koshu_block_interaction *sums, double eps, double time,
        size_t n_i, const uint64_t *index, const struct koshu_i_particle *end,
        struct koshu_jerk_result *result);

#endif
