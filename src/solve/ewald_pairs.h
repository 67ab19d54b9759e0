/* SPDX-License-Identifier: MIT */
/*
 * Ewald's sum in real space: of f(s) = erfc(a s) / s, s^2 = r^2 + eps^2, over
 * all images of the sources within reach. Gradients, Hessians and dipoles need
 * the derivatives B_0 = f, B_(k+1) = -1/s dB_k/ds:
 *
 *     potential  q B_0 + p d B_1
 *     gradient   -(q B_1 + p d B_2) d + p B_1
 *     Hessian    (q B_2 + p d B_3) d d^T - (q B_1 + p d B_2) 1
 *                - B_2 (p d^T + d p^T)
 *
 * (Aguado & Madden 2003, J. Chem. Phys. 119, 7471). For a source at zero
 * distance from the target the self term erf(a s) / s, which its waves
 * contribute, is subtracted.
 */
#ifndef KOSHU_SOLVE_EWALD_PAIRS_H
#define KOSHU_SOLVE_EWALD_PAIRS_H

#include "solve/ewald_sums.h"

struct ewald_pairs {
    double a, eps;
    double reach;  /* terms beyond are omitted */
    double own[2]; /* koshu_ewald_own() */
};

struct ewald_pairs koshu_ewald_pairs(double a, double eps, double reach);

/* Adds the sums at a position in [0, 1). */
void koshu_ewald_add_pairs(const struct ewald_pairs *e,
                           const struct ewald_sources *sources,
                           const double at[3], struct ewald_sums *sum);

#endif
