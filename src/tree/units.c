/* SPDX-License-Identifier: MIT */
/*
 * Floats hold a cell's second moments, of the order of M l^2, where these are
 * between 1e-38 and 3e38: in kilograms and metres they are not. Units are
 * powers of two, so that nothing is rounded: the same bits, whatever the units
 * of the caller.
 */
#include <math.h>
#include <stdlib.h>

#include "tree/tree.h"

/*
 * Of all particles. 2^40 lengths across, so that pairs may be 2^-80 of that
 * apart before the cube of their distance's inverse is no float; and 2^20
 * masses, which makes the largest moment 2^100.
 */
enum { LENGTHS = 40, MASSES = 20 };

/* The powers of two of M l^2, and of M, that need no other units. */
enum { LARGEST = LENGTHS * 2 + MASSES, SMALLEST = -80, LARGEST_MASS = 90 };

/* Units beyond are left alone: doubles would not hold their powers. */
enum { FARTHEST = 400 };

static double
largest_of(size_t n, const double *x, int threads)
{
    double largest = 0;
#pragma omp parallel for simd num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(x[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

struct koshu_tree_units
koshu_tree_units_of(const struct koshu_tree_box *box, size_t n,
                    const double *mass, int threads)
{
    struct koshu_tree_units units = {1, 1};
    const double most = largest_of(n, mass, threads);
    if (!(box->side > 0 && most > 0 && isfinite(most))) return units;
    /* n times the largest is more than all masses, and not by much: a sum
     * would depend on the number of threads */
    const int length = ilogb(box->side), all = ilogb(most) + ilogb((double)n);
    const int moment = all + 2 * length;
    if (moment <= LARGEST && moment >= SMALLEST && abs(all) <= LARGEST_MASS)
        return units;
    if (abs(length) > FARTHEST || abs(all) > FARTHEST) return units;
    units.length = ldexp(1, length - LENGTHS);
    units.mass = ldexp(1, all - MASSES);
    return units;
}
