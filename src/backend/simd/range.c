/* SPDX-License-Identifier: MIT */
/* The range of a batch's numbers, and whether floats hold its sums. */
#include "backend/simd/range.h"

#include <math.h>

#include "kernels/float_range.h"

static double
largest_of(double start, size_t n, const double *x, int threads)
{
    double largest = start;
#pragma omp parallel for simd num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(x[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

static double
least_of(size_t n, const double *x, int threads)
{
    double least = INFINITY;
#pragma omp parallel for simd num_threads(threads) reduction(min : least)
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(x[i]), some = size > 0 ? size : INFINITY;
        least = some < least ? some : least;
    }
    return least;
}

struct simd_range
koshu_simd_range_of_batch(const struct koshu_force_batch *batch, int threads)
{
    const struct koshu_force_targets *i = &batch->i;
    const struct koshu_force_sources *j = &batch->j;
    struct simd_range r = {0};
    const double *const xi[3] = {i->x, i->y, i->z};
    const double *const xj[3] = {j->x, j->y, j->z};
    for (int c = 0; c < 3; c++) {
        r.reach = largest_of(r.reach, j->n, xj[c], threads);
        if (xi[c] != xj[c] || i->n > j->n)
            r.reach = largest_of(r.reach, i->n, xi[c], threads);
    }
    r.largest = largest_of(0, j->n, j->mass, threads);
    r.least = least_of(j->n, j->mass, threads);
    return r;
}

/* Mixed precision is double except for the root: r^2 must fit a float. */
static bool
fits_root(const struct koshu_float_range *r)
{
    return koshu_float_range_reach(r) <= KOSHU_FLOAT_RANGE_ROOT;
}

bool
koshu_simd_range_fits(const struct simd_range *range,
                      enum koshu_precision precision, double eps)
{
    const bool none = !(range->least < INFINITY);
    if (precision == KOSHU_PRECISION_DOUBLE ||
        !isfinite(range->reach + range->largest))
        return true;
    struct koshu_float_range r = {
            koshu_float_range_of(range->reach), koshu_float_range_of(eps),
            none ? KOSHU_FLOAT_RANGE_ZERO : ilogb(range->least)};
    if (range->reach > 0) r.length++; /* from one side to the other */
    if (!fits_root(&r)) return false;
    if (precision == KOSHU_PRECISION_MIXED) return true;
    return koshu_float_range_of(range->largest) <= KOSHU_FLOAT_RANGE_MASS &&
           koshu_float_range_far(&r);
}
