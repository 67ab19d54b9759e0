/* SPDX-License-Identifier: MIT */
/* Ewald sums of charges in a periodic box (koshu/ewald.h) by a device. Lengths
 * are in units of the box edge, positions in [0, 1). */
#ifndef KOSHU_BACKEND_EWALD_H
#define KOSHU_BACKEND_EWALD_H

#include <stddef.h>

struct koshu_ewald_task {
    size_t n; /* sources */
    const double *x[3], *charge;
    size_t m; /* targets */
    const double *at[3];
    double a, eps;        /* splitting parameter, softening */
    double reach;         /* pairs further apart are left out */
    double own;           /* subtracted for a source exactly at the target's
                           * position */
    double mean;          /* added to all potentials */
    int k;                /* waves with |n| <= k */
    const double *weight; /* of waves, by n^2, up to k^2; weight[0] = 0 */
    double *result;       /* of each target: potential, gradient */
};

enum { KOSHU_EWALD_RESULTS = 4 };

#endif
