/* SPDX-License-Identifier: MIT */
/* The integrals of Ewald's splitting for softened pairs. */
#ifndef KOSHU_SOLVE_EWALD_SOFTEN_H
#define KOSHU_SOLVE_EWALD_SOFTEN_H

/*
 * Ewald's splitting of the softened 1 / s, s^2 = r^2 + eps^2, in a box of edge
 * 1 with splitting parameter a: erfc(a s) / s is summed in real space, erf(a s)
 * / s over waves.
 */

/*
 * The coefficient of the wave with index n, n2 = n^2 > 0, k = 2 pi n:
 *
 *     2 pi int_0^a exp(-t^2 eps^2 - k^2 / (4 t^2)) / t^3 dt
 *
 * For eps = 0 it is the usual 4 pi / k^2 exp(-k^2 / 4 a^2).
 */
double koshu_ewald_wave(double a, double eps, double n2);

/* The integral of erfc(a s) / s over all space; pi / a^2 where eps = 0. */
double koshu_ewald_mean(double a, double eps);

/* E_0(s) = erf(a s) / s and E_1 = -1/s dE_0/ds at s = eps, or their limits. */
void koshu_ewald_own(double a, double eps, double own[2]);

#endif
