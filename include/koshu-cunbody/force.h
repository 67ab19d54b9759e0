/* SPDX-License-Identifier: MIT */
/*
 * CUNBODY-1: gravity of j-particles on i-particles, in one call (Hamada07
 * Fig. 9). libkoshu-cunbody has the call of the paper's library, so that a
 * program written for it links as it is; see docs/cunbody.md.
 *
 *     a_i = sum_j m_j r_ij / (r_ij^2 + eps2)^(3/2),   r_ij = x_j - x_i
 *
 * with G = 1 (Hamada07 eq. 1). A pair at zero distance, so also a particle and
 * itself, gives nothing, whatever eps2 is.
 *
 * Threads: any thread may call; calls take turns.
 */
#ifndef KOSHU_CUNBODY_FORCE_H
#define KOSHU_CUNBODY_FORCE_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The nj j-particles at xj, of masses mj, on the ni i-particles at xi; eps2 is
 * the square of the softening, >= 0. Overwrites a, which may be xi or xj.
 *
 * Single precision, unless KOSHU_CUNBODY_PRECISION says otherwise: largest
 * error over a Plummer sphere as in Hamada07 Table 2 or less, as
 * tests/cunbody/fig10.c shows. What goes wrong is told as cunbody.h says,
 * and then a is filled with NaN.
 */
KOSHU_API void force(double xj[][3], double mj[], double xi[][3], double eps2,
                     double a[][3], int ni, int nj);

/* The same as Fortran calls it: call force(xj, mj, xi, eps2, a, ni, nj) with
 * arrays (3, n). */
KOSHU_API void force_(double xj[][3], double mj[], double xi[][3], double *eps2,
                      double a[][3], int *ni, int *nj);

#ifdef __cplusplus
}
#endif

#endif
