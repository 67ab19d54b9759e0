/* SPDX-License-Identifier: MIT */
/*
 * The box of a tree, and the keys of its particles (kernels/curve.h).
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_KEYS_CUH
#define KOSHU_BACKEND_CUDA_TREE_KEYS_CUH

#include <cstdint>
#include <cstring>

#include "kernels/curve.h"

namespace koshu {

/* Levels of a key, three bits each. */
enum { TREE_LEVELS = KOSHU_KEY_BITS };

/* ---- the box ------------------------------------------------------------- */

/* Maps doubles to integers with the same order. */
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

/* The extent of positions, as integers, for the device's atomics. */
struct tree_extent {
    unsigned long long low[3], high[3];
};

/* The smallest cube that holds the particles; its corner has their smallest
 * coordinates. */
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

KOSHU_HD uint64_t
key_of(const tree_box &box, bool hilbert, double x, double y, double z)
{
    return koshu_key_of(box.corner, koshu_key_scale(box.side), hilbert, x, y,
                        z);
}

} /* namespace koshu */

#endif
