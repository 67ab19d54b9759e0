/* SPDX-License-Identifier: MIT */
/* The lattice on which new vortex particles are placed. */
#include <math.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const double max_points = 1 << 30;

size_t
koshu_vortex_lattice_points(const struct koshu_vortex_lattice *lattice)
{
    return lattice->m[0] * lattice->m[1] * lattice->m[2];
}

void
koshu_vortex_lattice_place(const struct koshu_vortex_lattice *lattice, size_t p,
                           double place[3])
{
    for (int a = 2; a >= 0; a--) {
        const long i = (long)(p % lattice->m[a]) + lattice->first[a];
        place[a] = (double)i * lattice->h;
        p /= lattice->m[a];
    }
}

static void
cover(const struct koshu_vortices *v, int axis, double margin,
      struct koshu_vortex_lattice *lattice, double *points)
{
    const double *x = koshu_vortices_position(v, axis);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < v->n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    low = floor((low - margin) / lattice->h);
    high = ceil((high + margin) / lattice->h);
    *points *= high - low + 1;
    if (!(*points <= max_points)) return;
    lattice->first[axis] = (long)low;
    lattice->m[axis] = (size_t)(high - low) + 1;
}

koshu_status
koshu_vortex_lattice_of(const struct koshu_vortices *v, double h, double margin,
                        struct koshu_vortex_lattice *lattice)
{
    const double along = v->box > 0 ? round(v->box / h) : 0;
    double points = along > 0 ? along * along * along : 1;
    *lattice = (struct koshu_vortex_lattice){
            .h = along > 0 ? v->box / along : h, .periodic = along > 0};
    for (int a = 0; a < 3 && points <= max_points; a++)
        if (along > 0)
            lattice->m[a] = (size_t)along;
        else
            cover(v, a, margin, lattice, &points);
    if (points <= max_points) return KOSHU_OK;
    return koshu_fail(
            v->context, KOSHU_ERROR_BAD_INPUT,
            "a lattice of spacing %g around these vortex particles would have "
            "%.3g points, more than %.3g: they have spread too far",
            h, points, max_points);
}
