/* SPDX-License-Identifier: MIT */
/* Ewald's sums of charges in a box (koshu/ewald.h) by a device. Lengths are in
 * edges of the box, places in [0, 1). */
#ifndef KOSHU_BACKEND_EWALD_H
#define KOSHU_BACKEND_EWALD_H

#include <stddef.h>

struct koshu_ewald_task {
    size_t n; /* sources */
    const double *x[3], *charge;
    size_t m; /* targets */
    const double *at[3];
    double a, eps; /* splitting parameter, softening */
    double reach;  /* pairs that are farther apart are left out */
    double own;    /* of a source at the target's very place, taken away */
    double mean;   /* added to all potentials */
    int k;         /* waves are those of |n| <= k */
    const double *weight; /* of waves, by n^2, up to k^2; 0 of 0 */
    double *result;       /* of each target: potential, gradient */
};

enum { KOSHU_EWALD_RESULTS = 4 };

#endif
