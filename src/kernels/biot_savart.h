/* SPDX-License-Identifier: MIT */
/*
 * The velocity and its gradient induced by a vortex (Biot-Savart law), times 4
 * pi (Hamada09 eqs. 1 to 3, without the core function); see kernels.h for how
 * this file is included. With the target x, the source y, d = x - y and n = d /
 * r,
 *
 *     4 pi u_i          = (alpha x n)_i / r^2
 *     4 pi du_i / dx_k  = (eps_ijk alpha_j - 3 (alpha x n)_i n_k) / r^3
 *
 * No include guard: once per number type.
 */
#ifndef KOSHU_KERNELS_BIOT_SAVART_FIELDS
#define KOSHU_KERNELS_BIOT_SAVART_FIELDS
/* Indices: u_i at i, du_i / dx_k at BIOT_SAVART_GRADIENT + 3 i + k. The last
 * component, i = k = 2, is left out: the divergence is 0. */
enum { BIOT_SAVART_GRADIENT = 3, BIOT_SAVART_FIELDS = 11 };
#endif

/* Adds the first n fields, 3 or all; alpha = (ax, ay, az), u = 1 / r. */
KOSHU_HD void
KOSHU_TYPED(biot_savart_add)(KOSHU_REAL *sum, KOSHU_REAL dx, KOSHU_REAL dy,
                             KOSHU_REAL dz, KOSHU_REAL u, KOSHU_REAL ax,
                             KOSHU_REAL ay, KOSHU_REAL az, const int n)
{
    KOSHU_REAL *const g = sum + BIOT_SAVART_GRADIENT;
    const KOSHU_REAL u2 = u * u, x = dx * u, y = dy * u, z = dz * u;
    const KOSHU_REAL v[3] = {(ay * z - az * y) * u2, (az * x - ax * z) * u2,
                             (ax * y - ay * x) * u2};
    for (int i = 0; i < 3; i++) sum[i] += v[i];
    if (n < BIOT_SAVART_FIELDS) return;
    for (int i = 0; i < 3; i++) {
        const KOSHU_REAL w = -3 * u * v[i];
        g[3 * i] += w * x;
        g[3 * i + 1] += w * y;
        if (i < 2) g[3 * i + 2] += w * z;
    }
    const KOSHU_REAL u3 = u2 * u, bx = ax * u3, by = ay * u3, bz = az * u3;
    g[1] -= bz;
    g[2] += by;
    g[3] += bz;
    g[5] -= bx;
    g[6] -= by;
    g[7] += bx;
}
