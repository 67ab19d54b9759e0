/* SPDX-License-Identifier: MIT */
/* The bounding box of particles, and their keys along a space-filling curve. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "tree/tree.h"

/* ---- the box ------------------------------------------------------------- */

struct extent {
    double low, high;
};

static struct extent
extent_of(size_t n, const double *x, int threads)
{
    double low = x[0], high = x[0], bad = 0;
#pragma omp parallel for simd num_threads(threads) reduction(min : low) \
        reduction(max : high) reduction(+ : bad)
    for (size_t i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        bad += x[i] - x[i]; /* NaN where x is not finite */
    }
    if (bad != 0) low = high = NAN;
    return (struct extent){low, high};
}

koshu_status
koshu_tree_extent_of(size_t n, const double *x, const double *y,
                     const double *z, int threads,
                     struct koshu_tree_extent *extent)
{
    const double *const axis[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        const struct extent e = extent_of(n, axis[c], threads);
        if (!isfinite(e.high - e.low)) return KOSHU_ERROR_NOT_FINITE;
        extent->low[c] = e.low;
        extent->high[c] = e.high;
    }
    return KOSHU_OK;
}

koshu_status
koshu_tree_box_of(size_t n, const double *x, const double *y, const double *z,
                  int threads, struct koshu_tree_box *box)
{
    struct koshu_tree_extent e;
    KOSHU_TRY(koshu_tree_extent_of(n, x, y, z, threads, &e));
    box->side = 0;
    for (int c = 0; c < 3; c++) {
        const double side = e.high[c] - e.low[c];
        box->corner[c] = e.low[c];
        box->side = side > box->side ? side : box->side;
    }
    return KOSHU_OK;
}

/* ---- keys ---------------------------------------------------------------- */

void
koshu_tree_keys(const struct koshu_tree_box *box,
                enum koshu_space_filling_curve curve, size_t n, const double *x,
                const double *y, const double *z, int threads, uint64_t *key)
{
    const double scale = koshu_key_scale(box->side);
    const bool hilbert = curve == KOSHU_SPACE_FILLING_CURVE_HILBERT;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        key[i] = koshu_key_of(box->corner, scale, hilbert, x[i], y[i], z[i]);
}
