/* SPDX-License-Identifier: MIT */
/* The distance of a point from a box, for all backends. */
#ifndef KOSHU_KERNELS_BOX_DISTANCE_H
#define KOSHU_KERNELS_BOX_DISTANCE_H

#include <math.h>

#include "kernels/kernels.h"

/* The distance of a coordinate from an interval; in a periodic box of this
 * edge, that of the nearest image. edge 0: no periodic box. */
KOSHU_HD double
koshu_interval_distance(double x, double low, double high, double edge)
{
    const double d = fmax(fmax(low - x, x - high), 0.0);
    if (edge == 0) return d;
    return fmin(d, fmax(fmin(low + edge - x, x + edge - high), 0.0));
}

/* The square of the distance of a point from the box [low, high]. */
KOSHU_HD double
koshu_box_distance2(const double x[3], const double low[3],
                    const double high[3], double edge)
{
    double d2 = 0;
    for (int c = 0; c < 3; c++) {
        const double d = koshu_interval_distance(x[c], low[c], high[c], edge);
        d2 += d * d;
    }
    return d2;
}

#endif
