/* SPDX-License-Identifier: MIT */
#include "vortex/vortex.h"

/* Of Gaussians, and (1 - sigma_0^2 / 2 Laplace [+ its square / 2]) of them. */
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *v)
{
    struct koshu_vortex_core_shape shape = {.g = {1}};
    if (v->order < 4) return shape;
    const double ratio = v->new_core / v->core, q = ratio * ratio;
    shape.g[0] += 1.5 * q;
    shape.g[1] -= q;
    shape.A = q;
    if (v->order < 6) return shape;
    shape.g[0] += 15 * q * q / 8;
    shape.g[1] -= 5 * q * q / 2;
    shape.g[2] = q * q / 2;
    shape.A += 5 * q * q / 4;
    shape.B = q * q / 2;
    return shape;
}
