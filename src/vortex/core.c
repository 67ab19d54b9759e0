/* SPDX-License-Identifier: MIT */
/* The polynomials of cores of order 2 to 12. */
#include "vortex/vortex.h"

/* The coefficient of s^k in the Laguerre polynomial L_j^(a). */
static double
laguerre(unsigned j, double a, unsigned k)
{
    double c = 1;
    for (unsigned i = 1; i <= k; i++) c /= -(double)i;
    for (unsigned i = k + 1; i <= j; i++) c *= (i + a) / (i - k);
    return c;
}

/* The core is sum_j (-sigma_0^2 / 2 Laplace)^j / j!, j = 0 ... order / 2 - 1,
 * applied to a Gaussian. With sigma = sigma_0, term j turns exp(-s) into
 * L_j^(1/2)(s) exp(-s), and the velocity's polynomial gains L_(j - 1)^(3/2)(s)
 * / j. */
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *v)
{
    struct koshu_vortex_core_shape shape = {.g = {1}};
    const double ratio = v->mid_core / v->core;
    double q = 1;
    for (unsigned j = 1; j <= VORTEX_CORE_TERMS && 2 * j + 2 <= v->order; j++) {
        q *= ratio * ratio;
        for (unsigned k = 0; k <= j; k++) shape.g[k] += q * laguerre(j, 0.5, k);
        for (unsigned k = 0; k < j; k++)
            shape.p[k] += q * laguerre(j - 1, 1.5, k) / j;
    }
    return shape;
}
