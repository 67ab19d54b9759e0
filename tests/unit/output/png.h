/* SPDX-License-Identifier: MIT */
/* Reads the header of a PNG file. */
#ifndef KOSHU_TESTS_PNG_H
#define KOSHU_TESTS_PNG_H

#include "scratch.h"

static inline uint32_t
png_number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Asserts that the file is a PNG of this size in pixels; 0: any size. */
static inline void
assert_png(const char *path, uint32_t width, uint32_t height)
{
    size_t n;
    unsigned char *png = scratch_read(path, &n);
    assert_true(n > 64);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    assert_memory_equal(png + n - 8, "IEND\xae\x42\x60\x82", 8);
    if (width) assert_int_equal(png_number(png + 16), width);
    if (height) assert_int_equal(png_number(png + 20), height);
    free(png);
}

#endif
