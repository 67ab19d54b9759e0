/* SPDX-License-Identifier: MIT */
/*
 * Sums at many targets, over the ranks: each has all particles, and sums at a
 * part of the targets, one behind the other; then all ranks get all sums. For
 * src/vortex only.
 */
#ifndef KOSHU_VORTEX_RANKS_H
#define KOSHU_VORTEX_RANKS_H

#include <koshu/context.h>

/* `rows` rows of n numbers, of n targets at x, 3 n numbers. */
typedef koshu_status
koshu_vortex_sum(const void *argument, size_t n, const double *x, double *sums);

/* Collective, of the same targets on all ranks. sums: as of a
 * koshu_vortex_sum(). KOSHU_ERROR_OUT_OF_MEMORY; those of `sum`, of any rank.
 */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_sum_on_ranks(struct koshu_context *context, koshu_vortex_sum *sum,
                          const void *argument, size_t rows, size_t n,
                          const double *x, double *sums);

#endif
