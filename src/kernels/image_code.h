/* SPDX-License-Identifier: MIT */
/*
 * How an entry of a list, a number of 32 bits, names a cell in an image of a
 * periodic box. Either entries of all images have as many bits for the cell; or
 * those of the nearest have more than the others, of which only large cells are
 * met. The entry of a cell's child is that of the cell plus the difference of
 * their numbers.
 */
#ifndef KOSHU_KERNELS_IMAGE_CODE_H
#define KOSHU_KERNELS_IMAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernels.h"

/* {0}: no images; an entry is a cell. */
struct koshu_image_code {
    unsigned bits;        /* bits of an entry that number the cell */
    uint32_t mask;        /* mask of those that number the image */
    uint32_t n_near;      /* images with this many bits; */
    uint32_t far_entries; /* the others have the last so many entries, */
    unsigned far_bits;    /* with fewer bits for the cell */
    uint32_t far_mask;
};

KOSHU_HD bool
koshu_entry_is_far(const struct koshu_image_code *c, uint32_t entry)
{
    return ~entry < c->far_entries;
}

KOSHU_HD uint32_t
koshu_entry_cell(const struct koshu_image_code *c, uint32_t entry)
{
    return entry & ~(koshu_entry_is_far(c, entry) ? c->far_mask : c->mask);
}

KOSHU_HD uint32_t
koshu_entry_image(const struct koshu_image_code *c, uint32_t entry)
{
    if (koshu_entry_is_far(c, entry))
        return c->n_near + ((entry + c->far_entries) >> c->far_bits);
    return (entry & c->mask) >> c->bits;
}

/* The entry of cell 0 in an image. */
KOSHU_HD uint32_t
koshu_entry_of_image(const struct koshu_image_code *c, uint32_t image)
{
    if (image == 0 || image < c->n_near) return image << c->bits;
    return ((image - c->n_near) << c->far_bits) - c->far_entries;
}

#endif
