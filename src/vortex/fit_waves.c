/* SPDX-License-Identifier: MIT */
/* Strengths that fit a field in a periodic box, by Fourier transforms. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;
static const double reach = 8; /* of a core, in radii */

/* What a lattice of cores, sampled at its points, leaves of waves. It is a sum
 * of products over axes, of Gaussians and of their derivatives of second and
 * fourth order. */
struct response {
    long n;
    double part[2]; /* of both orders */
    double (*axis)[3];
};

static void
set_axis(double core, double h, double wave, double to[3])
{
    const long last = (long)ceil(reach * core / h);
    to[0] = to[1] = to[2] = 0;
    for (long j = -last; j <= last; j++) {
        const double x = (double)j * h / core, x2 = x * x;
        const double w =
                exp(-x2 / 2) / (sqrt(2 * pi) * core) * cos((double)j * wave);
        to[0] += w;
        to[1] += (1 - x2) * w;
        to[2] += (3 - 6 * x2 + x2 * x2) * w;
    }
}

static double
respond(const struct response *r, const long k[3])
{
    const double *a = r->axis[labs(k[0])], *b = r->axis[labs(k[1])],
                 *c = r->axis[labs(k[2])];
    const double second =
            a[1] * b[0] * c[0] + a[0] * b[1] * c[0] + a[0] * b[0] * c[1];
    const double fourth =
            a[2] * b[0] * c[0] + a[0] * b[2] * c[0] + a[0] * b[0] * c[2] +
            2 * (a[1] * b[1] * c[0] + a[1] * b[0] * c[1] + a[0] * b[1] * c[1]);
    return a[0] * b[0] * c[0] + r->part[0] * second + r->part[1] * fourth;
}

/* Waves that a core leaves little of, in the corners, are left out. */
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
                       koshu_wave_filter *filter, unsigned order, double core,
                       double *field, struct koshu_vortex_fit *fit)
{
    const size_t n = lattice->m[0];
    struct response r = {
            .n = (long)n,
            .part = {order >= 4 ? 1.0 / 2 : 0, order >= 6 ? 1.0 / 8 : 0},
            .axis = malloc((n / 2 + 1) * sizeof *r.axis)};
    *fit = (struct koshu_vortex_fit){0};
    if (!r.axis) return koshu_fail_memory(context, 12 * n, "waves of cores");
    for (size_t k = 0; k <= n / 2; k++)
        set_axis(core, lattice->h, 2 * pi * (double)k / (double)n, r.axis[k]);
    const koshu_status status =
            filter(context, n, inverse, &r, field, &fit->residual);
    free(r.axis);
    return status;
}
