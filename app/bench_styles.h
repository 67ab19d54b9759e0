/* SPDX-License-Identifier: MIT */
/*
 * The two summations that Hamada07 Table 2 compares, for comparison with
 * koshu's own: the pair's formula is the same, in float.
 *
 *     DIRECT style   one float sum over all j-particles
 *     Chamomile      float sums over tiles (J-BAGs) of 512 j-particles, added
 * up in float (Hamada07 eq. 2)
 */
#ifndef KOSHU_APP_BENCH_STYLES_H
#define KOSHU_APP_BENCH_STYLES_H

#include <stddef.h>

#include <koshu/particles.h>

/* Accelerations; arrays of as many elements as there are particles. */
struct bench_style {
    double *ax, *ay, *az;
};

void bench_styles_sum(const struct koshu_particle_const_view *particles,
                      double eps, int threads, const struct bench_style *direct,
                      const struct bench_style *chamomile);

/* Hamada07 Table 2: largest errors. NULL: it has no such n. */
struct bench_style_row {
    size_t n;
    double direct_style, chamomile;
};
const struct bench_style_row *bench_style_row(size_t n);

#endif
