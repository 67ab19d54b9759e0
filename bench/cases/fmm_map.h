/* SPDX-License-Identifier: MIT */
/* A map of the errors of `koshu bench fmm`. */
#ifndef KOSHU_BENCH_CASES_FMM_MAP_H
#define KOSHU_BENCH_CASES_FMM_MAP_H

#include "bench/cases/fmm_sums.h"

/* Draws the error at the nodes of a grid over the plane through the middle of
 * the particles' cube, which is a face of cells of every level, and in which
 * every eighth node or so is on a face or an edge of further ones; prints the
 * rms error there, and on the faces. `what`: the order and theta, for the
 * title. As fmm_sums_errors_at(), koshu_picture_density(). */
KOSHU_MUST_CHECK koshu_status fmm_map_draw(struct bench *b,
                                           const struct fmm_sums *sums,
                                           const char *what);

#endif
