/* SPDX-License-Identifier: MIT */
/* The map of errors of `koshu bench fmm`. */
#ifndef KOSHU_BENCH_CASES_FMM_MAP_H
#define KOSHU_BENCH_CASES_FMM_MAP_H

#include "bench/cases/fmm_sums.h"

/*
 * Draws the error at the nodes of a grid over the plane through the middle of
 * the particles' cube. That plane is a face of cells of every level, and about
 * every eighth node is on a face or an edge of further cells. Prints the rms
 * error of the plane, and that on the faces. `what`: the order and theta, for
 * the title. Statuses of fmm_sums_errors_at() and koshu_picture_density().
 */
KOSHU_MUST_CHECK koshu_status fmm_map_draw(struct bench *b,
                                           const struct fmm_sums *sums,
                                           const char *what);

#endif
