/* SPDX-License-Identifier: MIT */
/*
 * theta of an FMM, the largest ratio of the sum of two cells' radii to their
 * distance at which they act by expansions. It may be smaller for larger cells,
 * of which there are few: their errors are larger, and nearly all of the work
 * is with the smallest.
 */
#ifndef KOSHU_KERNELS_OPENING_H
#define KOSHU_KERNELS_OPENING_H

#include <stdint.h>
#include <string.h>

#include "kernels/kernels.h"

enum { KOSHU_OPENING_SIZES = 12 };

/* {0}: no pair of cells acts by expansions. */
struct koshu_opening {
    double per_largest; /* 1 / the largest sum of radii */
    /* for sums of more than a half of that, a quarter, ...; each at least as
     * large as the one before */
    double theta[KOSHU_OPENING_SIZES];
};

/* The size of a sum of radii: the number of halvings. */
KOSHU_HD int
koshu_opening_size(const struct koshu_opening *o, double both)
{
    const double part = both * o->per_largest;
    int64_t bits;
    memcpy(&bits, &part, sizeof bits);
    const int k = 1022 - (int)(bits >> 52);
    return k < 0 ? 0 : k < KOSHU_OPENING_SIZES ? k : KOSHU_OPENING_SIZES - 1;
}

KOSHU_HD double
koshu_opening_theta(const struct koshu_opening *o, double both)
{
    return o->theta[koshu_opening_size(o, both)];
}

/* Of the smallest cells; no pair has more. */
KOSHU_HD double
koshu_opening_of_small(const struct koshu_opening *o)
{
    return o->theta[KOSHU_OPENING_SIZES - 1];
}

/* The same theta for cells of any size. */
KOSHU_HD struct koshu_opening
koshu_opening_of_all(double theta)
{
    struct koshu_opening o;
    o.per_largest = 1;
    for (int k = 0; k < KOSHU_OPENING_SIZES; k++) o.theta[k] = theta;
    return o;
}

#endif
