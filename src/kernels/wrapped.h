/* SPDX-License-Identifier: MIT */
/* Places in a periodic box, for all backends. */
#ifndef KOSHU_KERNELS_WRAPPED_H
#define KOSHU_KERNELS_WRAPPED_H

#include <math.h>

#include "kernels/kernels.h"

/* A coordinate in [corner, corner + edge): the very same where it was there. */
KOSHU_HD double
koshu_wrapped(double x, double corner, double edge)
{
    const double from = x - corner;
    if (from >= 0 && from < edge) return x;
    const double in = x - edge * floor(from / edge);
    /* rounding leaves the box, or the position had no digits in it */
    return in >= corner && in - corner < edge ? in : corner + 0 * in;
}

#endif
