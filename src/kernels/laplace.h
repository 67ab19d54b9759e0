/* SPDX-License-Identifier: MIT */
/*
 * Derivatives of 1 / r, and what a charge adds to a potential and its
 * derivatives; see kernels.h for how this file is included. With n = (x - y) /
 * r of the target x and the source y, and D_a the derivative by x_a,
 *
 *     D_a 1 / r  = - n_a / r^2
 *     D_ab 1 / r = (3 n_a n_b - delta_ab) / r^3
 *
 * D_zz is left out: the sum of D_xx, D_yy and D_zz is 0. Powers are of n and 1
 * / r, not of d, so that no factor overflows before the result does.
 *
 * No include guard: once per number type.
 */
#ifndef KOSHU_KERNELS_LAPLACE_TERMS
#define KOSHU_KERNELS_LAPLACE_TERMS
/* Where they are: of 1 / r, and of what is summed. */
enum {
    LAPLACE_X = 1,
    LAPLACE_Y,
    LAPLACE_Z,
    LAPLACE_XX,
    LAPLACE_XY,
    LAPLACE_XZ,
    LAPLACE_YY,
    LAPLACE_YZ,
    LAPLACE_FIELDS
};
#endif

/* Derivatives of 1 / r, at the distance d, up to the second where these are
 * wanted; u = 1 / r. */
KOSHU_HD void
KOSHU_TYPED(laplace_derivatives)(KOSHU_REAL *t, KOSHU_REAL dx, KOSHU_REAL dy,
                                 KOSHU_REAL dz, KOSHU_REAL u, const bool second)
{
    const KOSHU_REAL u2 = u * u, u3 = u2 * u;
    const KOSHU_REAL x = dx * u, y = dy * u, z = dz * u;
    t[0] = u;
    t[LAPLACE_X] = -u2 * x;
    t[LAPLACE_Y] = -u2 * y;
    t[LAPLACE_Z] = -u2 * z;
    if (!second) return;
    const KOSHU_REAL three_x = 3 * u3 * x, three_y = 3 * u3 * y;
    t[LAPLACE_XX] = three_x * x - u3;
    t[LAPLACE_XY] = three_x * y;
    t[LAPLACE_XZ] = three_x * z;
    t[LAPLACE_YY] = three_y * y - u3;
    t[LAPLACE_YZ] = three_y * z;
}

/* The first n of: potential, gradient, Hessian. */
KOSHU_HD void
KOSHU_TYPED(laplace_add_charge)(KOSHU_REAL *sum, const KOSHU_REAL *t,
                                KOSHU_REAL charge, const int n)
{
#pragma GCC unroll 9
    for (int k = 0; k < n; k++) sum[k] += charge * t[k];
}
