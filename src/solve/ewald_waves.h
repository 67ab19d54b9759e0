/* SPDX-License-Identifier: MIT */
/*
 * Ewald's sum over waves. Lengths are in edges of the box.
 *
 *     sum_n S_n exp(2 pi i n x),
 *     S_n = w_n sum_j (q_j - 2 pi i n p_j) exp(-2 pi i n y_j)
 *
 * over the vectors n of three integers within `k`; of n and -n the one with
 * positive n_x has both. Those of one n_x and n_y and both signs of n_z are
 * four real rows, of which each charge adds but four products:
 *
 *     S(+-n_z) = (A -+ D) + i (B +- C)
 *
 * The z-component of a dipole has n_z and its sign as a factor, too: cosines
 * and sines change places.
 */
#ifndef KOSHU_SOLVE_EWALD_WAVES_H
#define KOSHU_SOLVE_EWALD_WAVES_H

#include "solve/ewald_sums.h"

enum { KOSHU_EWALD_MAX_K = 112 };

struct ewald_waves {
    int k;                /* at most KOSHU_EWALD_MAX_K */
    const double *weight; /* by n^2, up to k^2 */
    double *row;          /* koshu_ewald_wave_numbers(k), zeros at first */
};

/* How many numbers the rows have. */
size_t koshu_ewald_wave_numbers(int k);

/* Those of all sources. */
void koshu_ewald_make_waves(const struct ewald_waves *waves,
                            const struct ewald_sources *sources, int threads);

/* Adds their sum at a place in [0, 1); hessian: that, too. */
void koshu_ewald_add_waves(const struct ewald_waves *waves, const double at[3],
                           bool hessian, struct ewald_sums *sum);

#endif
