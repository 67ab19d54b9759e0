/* SPDX-License-Identifier: MIT */
/* Formats of pictures: gnuplot's terminals, and the files that they write. */
#ifndef KOSHU_OUTPUT_PICTURE_FORMAT_H
#define KOSHU_OUTPUT_PICTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* PNG: pixels. PDF, SVG: lines and text that stay sharp at any size. */
enum koshu_picture_format {
    KOSHU_PICTURE_PNG,
    KOSHU_PICTURE_PDF,
    KOSHU_PICTURE_SVG
};

/* The format by a name's ending, in either case; any other ending: PNG. */
enum koshu_picture_format koshu_picture_format_of(const char *path);

/* Prints gnuplot's command for a picture of width x height units. A unit is
 * 1/96 inch, or `scale` pixels of a PNG. font: in points. background:
 * "#rrggbb". */
void koshu_picture_format_print(FILE *script, enum koshu_picture_format format,
                                double width, double height, double font,
                                double scale, const char *background);

/* gnuplot's point size for a disc (type 7) of this radius in units; font as
 * above. */
double koshu_picture_point_size(enum koshu_picture_format format, double radius,
                                double font);

/* Are these the bytes of a complete file of the format? */
bool koshu_picture_is_whole(enum koshu_picture_format format,
                            const unsigned char *bytes, size_t n);

/* Removes the time of creation from a picture, so that identical data give
 * identical bytes. */
void koshu_picture_remove_time(enum koshu_picture_format format,
                               unsigned char *bytes, size_t n);

#endif
