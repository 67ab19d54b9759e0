/* SPDX-License-Identifier: MIT */
/* Fits particle strengths to a field in a periodic box with Fourier
 * transforms. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;
static const double reach = 8; /* radius in which a core is summed, in core
                                  radii */

/* By what factor a core multiplies each wave. */
struct response {
    long n;
    struct koshu_vortex_core core;
    double h;
    double *axis; /* [k]: of Gaussians sampled on a line of the lattice */
};

/* The factor of a wave along one axis, in radians per point, for a Gaussian
 * sampled at the lattice's points. */
static double
sample_axis(double core, double h, double wave)
{
    const long last = (long)ceil(reach * core / h);
    double sum = 0;
    for (long j = -last; j <= last; j++) {
        const double x = (double)j * h / core;
        sum += exp(-x * x / 2) / (sqrt(2 * pi) * core) * cos((double)j * wave);
    }
    return sum;
}

/* Gaussians are fitted so that their sum is the field at the points, aliases
 * included. Cores of a higher order put more of their sum into waves beyond the
 * lattice's, which contribute little velocity: they are fitted without aliases,
 * so that the velocity is right. */
static double
respond(const struct response *r, const long k[3])
{
    if (r->core.order <= 2)
        return r->axis[labs(k[0])] * r->axis[labs(k[1])] * r->axis[labs(k[2])];
    const double wave = 2 * pi / ((double)r->n * r->h);
    const double half =
            (double)(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * wave * wave / 2;
    const double s = half * r->core.radius * r->core.radius,
                 s_0 = half * r->core.mid * r->core.mid;
    double term = 1, sum = 1;
    for (unsigned j = 1; 2 * j + 2 <= r->core.order; j++)
        sum += term *= s_0 / j;
    return exp(-s) * sum / (r->h * r->h * r->h);
}

/* Waves beyond n / 2, in the corners, are left out: the core damps them so much
 * that dividing by its factor would amplify noise. */
static double
inverse(const void *argument, const long k[3])
{
    const struct response *r = argument;
    const long square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return 4 * square < r->n * r->n ? 1 / respond(r, k) : 0;
}

koshu_status
koshu_vortex_fit_waves(struct koshu_context *context,
                       const struct koshu_vortex_lattice *lattice,
                       struct koshu_wave_filter *filter,
                       const struct koshu_vortex_core *core, double *field,
                       struct koshu_vortex_fit *fit)
{
    const size_t n = lattice->m[0];
    struct response r = {.n = (long)n,
                         .core = *core,
                         .h = lattice->h,
                         .axis = malloc((n / 2 + 1) * sizeof *r.axis)};
    *fit = (struct koshu_vortex_fit){0};
    if (!r.axis) return koshu_fail_memory(context, 4 * n, "waves of cores");
    for (size_t k = 0; k <= n / 2; k++)
        r.axis[k] = sample_axis(core->radius, lattice->h,
                                2 * pi * (double)k / (double)n);
    const koshu_status status =
            filter->apply(filter, inverse, &r, field, &fit->residual);
    free(r.axis);
    return status;
}
