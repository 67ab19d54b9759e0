/* SPDX-License-Identifier: MIT */
/*
 * Units in which floats hold every number of a sum of gravity.
 *
 * Between the nearest pair that matters and the most distant one 1 / r^3 takes
 * three times as many powers of two as r does, and a float has some 250. So the
 * longest distance goes as far up as the smallest mass allows: m / r^3 is then
 * just a normal float, and all the rest is left to near pairs. Units are powers
 * of two, so that nothing is rounded: the same bits, whatever the units of the
 * caller.
 *
 * Numbers are given by their powers of two, as ilogb() has them.
 */
#ifndef KOSHU_KERNELS_FLOAT_RANGE_H
#define KOSHU_KERNELS_FLOAT_RANGE_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>

/* Of a length, a softening or a mass that is 0. */
#define KOSHU_FLOAT_RANGE_ZERO INT_MIN

enum {
    KOSHU_FLOAT_RANGE_NORMAL =
            -126, /* the smallest float with all its digits */
    KOSHU_FLOAT_RANGE_DIGITS = 24,
    KOSHU_FLOAT_RANGE_ROOT = 60,  /* of what a square is taken */
    KOSHU_FLOAT_RANGE_MASS = 90,  /* sums of many are floats */
    KOSHU_FLOAT_RANGE_CUBE = 124, /* of m / r^3, with a factor of 8 */
    /* The square of less has lost digits. */
    KOSHU_FLOAT_RANGE_SQUARE = KOSHU_FLOAT_RANGE_NORMAL / 2 + 1
};

static inline int
koshu_float_range_of(double x)
{
    return x != 0 ? ilogb(x) : KOSHU_FLOAT_RANGE_ZERO;
}

struct koshu_float_range {
    int length; /* the longest side of the box that particles fill */
    int eps;
    int least; /* the smallest mass that is not 0 */
};

/* How much longer the softening is than the box: forces are so much less than
 * m / eps^2. */
static inline int
koshu_float_range_beyond(const struct koshu_float_range *r)
{
    if (r->eps == KOSHU_FLOAT_RANGE_ZERO || r->length == KOSHU_FLOAT_RANGE_ZERO)
        return 0;
    return r->eps > r->length ? r->eps - r->length : 0;
}

static inline int
koshu_float_range_reach(const struct koshu_float_range *r)
{
    return r->eps > r->length ? r->eps : r->length;
}

/* Are m / r^3, and a difference of positions times that, normal floats at any
 * distance? */
static inline bool
koshu_float_range_far(const struct koshu_float_range *r)
{
    const int beyond = koshu_float_range_beyond(r),
              reach = koshu_float_range_reach(r);
    if (reach == KOSHU_FLOAT_RANGE_ZERO || r->least == KOSHU_FLOAT_RANGE_ZERO)
        return true;
    if (reach > KOSHU_FLOAT_RANGE_ROOT) return false;
    if (beyond == 0)
        return r->least - 3 * (reach + 2) >= KOSHU_FLOAT_RANGE_NORMAL;
    return r->least - 3 * (reach + 1) + r->length - KOSHU_FLOAT_RANGE_DIGITS >=
           KOSHU_FLOAT_RANGE_NORMAL;
}

/* The nearest pair, of two masses like this, whose m / r^3 is a float. */
static inline int
koshu_float_range_nearest(int mass)
{
    if (mass == KOSHU_FLOAT_RANGE_ZERO) return KOSHU_FLOAT_RANGE_SQUARE;
    const int nearest = (mass - KOSHU_FLOAT_RANGE_CUBE) / 3 + 1;
    return nearest > KOSHU_FLOAT_RANGE_SQUARE ? nearest
                                              : KOSHU_FLOAT_RANGE_SQUARE;
}

/* May pairs be nearer than that? */
static inline bool
koshu_float_range_overflows(const struct koshu_float_range *r, int mass)
{
    return r->eps <= koshu_float_range_nearest(mass);
}

/*
 * The unit of length, as its power of two, where `least` is in units of mass.
 * The box, or the softening where that is longer, comes to 2^max_exponent or
 * less. false: there is none that fits.
 */
static inline bool
koshu_float_range_unit(const struct koshu_float_range *r, int max_exponent,
                       int *unit)
{
    const int beyond = koshu_float_range_beyond(r),
              reach = koshu_float_range_reach(r);
    const int least = r->least == KOSHU_FLOAT_RANGE_ZERO ? 0 : r->least;
    int at = beyond == 0 ? (least - KOSHU_FLOAT_RANGE_NORMAL - 6) / 3
                         : (least - KOSHU_FLOAT_RANGE_NORMAL - 3 -
                            KOSHU_FLOAT_RANGE_DIGITS - beyond) /
                                   2;
    *unit = 0;
    if (reach == KOSHU_FLOAT_RANGE_ZERO) return true;
    if (at > max_exponent) at = max_exponent;
    *unit = reach - at;
    if (beyond == 0) return at >= 0; /* some 2^30 are left for near pairs */
    return at >= -30 &&
           at - beyond - KOSHU_FLOAT_RANGE_DIGITS >= KOSHU_FLOAT_RANGE_NORMAL;
}

#endif
