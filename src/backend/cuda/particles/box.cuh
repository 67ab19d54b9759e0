/* SPDX-License-Identifier: MIT */
/* The extent of host arrays, and the units of packed particles. */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_BOX_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_BOX_CUH

#include <cmath>
#include <cstddef>

#include "backend/backend.h"
#include "backend/cuda/pairs/precision.cuh"

namespace koshu {

/* Smallest and largest of many numbers; NaN is ignored. Computed in lanes,
 * because otherwise each comparison would wait for the previous one. */
struct extremes {
    double low = INFINITY, high = -INFINITY;

    void include(double x)
    {
        low = x < low ? x : low;
        high = x > high ? x : high;
    }

    void include(const double *x, size_t n)
    {
        const size_t lanes = 8, whole = n / lanes * lanes;
        extremes lane[lanes];
        for (size_t k = 0; k < whole; k += lanes)
            for (size_t l = 0; l < lanes; l++) lane[l].include(x[k + l]);
        for (size_t k = whole; k < n; k++) include(x[k]);
        for (const extremes &e : lane) join(e);
    }

    /* No effect if e has no numbers. */
    void join(const extremes &e)
    {
        low = e.low < low ? e.low : low;
        high = e.high > high ? e.high : high;
    }
};

struct box {
    extremes of[3];

    void include(const double *x, const double *y, const double *z, size_t n)
    {
        of[0].include(x, n);
        of[1].include(y, n);
        of[2].include(z, n);
    }
};

inline double
largest(const double *of, size_t n)
{
    extremes e;
    e.include(of, n);
    return e.high > -e.low ? fmax(e.high, 0) : fmax(-e.low, 0);
}

/* The power of two at or above x; 1 if there is none. */
inline double
power_of_two(double x)
{
    if (!(x > 0) || !std::isfinite(x)) return 1;
    int exponent;
    double part = frexp(x, &exponent);
    return ldexp(1, part == 0.5 ? exponent - 1 : exponent);
}

/* The largest coordinate. */
inline double
reach_of(const box &b)
{
    double reach = 0;
    for (const extremes &e : b.of)
        reach = fmax(reach, fmax(fabs(e.low), fabs(e.high)));
    return reach;
}

/* Double precision if distances underflow floats beside so long a softening. */
inline koshu_force_task
task_in(const koshu_force_task &task, const box &b)
{
    const double max_ratio = 0x1p60, reach = reach_of(b);
    koshu_force_task t = task;
    if (reach > 0 && task.eps > max_ratio * reach)
        t.precision = KOSHU_PRECISION_DOUBLE;
    return t;
}

/*
 * The units of packed particles. Double precision uses the caller's units. With
 * floats, another unit of length changes no bit of a result, so it may depend
 * on the particles' positions at the time of the upload. With pairs of floats
 * it may change the last bits, so it depends only on the softening, if there is
 * one: then a restarted run continues with the same bits. 2^20 eps leaves 28
 * bits below eps, and room for a system of a million softening lengths. (For a
 * system of 2^40 or more of them the unit follows from the positions, so that
 * none is out of range.)
 */
inline units
units_of(const koshu_force_task &task, const box &b, double largest_mass)
{
    const double lengths = 0x1p20;
    units u = {1, 1};
    if (task.precision == KOSHU_PRECISION_DOUBLE) return u;
    const double reach = fmax(reach_of(b), task.eps);
    u.length = power_of_two(reach);
    if (task.precision == KOSHU_PRECISION_MIXED && task.eps > 0)
        u.length = fmax(lengths * power_of_two(task.eps), u.length / lengths);
    if (largest_mass > 0 && std::isfinite(largest_mass)) u.mass = largest_mass;
    return u;
}

} /* namespace koshu */

#endif
