/* SPDX-License-Identifier: MIT */
/*
 * Ewald's sum over waves. Lengths are in edges of the box.
 *
 *     sum_n S_n exp(2 pi i n x),
 *     S_n = w_n sum_j (q_j - 2 pi i n p_j) exp(-2 pi i n y_j)
 *
 * over the vectors n of three integers within `k`. The terms of n and -n are
 * combined in the one with positive n_x. Both signs of n_z for given n_x and
 * n_y are stored as four real rows, to which each charge adds only four
 * products per n_z:
 *
 *     S(+-n_z) = (A -+ D) + i (B +- C)
 *
 * The z-component of a dipole has n_z with its sign as an extra factor, which
 * exchanges cosines and sines.
 */
#ifndef KOSHU_SOLVE_EWALD_WAVES_H
#define KOSHU_SOLVE_EWALD_WAVES_H

#include "solve/ewald_sums.h"

enum { KOSHU_EWALD_MAX_K = 112 };

struct ewald_waves {
    int k;                /* at most KOSHU_EWALD_MAX_K */
    const double *weight; /* by n^2, up to k^2 */
    double *row;          /* koshu_ewald_wave_numbers(k), initially zero */
};

/* The number of elements of the rows. */
size_t koshu_ewald_wave_numbers(int k);

/* Computes the waves of all sources. */
void koshu_ewald_make_waves(const struct ewald_waves *waves,
                            const struct ewald_sources *sources, int threads);

/* Adds their sum at a position in [0, 1); hessian: including second
 * derivatives. */
void koshu_ewald_add_waves(const struct ewald_waves *waves, const double at[3],
                           bool hessian, struct ewald_sums *sum);

#endif
