/* SPDX-License-Identifier: MIT */
/*
 * What block steps need of an interaction of the user's own: a j-particle store
 * on the host, whose sums are the interaction's.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_INTERACTION_H
#define KOSHU_INTEGRATE_BLOCK_INTERACTION_H

#include "backend/backend.h"

struct koshu_block_interaction;

/* Of n particles. KOSHU_ERROR_BAD_INPUT: it puts out no jerks;
 * KOSHU_ERROR_UNSUPPORTED: there are several ranks; KOSHU_ERROR_OUT_OF_MEMORY;
 * and as koshu_interaction_sums_create(). */
koshu_status
koshu_block_interaction_create(struct koshu_context *context,
                               struct koshu_interaction *interaction, size_t n,
                               struct koshu_block_interaction **sums);
/* NULL is allowed. */
void koshu_block_interaction_destroy(struct koshu_block_interaction *sums);

/* Particle index[m] becomes j[m], for all m below n. */
void koshu_block_interaction_set(struct koshu_block_interaction *sums, size_t n,
                                 const uint64_t *index,
                                 const struct koshu_j_particle *j);

/* The sums on the n_i particles index[], ascending, which stand at end[], over
 * all, the others predicted to `time`. */
KOSHU_MUST_CHECK koshu_status koshu_block_interaction_sum(
        struct koshu_block_interaction *sums, double eps, double time,
        size_t n_i, const uint64_t *index, const struct koshu_i_particle *end,
        struct koshu_jerk_result *result);

#endif
