/* SPDX-License-Identifier: MIT */
/* Ticks of an axis, and their numbers, which do not run into each other. */
#ifndef KOSHU_OUTPUT_TICKS_H
#define KOSHU_OUTPUT_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { KOSHU_TICKS_MAX = 16, KOSHU_TICK_TEXT = 32 };

struct koshu_ticks {
    size_t n;
    int exponent; /* texts are of at / 10^exponent: the axis names it */
    double at[KOSHU_TICKS_MAX];
    char text[KOSHU_TICKS_MAX][KOSHU_TICK_TEXT];
};

/* An axis from low to high, `length` units long, along which numbers stand
 * beside each other or, upright, above each other. They reach this far beyond
 * its ends at most. */
struct koshu_tick_axis {
    double low, high, length, beyond;
    bool upright;
};

/* 1, 2 or 5 times a power of ten, so that a length has about `parts`. */
double koshu_tick_step(double length, double parts);

/* As many ticks as have room, eleven at most; none where none has. */
void koshu_ticks_choose(const struct koshu_tick_axis *axis,
                        struct koshu_ticks *ticks);

/* Of log10 of a quantity: numbered at powers of ten, at 2 and 5 too where these
 * are few, at all digits where there is less than one; between them ticks
 * without text. */
enum { KOSHU_LOG_TICKS_MAX = 120 };
struct koshu_log_ticks {
    size_t n;
    double at[KOSHU_LOG_TICKS_MAX];                  /* log10 */
    char text[KOSHU_LOG_TICKS_MAX][KOSHU_TICK_TEXT]; /* "": none; enhanced */
};
void
koshu_log_ticks_choose(double low, double high, struct koshu_log_ticks *ticks);

/* How wide a text is, in units, roughly: 13 points of DejaVu Sans. */
double koshu_text_width(const char *text);

#endif
