/* SPDX-License-Identifier: MIT */
/*
 * The two summations that Hamada07 Table 2 compares, for comparison with
 * koshu's own: the pair's formula is the same, in float.
 *
 *     DIRECT style   one float sum over all j-particles
 *     Chamomile      float sums over tiles (J-BAGs) of 512 j-particles, added
 * up in float (Hamada07 eq. 2)
 */
#ifndef KOSHU_BENCH_STYLES_H
#define KOSHU_BENCH_STYLES_H

#include "bench/bench.h"

/* Their largest errors. KOSHU_ERROR_OUT_OF_MEMORY, and what bench_compare()
 * returns. */
KOSHU_MUST_CHECK koshu_status
bench_styles_compare(struct bench *b, struct koshu_particles *particles,
                     double *direct_style, double *chamomile_style);

#endif
