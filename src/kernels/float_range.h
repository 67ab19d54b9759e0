/* SPDX-License-Identifier: MIT */
/*
 * Chooses units in which every number of a gravity sum fits a float.
 *
 * From the nearest pair that matters to the most distant one, 1 / r^3 spans
 * three times as many powers of two as r, and a float has about 250. So the
 * unit of length makes the longest distance as large as the smallest mass
 * allows: m / r^3 is then just a normal float, and the rest of the range is
 * left to near pairs. Units are powers of two, so that scaling rounds nothing
 * and results have the same bits in any units of the caller.
 *
 * Numbers are represented by their exponents (base 2), as ilogb() returns them.
 */
#ifndef KOSHU_KERNELS_FLOAT_RANGE_H
#define KOSHU_KERNELS_FLOAT_RANGE_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>

/* The exponent of a length, a softening or a mass that is 0. */
#define KOSHU_FLOAT_RANGE_ZERO INT_MIN

enum {
    KOSHU_FLOAT_RANGE_NORMAL =
            -126, /* the smallest float with full precision */
    KOSHU_FLOAT_RANGE_DIGITS = 24,
    KOSHU_FLOAT_RANGE_ROOT = 60,  /* of a number that is to be squared */
    KOSHU_FLOAT_RANGE_MASS = 90,  /* sums of many such masses are floats */
    KOSHU_FLOAT_RANGE_CUBE = 124, /* of m / r^3, with a margin of 8 */
    /* The squares of smaller numbers lose digits. */
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

/* How much longer the softening is than the box: forces are smaller than m /
 * eps^2 by that factor. */
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

/* Are m / r^3, and its product with a difference of positions, normal floats at
 * any distance? */
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

/* The distance of the nearest pair of two such masses whose m / r^3 is a
 * float. */
static inline int
koshu_float_range_nearest(int mass)
{
    if (mass == KOSHU_FLOAT_RANGE_ZERO) return KOSHU_FLOAT_RANGE_SQUARE;
    const int nearest = (mass - KOSHU_FLOAT_RANGE_CUBE) / 3 + 1;
    return nearest > KOSHU_FLOAT_RANGE_SQUARE ? nearest
                                              : KOSHU_FLOAT_RANGE_SQUARE;
}

/* May pairs be nearer than koshu_float_range_nearest()? */
static inline bool
koshu_float_range_overflows(const struct koshu_float_range *r, int mass)
{
    return r->eps <= koshu_float_range_nearest(mass);
}

/*
 * Finds the exponent of the unit of length; `least` is in units of mass
 * already. The box, or the softening if that is longer, becomes at most
 * 2^max_exponent. Returns false if no unit fits.
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
