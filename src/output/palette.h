/* SPDX-License-Identifier: MIT */
/* Colours of pictures, as 0xRRGGBB, from low to high. */
#ifndef KOSHU_OUTPUT_PALETTE_H
#define KOSHU_OUTPUT_PALETTE_H

enum { KOSHU_PALETTE_COUNT = 256 };

extern const unsigned koshu_palette[KOSHU_PALETTE_COUNT];

/* Colours of stars, from the coolest to the hottest, for a black background. */
void koshu_star_palette(unsigned palette[KOSHU_PALETTE_COUNT]);

#endif
