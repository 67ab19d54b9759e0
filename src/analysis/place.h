/* SPDX-License-Identifier: MIT */
/* Positions in a periodic box. */
#ifndef KOSHU_ANALYSIS_PLACE_H
#define KOSHU_ANALYSIS_PLACE_H

#include <math.h>

#include <koshu/particles.h>

static inline void
koshu_place_of(const struct koshu_particle_const_view *v, size_t i, double x[3])
{
    x[0] = v->x[i];
    x[1] = v->y[i];
    x[2] = v->z[i];
}

/* The shortest vector from a to b. */
static inline void
koshu_shortest(const double a[3], const double b[3], double box, double d[3])
{
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        d[k] -= box * rint(d[k] / box);
    }
}

static inline double
koshu_distance2(const double a[3], const double b[3], double box)
{
    double d[3];
    koshu_shortest(a, b, box, d);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/* x wrapped into [0, box). */
double koshu_wrapped(double x, double box);

/* The cell of a coordinate, with n cells along the box. */
size_t koshu_cell_along(double x, double box, size_t n);

#endif
