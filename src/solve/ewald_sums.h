/* SPDX-License-Identifier: MIT */
/* Input and output of Ewald's sums. Lengths are in edges of the box. */
#ifndef KOSHU_SOLVE_EWALD_SUMS_H
#define KOSHU_SOLVE_EWALD_SUMS_H

#include <stdbool.h>
#include <stddef.h>

/* Charges and dipoles at positions in [0, 1). */
struct ewald_sources {
    size_t n;
    const double *x[3], *charge;
    const double *dipole[3]; /* NULL: none */
};

/* The sums at a target. */
struct ewald_sums {
    double potential, gradient[3];
    double hessian[6]; /* xx xy xz yy yz zz */
};

#endif
