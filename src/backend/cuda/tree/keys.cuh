/* SPDX-License-Identifier: MIT */
/*
 * Keys along a space-filling curve, bit for bit those of tree/keys.c: the same
 * particles give the same tree on the host and on the device.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_KEYS_CUH
#define KOSHU_BACKEND_CUDA_TREE_KEYS_CUH

#include <cstdint>
#include <cstring>

#include "kernels/kernels.h"

namespace koshu {

/* Levels of a key, three bits each. */
enum { TREE_LEVELS = 21 };

/* ---- the box ------------------------------------------------------------- */

/* Doubles as integers of the same order. */
KOSHU_HD uint64_t
ordered(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

KOSHU_HD double
from_ordered(uint64_t order)
{
    const uint64_t bits = order >> 63 ? order & ~((uint64_t)1 << 63) : ~order;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Of positions, as integers, so that the device's atomics find it. */
struct tree_extent {
    unsigned long long low[3], high[3];
};

/* The smallest cube that holds particles: it begins at the corner of their
 * smallest coordinates. */
struct tree_box {
    double corner[3], side;
};

KOSHU_HD tree_box
box_of(const tree_extent &e)
{
    tree_box box = {};
    for (int c = 0; c < 3; c++) {
        box.corner[c] = from_ordered(e.low[c]);
        const double side = from_ordered(e.high[c]) - box.corner[c];
        box.side = side > box.side ? side : box.side;
    }
    return box;
}

/* Below this a side's inverse is no double: the box is a point. */
KOSHU_HD bool
is_point(const tree_box &box)
{
    return box.side < 0x1p-990;
}

/* ---- curves -------------------------------------------------------------- */

/* Two empty bits before each of the 21. */
KOSHU_HD uint64_t
spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

/* Hilbert's curve (Skilling 2004, AxestoTranspose). */
KOSHU_HD void
transpose_hilbert(uint32_t c[3])
{
    const uint32_t top = 1u << (TREE_LEVELS - 1);
    for (uint32_t bit = top; bit > 1; bit >>= 1) {
        const uint32_t below = bit - 1;
        for (int k = 0; k < 3; k++) {
            const uint32_t swap = (c[0] ^ c[k]) & below;
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

KOSHU_HD uint32_t
coordinate(double x, double corner, double scale)
{
    const double last = (1 << TREE_LEVELS) - 1;
    const double c = (x - corner) * scale;
    return (uint32_t)(c < last ? c : last);
}

/* In a point all keys are 0. */
KOSHU_HD uint64_t
key_of(const tree_box &box, bool hilbert, double x, double y, double z)
{
    const double scale =
            is_point(box) ? 0 : (double)(1 << TREE_LEVELS) / box.side;
    uint32_t c[3] = {coordinate(x, box.corner[0], scale),
                     coordinate(y, box.corner[1], scale),
                     coordinate(z, box.corner[2], scale)};
    if (hilbert) transpose_hilbert(c);
    return spread_bits(c[0]) << 2 | spread_bits(c[1]) << 1 | spread_bits(c[2]);
}

} /* namespace koshu */

#endif
