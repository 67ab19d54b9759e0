/* SPDX-License-Identifier: MIT */
#include "vortex/vortex.h"

/* Of s^k in Laguerre's polynomial L_j^(a). */
static double
laguerre(unsigned j, double a, unsigned k)
{
    double c = 1;
    for (unsigned i = 1; i <= k; i++) c /= -(double)i;
    for (unsigned i = k + 1; i <= j; i++) c *= (i + a) / (i - k);
    return c;
}

/* Of sum_j (-sigma_0^2 / 2 Laplace)^j / j!, j from 0 to order / 2 - 1, of a
 * Gaussian: each makes L_j^(1/2)(s) exp(-s) of exp(-s), where sigma is sigma_0,
 * and of velocities L_(j - 1)^(3/2)(s) / j. */
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *v)
{
    struct koshu_vortex_core_shape shape = {.g = {1}};
    const double ratio = v->mid_core / v->core;
    double q = 1;
    for (unsigned j = 1; j <= KOSHU_VORTEX_CORE_P && 2 * j + 2 <= v->order;
         j++) {
        q *= ratio * ratio;
        for (unsigned k = 0; k <= j; k++) shape.g[k] += q * laguerre(j, 0.5, k);
        for (unsigned k = 0; k < j; k++)
            shape.p[k] += q * laguerre(j - 1, 1.5, k) / j;
    }
    return shape;
}
