/* SPDX-License-Identifier: MIT */
/*
 * The velocity and its gradient induced by a vortex with a core (Hamada09 eqs.
 * 1 to 3); see kernels.h for how this file is included. With the target x, the
 * source y, d = x - y in units of 2^(1/2) sigma, s = |d|^2, and Boys functions
 * F_m (vortex/near.h),
 *
 *     pi^(1/2) / 2 g(r / sigma) / |d|^3 = 2 F_1(s),  F_m' = - F_(m + 1)
 *
 * so that, in units of (2 / pi^(1/2)) / (2^(1/2) sigma)^2 and ^3,
 *
 *     4 pi u_i         = 2 F_1 (alpha x d)_i
 *     4 pi du_i / dx_k = 2 F_1 eps_ijk alpha_j - 4 F_2 (alpha x d)_i d_k
 *
 * Higher-order cores (Beale & Majda 1985, J. Comput. Phys. 58, 188; order m as
 * in vortex/vortex.h) have
 *
 *     2 F_1 + exp(-s) P(s),  2 F_2 + exp(-s) (P(s) - P'(s))
 *
 * in place of 2 F_1 and 2 F_2, with P(s) = sum_k p[k] s^k (vortex/core.c); P =
 * 0 for the Gaussian core.
 *
 * No include guard: once per number type.
 */
#ifndef KOSHU_KERNELS_VORTEX_CORE_SUMS
#define KOSHU_KERNELS_VORTEX_CORE_SUMS
#include <math.h>

#include "kernels/core_terms.h"
/* What is summed: u_i at i, sum 2 F_1 alpha_i, and - sum 2 F_2 (alpha x d)_i
 * d_k at VORTEX_CORE_SLOPES + 3 i + k. The last component, i = k = 2, is left
 * out: alpha x d is normal to d, so the trace is 0. */
enum { VORTEX_CORE_ALPHA = 3, VORTEX_CORE_SLOPES = 6, VORTEX_CORE_SUMS = 14 };

/* Formulas that divide by s are used at s no less than this; below, the float
 * functions follow their Taylor series about it. */
#define VORTEX_CORE_LEAST 0.1f
/* The constant of t below. */
#define VORTEX_CORE_P 0.55f

/* 2 F_1 and 2 F_2 in double precision, to relative errors of 4e-14 and
 * 1e-12. */
KOSHU_HD void
vortex_core_gaussian(double s, double e, double *f1, double *f2)
{
    if (s < 0.05) { /* sum_k (-s)^k / (k! (2 k + 5)), and F_1 from F_2 */
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

/* Adds to u_i and to du_i / dx_k, 3 + 9 numbers times 4 pi, what the sums are
 * in the given units of either. */
KOSHU_HD void
vortex_core_give(const double sum[VORTEX_CORE_SUMS], double unit, double slope,
                 double to[12])
{
    const double *alpha = sum + VORTEX_CORE_ALPHA,
                 *g = sum + VORTEX_CORE_SLOPES;
    const double curl[9] = {0,         -alpha[2], alpha[1], alpha[2], 0,
                            -alpha[0], -alpha[1], alpha[0], 0};
    for (int k = 0; k < 3; k++) to[k] += unit * sum[k];
    for (int k = 0; k < 8; k++) to[3 + k] += slope * (2 * g[k] + curl[k]);
    to[11] -= slope * 2 * (g[0] + g[4]);
}

/* 2 F_1 and 2 F_2 of a core with polynomial P. */
KOSHU_HD void
vortex_core_precise(double s, const double p[VORTEX_CORE_TERMS], double *f1,
                    double *f2)
{
    const double e = exp(-s);
    double q = 0, slope = 0;
    for (int k = VORTEX_CORE_TERMS - 1; k >= 0; k--) {
        slope = slope * s + q;
        q = q * s + p[k];
    }
    vortex_core_gaussian(s, e, f1, f2);
    *f1 += e * q;
    *f2 += e * (q - slope);
}
#endif

/*
 * The same in floats, from c = max(s, VORTEX_CORE_LEAST), u = 1 / c^(1/2), e =
 * exp(-c) and t = 1 / (1 + VORTEX_CORE_P c u). F_0 = pi^(1/2) erf(x) / (2 x), x
 * = c^(1/2); its erfc(x) exp(x^2) is a polynomial in t (of the form of Hastings
 * 1955; Abramowitz & Stegun 7.1.26), fitted to 6e-8 of F_1. The series in d = c
 * - s uses F_m' = - F_(m + 1), with 2 F_3 and 2 F_4 at VORTEX_CORE_LEAST.
 *
 * Error, including float rounding: 1e-5 of F_1, and in 2 s F_2 3e-5 of F_1, for
 * any order; less for higher orders. See tests/unit/kernels/test_vortex_core.c.
 */
KOSHU_HD void
KOSHU_TYPED(vortex_core_functions)(KOSHU_REAL s, KOSHU_REAL c, KOSHU_REAL u,
                                   KOSHU_REAL e, KOSHU_REAL t,
                                   const KOSHU_REAL p[VORTEX_CORE_TERMS],
                                   KOSHU_REAL *f1, KOSHU_REAL *f2)
{
    KOSHU_REAL h = 0.09601438f * t - 0.46240711f;
    h = h * t + 0.67805760f;
    h = h * t - 0.04009688f;
    h = h * t + 0.34754509f;
    h = h * t + 0.26711410f;
    const KOSHU_REAL f0 = (0.88622693f - h * t * e) * u, v = u * u, d = c - s;
    const KOSHU_REAL a = (f0 - e) * v, b = (1.5f * a - e) * v;
    const KOSHU_REAL third = 0.26437607f + 0.10239335f * d;
    const KOSHU_REAL g = e + e * d * (1 + d * (0.5f + 0.16666667f * d));
    KOSHU_REAL q = p[4] * s + p[3], slope = p[4];
    slope = slope * s + q;
    q = q * s + p[2];
    slope = slope * s + q;
    q = q * s + p[1];
    slope = slope * s + q;
    q = q * s + p[0];
    *f1 = a + d * (b + d * (0.13218804f + 0.03413112f * d)) + g * q;
    *f2 = b + d * third + g * (q - slope);
}

/* Adds all sums, or the first 3; alpha = (ax, ay, az), f1 and f2 as above. */
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
