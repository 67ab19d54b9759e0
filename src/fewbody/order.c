/* SPDX-License-Identifier: MIT */
/* Finds the order of bodies in a chain. */
#include <math.h>

#include "fewbody/fewbody.h"

static double
distance2(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* The two nearest bodies. */
static void
find_pair(size_t n, const double (*x)[3], unsigned *a, unsigned *b)
{
    double least = INFINITY;
    *a = 0;
    *b = 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++) {
            const double r2 = distance2(x[i], x[j]);
            if (!(r2 < least)) continue;
            least = r2;
            *a = i;
            *b = j;
        }
}

/* The closest body that is not in the chain yet. */
static unsigned
find_nearest(size_t n, const double (*x)[3], const bool *taken, unsigned end,
             double *r2)
{
    unsigned nearest = 0;
    *r2 = INFINITY;
    for (unsigned i = 0; i < n; i++) {
        const double d2 = distance2(x[i], x[end]);
        if (taken[i] || !(d2 < *r2)) continue;
        *r2 = d2;
        nearest = i;
    }
    return nearest;
}

/* Starts from the closest pair, and appends at either end the body closest to
 * it. */
void
koshu_chain_order(size_t n, const double (*x)[3], unsigned *order)
{
    unsigned both[2 * KOSHU_FEWBODY_MAX], low = KOSHU_FEWBODY_MAX,
                                          high = low + 1;
    bool taken[KOSHU_FEWBODY_MAX] = {false};
    find_pair(n, x, &both[low], &both[high]);
    taken[both[low]] = taken[both[high]] = true;
    while (high - low + 1 < n) {
        double to_low, to_high;
        const unsigned a = find_nearest(n, x, taken, both[low], &to_low),
                       b = find_nearest(n, x, taken, both[high], &to_high);
        if (to_low < to_high)
            both[--low] = a;
        else
            both[++high] = b;
        taken[to_low < to_high ? a : b] = true;
    }
    for (size_t k = 0; k < n; k++) order[k] = both[low + k];
}
