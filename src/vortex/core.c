/* SPDX-License-Identifier: MIT */
#include "vortex/vortex.h"

/* What (-sigma^2 / 2 Laplace)^j / j!, j from 1 on, makes of exp(-s): Laguerre's
 * polynomials L_j^(1/2) times it; and of velocities L_(j - 1)^(3/2) / j. */
enum { TERMS = 3 };
static const double vorticity[TERMS][KOSHU_VORTEX_CORE_TERMS] = {
        {1.5, -1},
        {15.0 / 8, -5.0 / 2, 1.0 / 2},
        {35.0 / 16, -35.0 / 8, 7.0 / 4, -1.0 / 6}};
static const double velocity[TERMS][3] = {
        {1}, {5.0 / 4, -1.0 / 2}, {35.0 / 24, -7.0 / 6, 1.0 / 6}};

/* Of (1 - sigma_0^2 / 2 Laplace [+ its square / 2 [- its cube / 6]]) of
 * Gaussians. */
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *v)
{
    struct koshu_vortex_core_shape shape = {.g = {1}};
    const double ratio = v->new_core / v->core;
    double q = 1;
    for (unsigned j = 0; j < TERMS && 2 * j + 4 <= v->order; j++) {
        q *= ratio * ratio;
        for (int k = 0; k < KOSHU_VORTEX_CORE_TERMS; k++)
            shape.g[k] += q * vorticity[j][k];
        for (int k = 0; k < 3; k++) shape.p[k] += q * velocity[j][k];
    }
    return shape;
}
