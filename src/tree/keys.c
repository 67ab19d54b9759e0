/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

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
koshu_tree_box_of(size_t n, const double *x, const double *y, const double *z,
                  int threads, struct koshu_tree_box *box)
{
    const double *const axis[3] = {x, y, z};
    box->side = 0;
    for (int c = 0; c < 3; c++) {
        struct extent e = extent_of(n, axis[c], threads);
        double side = e.high - e.low;
        if (!isfinite(side)) return KOSHU_NOT_FINITE;
        box->corner[c] = e.low;
        box->side = side > box->side ? side : box->side;
    }
    return KOSHU_OK;
}

/* ---- curves -------------------------------------------------------------- */

/* Two empty bits before each of the 21. */
static inline uint64_t
spread(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

static inline uint64_t
interleave(const uint32_t c[3])
{
    return spread(c[0]) << 2 | spread(c[1]) << 1 | spread(c[2]);
}

/*
 * The index along Hilbert's curve, spread over three numbers whose bits are to
 * be interleaved (Skilling 2004, "Programming the Hilbert curve",
 * AxestoTranspose).
 */
static inline void
transpose_hilbert(uint32_t c[3])
{
    const uint32_t top = 1u << (KOSHU_KEY_BITS - 1);
    for (uint32_t bit = top; bit > 1; bit >>= 1) {
        const uint32_t below = bit - 1;
        for (int k = 0; k < 3; k++) {
            uint32_t swap = (c[0] ^ c[k]) & below;
            if (c[k] & bit) {
                c[0] ^= below;
            } else {
                c[0] ^= swap;
                c[k] ^= swap;
            }
        }
    }
    c[1] ^= c[0];
    c[2] ^= c[1];
    uint32_t flip = 0;
    for (uint32_t bit = top; bit > 1; bit >>= 1)
        if (c[2] & bit) flip ^= bit - 1;
    for (int k = 0; k < 3; k++) c[k] ^= flip;
}

/* ---- keys ---------------------------------------------------------------- */

/* Below this a side's inverse is no double: the box has no extent. */
static const double smallest_side = 0x1p-990;

static inline uint32_t
coordinate(double x, double corner, double scale)
{
    const double last = (1 << KOSHU_KEY_BITS) - 1;
    double c = (x - corner) * scale;
    return (uint32_t)(c < last ? c : last);
}

void
koshu_tree_keys(const struct koshu_tree_box *box, enum koshu_curve curve,
                size_t n, const double *x, const double *y, const double *z,
                int threads, uint64_t *key)
{
    const double *corner = box->corner;
    const double scale = box->side < smallest_side
                                 ? 0
                                 : (double)(1 << KOSHU_KEY_BITS) / box->side;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) {
        uint32_t c[3] = {coordinate(x[i], corner[0], scale),
                         coordinate(y[i], corner[1], scale),
                         coordinate(z[i], corner[2], scale)};
        if (curve == KOSHU_CURVE_HILBERT) transpose_hilbert(c);
        key[i] = interleave(c);
    }
}
