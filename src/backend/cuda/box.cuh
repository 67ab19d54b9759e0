/* SPDX-License-Identifier: MIT */
/* The extent of host arrays, and the packed units that follow from it. */
#ifndef KOSHU_BACKEND_CUDA_BOX_CUH
#define KOSHU_BACKEND_CUDA_BOX_CUH

#include <cmath>
#include <cstddef>

#include "backend/backend.h"
#include "backend/cuda/precision.cuh"

namespace koshu {

struct box {
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};

    void include(const double *x, const double *y, const double *z, size_t n)
    {
        const double *of[3] = {x, y, z};
        for (int c = 0; c < 3; c++)
            for (size_t k = 0; k < n; k++) {
                low[c] = fmin(low[c], of[c][k]);
                high[c] = fmax(high[c], of[c][k]);
            }
    }
};

inline double
largest(const double *of, size_t n)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, of[k]);
    return most;
}

/* The power of two at or above x; 1 where there is none. */
inline double
power_of_two(double x)
{
    if (!(x > 0) || !std::isfinite(x)) return 1;
    int exponent;
    double part = frexp(x, &exponent);
    return ldexp(1, part == 0.5 ? exponent - 1 : exponent);
}

/*
 * Double precision takes the caller's units. With floats, another length unit
 * changes no bit of a result, so it may follow from where the particles happen
 * to be when they are uploaded. With pairs of floats it may change the last:
 * there it follows from the softening where there is one, and a run that is
 * restarted goes on with the same bits. 2^20 eps leaves 28 bits below eps, and
 * room for a system of a million softening lengths.
 */
inline units
units_of(const koshu_force_task &task, const box &b, double largest_mass)
{
    const double lengths = 0x1p20;
    units u = {1, 1};
    if (task.precision == KOSHU_DOUBLE) return u;
    double reach = 0;
    for (int c = 0; c < 3; c++)
        reach = fmax(reach, fmax(fabs(b.low[c]), fabs(b.high[c])));
    if (task.precision == KOSHU_MIXED && task.eps > 0)
        u.length = lengths * power_of_two(task.eps);
    else
        u.length = power_of_two(reach);
    if (largest_mass > 0 && std::isfinite(largest_mass)) u.mass = largest_mass;
    return u;
}

} /* namespace koshu */

#endif
