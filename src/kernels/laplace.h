/* SPDX-License-Identifier: MIT */
/*
 * Derivatives of 1 / r, and the contribution of a charge to a potential and its
 * derivatives; see kernels.h for how this file is included. With the target x,
 * the source y, n = (x - y) / r, and D_a the derivative with respect to x_a,
 *
 *     D_a 1 / r  = - n_a / r^2
 *     D_ab 1 / r = (3 n_a n_b - delta_ab) / r^3
 *
 * D_zz is left out: the sum of D_xx, D_yy and D_zz is 0. Products are formed
 * from n and 1 / r, not from d, so that no factor overflows before the result
 * does.
 *
 * No include guard: once per number type.
 */
#ifndef KOSHU_KERNELS_LAPLACE_TERMS
#define KOSHU_KERNELS_LAPLACE_TERMS
/* Indices of the derivatives of 1 / r, and of the summed fields. */
enum {
    LAPLACE_X = 1,
    LAPLACE_Y,
    LAPLACE_Z,
    LAPLACE_XX,
    LAPLACE_XY,
    LAPLACE_XZ,
    LAPLACE_YY,
    LAPLACE_YZ,
    LAPLACE_FIELDS, /* number of fields summed; dipoles also need: */
    LAPLACE_ZZ = LAPLACE_FIELDS,
    LAPLACE_XXX,
    LAPLACE_XXY,
    LAPLACE_XXZ,
    LAPLACE_XYY,
    LAPLACE_XYZ,
    LAPLACE_XZZ,
    LAPLACE_YYY,
    LAPLACE_YYZ,
    LAPLACE_YZZ,
    LAPLACE_TERMS
};
#endif

/* Third derivatives of 1 / r; n = (x, y, z), u4 = 1 / r^4. */
KOSHU_HD void
KOSHU_TYPED(laplace_third)(KOSHU_REAL *t, KOSHU_REAL x, KOSHU_REAL y,
                           KOSHU_REAL z, KOSHU_REAL u4)
{
    const KOSHU_REAL xx = (3 - 15 * x * x) * u4, yy = (3 - 15 * y * y) * u4;
    t[LAPLACE_XXX] = (xx + 6 * u4) * x;
    t[LAPLACE_XXY] = xx * y;
    t[LAPLACE_XXZ] = xx * z;
    t[LAPLACE_XYY] = yy * x;
    t[LAPLACE_XYZ] = -15 * u4 * x * y * z;
    t[LAPLACE_YYY] = (yy + 6 * u4) * y;
    t[LAPLACE_YYZ] = yy * z;
    t[LAPLACE_XZZ] = -(t[LAPLACE_XXX] + t[LAPLACE_XYY]);
    t[LAPLACE_YZZ] = -(t[LAPLACE_XXY] + t[LAPLACE_YYY]);
}

/* Derivatives of 1 / r at the displacement d, up to order 1, 2 or 3; u = 1 /
 * r. */
KOSHU_HD void
KOSHU_TYPED(laplace_derivatives)(KOSHU_REAL *t, KOSHU_REAL dx, KOSHU_REAL dy,
                                 KOSHU_REAL dz, KOSHU_REAL u, const int order)
{
    const KOSHU_REAL u2 = u * u, u3 = u2 * u;
    const KOSHU_REAL x = dx * u, y = dy * u, z = dz * u;
    t[0] = u;
    t[LAPLACE_X] = -u2 * x;
    t[LAPLACE_Y] = -u2 * y;
    t[LAPLACE_Z] = -u2 * z;
    if (order < 2) return;
    t[LAPLACE_XX] = 3 * u3 * x * x - u3;
    t[LAPLACE_XY] = 3 * u3 * x * y;
    t[LAPLACE_XZ] = 3 * u3 * x * z;
    t[LAPLACE_YY] = 3 * u3 * y * y - u3;
    t[LAPLACE_YZ] = 3 * u3 * y * z;
    t[LAPLACE_ZZ] = -(t[LAPLACE_XX] + t[LAPLACE_YY]);
    if (order > 2) KOSHU_TYPED(laplace_third)(t, x, y, z, u2 * u2);
}

/* Adds the first n of: potential, gradient, Hessian. */
KOSHU_HD void
KOSHU_TYPED(laplace_add_charge)(KOSHU_REAL *sum, const KOSHU_REAL *t,
                                KOSHU_REAL charge, const int n)
{
    KOSHU_UNROLL
    for (int k = 0; k < n; k++) sum[k] += charge * t[k];
}

KOSHU_HD void
KOSHU_TYPED(laplace_add_dipole)(KOSHU_REAL *sum, const KOSHU_REAL *t,
                                KOSHU_REAL px, KOSHU_REAL py, KOSHU_REAL pz,
                                const int n)
{
    const int by[LAPLACE_FIELDS][3] = {{LAPLACE_X, LAPLACE_Y, LAPLACE_Z},
                                       {LAPLACE_XX, LAPLACE_XY, LAPLACE_XZ},
                                       {LAPLACE_XY, LAPLACE_YY, LAPLACE_YZ},
                                       {LAPLACE_XZ, LAPLACE_YZ, LAPLACE_ZZ},
                                       {LAPLACE_XXX, LAPLACE_XXY, LAPLACE_XXZ},
                                       {LAPLACE_XXY, LAPLACE_XYY, LAPLACE_XYZ},
                                       {LAPLACE_XXZ, LAPLACE_XYZ, LAPLACE_XZZ},
                                       {LAPLACE_XYY, LAPLACE_YYY, LAPLACE_YYZ},
                                       {LAPLACE_XYZ, LAPLACE_YYZ, LAPLACE_YZZ}};
    KOSHU_UNROLL
    for (int k = 0; k < n; k++)
        sum[k] -= px * t[by[k][0]] + (py * t[by[k][1]] + pz * t[by[k][2]]);
}
