/* SPDX-License-Identifier: MIT */
/* Positions in a periodic box. */
#include "analysis/place.h"

double
koshu_wrapped(double x, double box)
{
    const double wrapped = x - box * floor(x / box);
    return wrapped < box ? wrapped : 0; /* for x = -1e-20, x + box rounds to
                                           box */
}

size_t
koshu_cell_along(double x, double box, size_t n)
{
    const size_t cell = (size_t)(koshu_wrapped(x, box) / box * (double)n);
    return cell < n ? cell : n - 1;
}
