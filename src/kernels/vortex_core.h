/* SPDX-License-Identifier: MIT */
/*
 * What a vortex with a core adds to the velocity and its gradient (Hamada09
 * eqs. 1 to 3); see kernels.h for how this file is included. With d = x - y of
 * the target x and the source y in units of 2^(1/2) sigma, s = |d|^2, and Boys'
 * functions F_m (vortex/near.h),
 *
 *     pi^(1/2) / 2 g(r / sigma) / |d|^3 = 2 F_1(s),  F_m' = - F_(m + 1)
 *
 * so that, in units of (2 / pi^(1/2)) / (2^(1/2) sigma)^2 and ^3,
 *
 *     4 pi u_i         = 2 F_1 (alpha x d)_i
 *     4 pi du_i / dx_k = 2 F_1 eps_ijk alpha_j - 4 F_2 (alpha x d)_i d_k
 *
 * Cores of a higher order (Beale & Majda 1985, J. Comput. Phys. 58, 188; order
 * m as of vortex/vortex.h) have
 *
 *     2 F_1 + exp(-s) P(s),  2 F_2 + exp(-s) (P(s) - P'(s))
 *
 * in place of 2 F_1 and 2 F_2, P(s) = p[0] + p[1] s + p[2] s^2 being 0 of the
 * Gaussian (vortex/core.c).
 *
 * No include guard: once per number type.
 */
#ifndef KOSHU_KERNELS_VORTEX_CORE_SUMS
#define KOSHU_KERNELS_VORTEX_CORE_SUMS
#include <math.h>
/* What is summed: u_i at i, sum 2 F_1 alpha_i, and - sum 2 F_2 (alpha x d)_i
 * d_k at VORTEX_CORE_SLOPES + 3 i + k, but the last: it is that of a vector at
 * right angles to d, so the trace is 0. */
enum { VORTEX_CORE_ALPHA = 3, VORTEX_CORE_SLOPES = 6, VORTEX_CORE_SUMS = 14 };

/* s is no less than this where 1 / s is a factor; below, F_1 follows its
 * tangent, and F_2 is constant. */
#define VORTEX_CORE_LEAST 0.02f
/* Of t below. */
#define VORTEX_CORE_P 0.55f

/* 2 F_1 and 2 F_2 in double precision: 4e-14 and 1e-12 of them. */
KOSHU_HD void
vortex_core_gaussian(double s, double e, double *f1, double *f2)
{
    if (s < 0.05) { /* sum_k (-s)^k / (k! (2 k + 5)), and F_1 of F_2 */
        double sum = 1.0 / 21;
        for (int k = 8; k > 0; k--) sum = 1.0 / (2 * k + 3) - s / k * sum;
        *f2 = 2 * sum;
        *f1 = 2.0 / 3 * (2 * s * sum + e);
        return;
    }
    const double half_root = 0.88622692545275801365; /* pi^(1/2) / 2 */
    const double f0 = half_root * erf(sqrt(s)) / sqrt(s);
    *f1 = (f0 - e) / s;
    *f2 = (1.5 * *f1 - e) / s;
}

/* What a core of that P has in their place. */
KOSHU_HD void
vortex_core_precise(double s, const double p[3], double *f1, double *f2)
{
    const double e = exp(-s), q = p[0] + s * (p[1] + s * p[2]);
    vortex_core_gaussian(s, e, f1, f2);
    *f1 += e * q;
    *f2 += e * (q - p[1] - 2 * p[2] * s);
}
#endif

/*
 * The same in floats, of c = max(s, VORTEX_CORE_LEAST), u = 1 / c^(1/2),
 * e = exp(-c) and t = 1 / (1 + VORTEX_CORE_P c u): erfc(x) exp(x^2) of F_0 =
 * pi^(1/2) erf(x) / (2 x), x = c^(1/2), is a polynomial in t (of the form of
 * Hastings 1955; Abramowitz & Stegun 7.1.26), fitted to 6e-8 of F_1.
 * Error: with roundings 2.5e-5 of F_1 from s = 0.06 on, 1.5e-4 below (of a
 * higher order 3e-4, of order 8 4e-4), and of 2
 * s F_2 less than 4e-4 of F_1 below, 6e-5 above; what is left of it in sums,
 * where few pairs are so near, is 5e-7 of velocities and 4e-6 of gradients (L2,
 * particles at random, one in sigma^3). tests/unit/kernels/test_vortex_core.c.
 */
KOSHU_HD void
KOSHU_TYPED(vortex_core_functions)(KOSHU_REAL s, KOSHU_REAL c, KOSHU_REAL u,
                                   KOSHU_REAL e, KOSHU_REAL t,
                                   const KOSHU_REAL p[3], KOSHU_REAL *f1,
                                   KOSHU_REAL *f2)
{
    KOSHU_REAL h = 0.09601438f * t - 0.46240711f;
    h = h * t + 0.67805760f;
    h = h * t - 0.04009688f;
    h = h * t + 0.34754509f;
    h = h * t + 0.26711410f;
    const KOSHU_REAL f0 = (0.88622693f - h * t * e) * u, v = u * u;
    const KOSHU_REAL a = (f0 - e) * v, b = (1.5f * a - e) * v;
    const KOSHU_REAL q = p[0] + c * (p[1] + c * p[2]);
    *f2 = b + e * (q - p[1] - 2 * p[2] * c);
    *f1 = a + e * q + (c - s) * *f2;
}

/* All sums, or the first 3; alpha = (ax, ay, az), f1 and f2 as above. */
KOSHU_HD void
KOSHU_TYPED(vortex_core_add)(KOSHU_REAL *sum, KOSHU_REAL dx, KOSHU_REAL dy,
                             KOSHU_REAL dz, KOSHU_REAL f1, KOSHU_REAL f2,
                             KOSHU_REAL ax, KOSHU_REAL ay, KOSHU_REAL az,
                             const int n)
{
    KOSHU_REAL *const alpha = sum + VORTEX_CORE_ALPHA;
    KOSHU_REAL *const g = sum + VORTEX_CORE_SLOPES;
    const KOSHU_REAL x = ay * dz - az * dy, y = az * dx - ax * dz,
                     z = ax * dy - ay * dx;
    sum[0] += f1 * x;
    sum[1] += f1 * y;
    sum[2] += f1 * z;
    if (n < VORTEX_CORE_SUMS) return;
    alpha[0] += f1 * ax;
    alpha[1] += f1 * ay;
    alpha[2] += f1 * az;
    const KOSHU_REAL wx = f2 * x, wy = f2 * y, wz = f2 * z;
    g[0] -= wx * dx;
    g[1] -= wx * dy;
    g[2] -= wx * dz;
    g[3] -= wy * dx;
    g[4] -= wy * dy;
    g[5] -= wy * dz;
    g[6] -= wz * dx;
    g[7] -= wz * dy;
}
