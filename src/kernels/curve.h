/* SPDX-License-Identifier: MIT */
/*
 * Keys of particles along a space-filling curve: Morton's, which interleaves
 * the bits of the three coordinates, or Hilbert's, along which neighbours are
 * also neighbours in space (Skilling 2004, "Programming the Hilbert curve").
 * Host and device share this code, so that the same particles make the same
 * tree.
 */
#ifndef KOSHU_KERNELS_CURVE_H
#define KOSHU_KERNELS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernels.h"

/* Bits of a coordinate, which is also the number of tree levels, and of a
 * key. */
enum { KOSHU_KEY_BITS = 21, KOSHU_KEY_LENGTH = 3 * KOSHU_KEY_BITS };

/* Inserts two zero bits before each of the 21 bits. */
KOSHU_HD uint64_t
koshu_spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

/* The index along Hilbert's curve, distributed over three numbers whose bits
 * are then interleaved (Skilling's AxestoTranspose). */
KOSHU_HD void
koshu_transpose_hilbert(uint32_t c[3])
{
    const uint32_t top = 1u << (KOSHU_KEY_BITS - 1);
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

/* Is a box of this side treated as a point because 1 / side overflows? */
KOSHU_HD bool
koshu_box_is_point(double side)
{
    return side < 0x1p-990;
}

/* Key units per length in a box of this side; 0 in a point, where all keys are
 * 0. */
KOSHU_HD double
koshu_key_scale(double side)
{
    return koshu_box_is_point(side) ? 0 : (double)(1 << KOSHU_KEY_BITS) / side;
}

KOSHU_HD uint32_t
koshu_key_coordinate(double x, double corner, double scale)
{
    const double last = (1 << KOSHU_KEY_BITS) - 1;
    const double c = (x - corner) * scale;
    return (uint32_t)(c < last ? c : last);
}

/* The key of a particle in the box whose lower corner is corner[3]. */
KOSHU_HD uint64_t
koshu_key_of(const double *corner, double scale, bool hilbert, double x,
             double y, double z)
{
    uint32_t c[3] = {koshu_key_coordinate(x, corner[0], scale),
                     koshu_key_coordinate(y, corner[1], scale),
                     koshu_key_coordinate(z, corner[2], scale)};
    if (hilbert) koshu_transpose_hilbert(c);
    return koshu_spread_bits(c[0]) << 2 | koshu_spread_bits(c[1]) << 1 |
           koshu_spread_bits(c[2]);
}

#endif
