/* SPDX-License-Identifier: MIT */
/*
 * Chooses units in which lists fit floats. Lists hold second moments of the
 * order of M l^2, and their sums have terms of the order of m / r^3: in
 * kilograms and metres these are not normal floats; see kernels/float_range.h.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tree/tree.h"

/*
 * Where units are needed, the box becomes 2^LENGTHS and the total mass
 * 2^MASSES: then pairs may be as near as 2^-75 of the box before 1 / r^3
 * overflows, and the largest moment is 2^100.
 */
enum { LENGTHS = 40, MASSES = 20 };

/* Exponents (base 2) of M l^2, and of M, that need no other units. */
enum {
    LARGEST = LENGTHS * 2 + MASSES,
    SMALLEST = -80,
    LARGEST_MASS = KOSHU_FLOAT_RANGE_MASS
};

/* Pairs nearer than the box by up to 2^NEAR must not need other units
 * either. */
enum { NEAR = 30 };

/* Beyond this exponent, powers of the units would leave the range of
 * doubles. */
enum { FARTHEST = 300 };

struct koshu_tree_masses
koshu_tree_masses_of(size_t n, const double *mass, int threads)
{
    double largest = 0, least = INFINITY;
    int strange = 0;
#pragma omp parallel for simd num_threads(threads) reduction(max        \
                                                             : largest) \
        reduction(min                                                   \
                  : least) reduction(|                                  \
                                     : strange)
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(mass[i]), some = size > 0 ? size : INFINITY;
        largest = size > largest ? size : largest;
        least = some < least ? some : least;
        strange |= !(size <= DBL_MAX);
    }
    return (struct koshu_tree_masses){largest, least, !strange};
}

/* Do near pairs stay in range without other units? */
static bool
is_near_plain(const struct koshu_float_range *r, int all)
{
    if (!koshu_float_range_overflows(r, all)) return true;
    return r->length - koshu_float_range_nearest(all) >= NEAR &&
           (r->eps == KOSHU_FLOAT_RANGE_ZERO ||
            r->eps >= KOSHU_FLOAT_RANGE_SQUARE);
}

static bool
is_plain(const struct koshu_float_range *r, int all)
{
    const int moment = all + 2 * r->length;
    return moment <= LARGEST && moment >= SMALLEST &&
           abs(all) <= LARGEST_MASS && koshu_float_range_far(r) &&
           is_near_plain(r, all);
}

bool
koshu_tree_units_in(const struct koshu_float_range *range, int all,
                    struct koshu_tree_units *units)
{
    struct koshu_float_range r = *range;
    int length;
    *units = (struct koshu_tree_units){1, 1};
    if (r.least == KOSHU_FLOAT_RANGE_ZERO ||
        koshu_float_range_reach(&r) == KOSHU_FLOAT_RANGE_ZERO)
        return true;
    if (r.length == KOSHU_FLOAT_RANGE_ZERO) r.length = r.eps;
    if (is_plain(&r, all)) return true;
    r.least -= all - MASSES;
    if (abs(all) > FARTHEST || abs(koshu_float_range_reach(&r)) > FARTHEST ||
        !koshu_float_range_unit(&r, LENGTHS, &length))
        return false;
    units->length = ldexp(1, length);
    units->mass = ldexp(1, all - MASSES);
    return true;
}

koshu_status
koshu_tree_units_of(double side, double eps, uint64_t n,
                    const struct koshu_tree_masses *masses,
                    struct koshu_tree_units *units)
{
    const struct koshu_tree_masses m = *masses;
    const struct koshu_float_range r = {
            koshu_float_range_of(side), koshu_float_range_of(eps),
            m.largest > 0 ? ilogb(m.least) : KOSHU_FLOAT_RANGE_ZERO};
    if (!m.finite) return KOSHU_ERROR_NOT_FINITE;
    /* n times the largest mass is above the total mass, but not by much; a sum
     * would depend on the number of threads */
    const int all = ilogb(m.largest) + ilogb((double)n);
    return koshu_tree_units_in(&r, all, units) ? KOSHU_OK
                                               : KOSHU_ERROR_UNSUPPORTED;
}
