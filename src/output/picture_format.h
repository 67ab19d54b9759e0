/* SPDX-License-Identifier: MIT */
/* What a picture is written as: the terminals of gnuplot, and their files. */
#ifndef KOSHU_OUTPUT_PICTURE_FORMAT_H
#define KOSHU_OUTPUT_PICTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Pixels: PNG. Lines and text that stay sharp at any size: PDF, SVG. */
enum koshu_picture_format {
    KOSHU_PICTURE_PNG,
    KOSHU_PICTURE_PDF,
    KOSHU_PICTURE_SVG
};

/* By the ending of a name, in letters of either case; any other ending: PNG. */
enum koshu_picture_format koshu_picture_format_of(const char *path);

/* Prints gnuplot's command for a picture of width x height units, a unit being
 * 1/96 inch: `scale` pixels of PNG. font: in points. background: "#rrggbb". */
void koshu_picture_format_print(FILE *script, enum koshu_picture_format format,
                                double width, double height, double font,
                                double scale, const char *background);

/* gnuplot's size of a point (type 7, a disc) of this radius in units, font as
 * above. */
double koshu_picture_point_size(enum koshu_picture_format format, double radius,
                                double font);

/* Are these the bytes of a whole file of the format? */
bool koshu_picture_is_whole(enum koshu_picture_format format,
                            const unsigned char *bytes, size_t n);

/* Takes out of a picture what tells when it was made: identical data give
 * identical bytes. */
void koshu_picture_remove_time(enum koshu_picture_format format,
                               unsigned char *bytes, size_t n);

#endif
