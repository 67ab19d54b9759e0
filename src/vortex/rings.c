/* SPDX-License-Identifier: MIT */
/* Initial conditions: coaxial vortex rings. */
#include <math.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;
static const double per_core = 6; /* Gaussians per core radius along a
                                     filament: 4 make it smooth to 1e-16 */

double
koshu_vortex_ring_speed(const struct koshu_vortex_rings *rings)
{
    const double r = rings->radius, a = sqrt(2) * rings->core;
    return rings->circulation / (4 * pi * r) * (log(8 * r / a) - 0.558);
}

/* The filament's point at phi and its derivative with respect to phi. */
static void
follow(const struct koshu_vortex_rings *r, double phi, double x[3],
       double tangent[3])
{
    const double waves = (double)r->waves, e = r->perturbation;
    const double radius = r->radius * (1 + e * cos(waves * phi));
    const double slope = -r->radius * e * waves * sin(waves * phi);
    x[0] = r->centre + radius * cos(phi);
    x[1] = r->centre + radius * sin(phi);
    x[2] = r->centre;
    tangent[0] = slope * cos(phi) - radius * sin(phi);
    tangent[1] = slope * sin(phi) + radius * cos(phi);
    tangent[2] = 0;
}

static void
put_ring(const struct koshu_vortex_rings *r, size_t ring, size_t n,
         struct koshu_vortices *v)
{
    const double step = 2 * pi / (double)n;
    for (size_t i = 0; i < n; i++) {
        double x[3], t[3];
        follow(r, step * (double)i, x, t);
        x[2] += (double)ring * r->separation;
        for (int a = 0; a < 3; a++) {
            koshu_vortices_position(v, a)[ring * n + i] = x[a];
            koshu_vortices_strength(v, a)[ring * n + i] =
                    r->circulation * step * t[a];
        }
    }
}

koshu_status
koshu_vortex_make_rings(const struct koshu_vortex_rings *rings,
                        struct koshu_vortices *v)
{
    const double length =
            2 * pi * rings->radius *
            (1 + rings->perturbation * (1 + (double)rings->waves));
    const size_t n = (size_t)ceil(per_core * length / rings->core) + 16;
    KOSHU_TRY(koshu_vortices_renew(v, rings->n * n));
    for (size_t k = 0; k < rings->n; k++) put_ring(rings, k, n, v);
    v->core = rings->core;
    koshu_vortices_wrap(v);
    return KOSHU_OK;
}
