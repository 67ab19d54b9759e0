/* SPDX-License-Identifier: MIT */
/* Picture formats: gnuplot's terminals, and the files that they write. */
#include "output/picture_format.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum koshu_picture_format
koshu_picture_format_of(const char *path)
{
    const size_t n = strlen(path);
    const char *ending = n > 4 ? path + n - 4 : "";
    return strcasecmp(ending, ".pdf") == 0   ? KOSHU_PICTURE_PDF
           : strcasecmp(ending, ".svg") == 0 ? KOSHU_PICTURE_SVG
                                             : KOSHU_PICTURE_PNG;
}

/* For pngcairo and pdfcairo a point is 96/72 units, for svg one unit; a unit of
 * pdfcairo is 1/72 inch, and its lines are thinner. */
void
koshu_picture_format_print(FILE *script, enum koshu_picture_format format,
                           double width, double height, double font,
                           double scale, const char *background)
{
    fprintf(script, "set encoding utf8\nset minussign\nset terminal ");
    if (format == KOSHU_PICTURE_PDF)
        fprintf(script,
                "pdfcairo size %.6fin,%.6fin font 'Sans,%.3g' fontscale 0.75 "
                "linewidth 1.6 background rgb '%s'\n",
                width / 96, height / 96, font, background);
    else if (format == KOSHU_PICTURE_SVG)
        fprintf(script, "svg size %.0f,%.0f font 'Sans,%.3g' background '%s'\n",
                width, height, font * 96 / 72, background);
    else
        fprintf(script,
                "pngcairo size %.0f,%.0f font 'Sans,%.4g' linewidth %.4g "
                "pointscale %.4g background rgb '%s'\n",
                round(width * scale), round(height * scale), font * scale,
                scale, scale, background);
}

/* A point of size 1 has a radius of three pixels (PNG), 1/24 inch (PDF), or 3/8
 * of the text's height (SVG). */
double
koshu_picture_point_size(enum koshu_picture_format format, double radius,
                         double font)
{
    return radius / (format == KOSHU_PICTURE_PDF   ? 4
                     : format == KOSHU_PICTURE_SVG ? font * 96 / 72 * 0.375
                                                   : 3);
}

/* ---- files --------------------------------------------------------------- */

static bool
ends_with(const unsigned char *bytes, size_t n, const char *end, size_t length)
{
    /* the line break that ends a text */
    while (n > 0 && bytes[n - 1] == '\n') n--;
    return n > length && memcmp(bytes + n - length, end, length) == 0;
}

static bool
begins_with(const unsigned char *bytes, size_t n, const char *head,
            size_t length)
{
    return n > length && memcmp(bytes, head, length) == 0;
}

bool
koshu_picture_is_whole(enum koshu_picture_format format,
                       const unsigned char *bytes, size_t n)
{
    if (format == KOSHU_PICTURE_PDF)
        return begins_with(bytes, n, "%PDF-", 5) &&
               ends_with(bytes, n, "%%EOF", 5);
    if (format == KOSHU_PICTURE_SVG)
        return begins_with(bytes, n, "<?xml", 5) &&
               ends_with(bytes, n, "</svg>", 6);
    return begins_with(bytes, n, "\x89PNG\r\n\x1a\n", 8) &&
           ends_with(bytes, n, "IEND\xae\x42\x60\x82", 8);
}

void
koshu_picture_remove_time(enum koshu_picture_format format,
                          unsigned char *bytes, size_t n)
{
    static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
    if (format != KOSHU_PICTURE_PDF) return;
    unsigned char *at = memmem(bytes, n, key, sizeof key - 1);
    if (!at || at + sizeof key + sizeof date > bytes + n) return;
    memcpy(at + sizeof key - 1, date, sizeof date - 1);
}
