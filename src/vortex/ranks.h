/* SPDX-License-Identifier: MIT */
/*
 * Sums at many targets, divided among the ranks. Each rank holds all particles
 * and computes a contiguous part of the targets; then every rank gets all sums.
 * Internal to src/vortex.
 */
#ifndef KOSHU_VORTEX_RANKS_H
#define KOSHU_VORTEX_RANKS_H

#include <koshu/context.h>

/* Fills sums, `rows` arrays of n numbers, for the n targets at x, 3 n
 * numbers. */
typedef koshu_status
koshu_vortex_sum(const void *argument, size_t n, const double *x, double *sums);

/* *numbers: n numbers on all ranks, or NULL on all: one that returned by itself
 * would leave the others waiting in a sum. purpose: of the memory. Collective.
 * The caller frees it by koshu_free(). KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_vortex_alloc(struct koshu_context *context,
                                                 size_t n, const char *purpose,
                                                 double **numbers);

/* Collective; the targets are the same on all ranks. sums: laid out as by
 * koshu_vortex_sum. KOSHU_ERROR_OUT_OF_MEMORY, and errors of `sum` on any
 * rank. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_sum_on_ranks(struct koshu_context *context, koshu_vortex_sum *sum,
                          const void *argument, size_t rows, size_t n,
                          const double *x, double *sums);

#endif
