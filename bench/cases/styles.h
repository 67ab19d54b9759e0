/* SPDX-License-Identifier: MIT */
/*
 * The two summations that Hamada07 Table 2 compares, for comparison with
 * koshu's own: float sums over tiles (J-BAGs) of j-particles, added up in float
 * (Hamada07 eq. 2). The pair's formula is the same, in float.
 */
#ifndef KOSHU_BENCH_STYLES_H
#define KOSHU_BENCH_STYLES_H

#include "bench/bench.h"

/* Particles of a tile. */
enum bench_style {
    BENCH_DIRECT_STYLE = 0,     /* all */
    BENCH_CHAMOMILE_STYLE = 512 /* 16 KB of shared memory (section 2.2.2) */
};

/* Its largest error. KOSHU_ERROR_OUT_OF_MEMORY, and what bench_compare()
 * returns. */
KOSHU_MUST_CHECK koshu_status
bench_style_error(struct bench *b, struct koshu_particles *particles,
                  enum bench_style style, double *largest);

#endif
