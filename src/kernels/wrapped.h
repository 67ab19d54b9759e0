/* SPDX-License-Identifier: MIT */
/* Positions in a periodic box, for all backends. */
#ifndef KOSHU_KERNELS_WRAPPED_H
#define KOSHU_KERNELS_WRAPPED_H

#include <math.h>

#include "kernels/kernels.h"

/* The coordinate wrapped into [corner, corner + edge); unchanged if it is
 * inside. */
KOSHU_HD double
koshu_wrapped(double x, double corner, double edge)
{
    const double from = x - corner;
    if (from >= 0 && from < edge) return x;
    const double in = x - edge * floor(from / edge);
    /* rounding left the box, or x was so large that it had no digits in it */
    return in >= corner && in - corner < edge ? in : corner + 0 * in;
}

#endif
