/* SPDX-License-Identifier: MIT */
/* Ticks of an axis with numbers that do not overlap. */
#ifndef KOSHU_OUTPUT_TICKS_H
#define KOSHU_OUTPUT_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { KOSHU_TICKS_MAX = 16, KOSHU_TICK_TEXT = 32 };

struct koshu_ticks {
    size_t n;
    /* numbers are at / 10^exponent; the axis's name has this power */
    int exponent;
    double at[KOSHU_TICKS_MAX];
    char text[KOSHU_TICKS_MAX][KOSHU_TICK_TEXT];
};

/* An axis from low to high, `length` units long. Its numbers stand side by side
 * or, if upright, above each other. They extend at most `beyond` units past its
 * ends. */
struct koshu_tick_axis {
    double low, high, length, beyond;
    bool upright;
};

/* A step of 1, 2 or 5 times a power of ten that divides a length into about
 * `parts`. */
double koshu_tick_step(double length, double parts);

/* Chooses as many ticks as fit, at most eleven; maybe none. */
void koshu_ticks_choose(const struct koshu_tick_axis *axis,
                        struct koshu_ticks *ticks);

/* Ticks on an axis of log10 of a quantity. Powers of ten have numbers; so do 2
 * and 5 of each where there are few powers, and all digits where there is less
 * than one. Ticks between these have no text. */
enum { KOSHU_LOG_TICKS_MAX = 120 };
struct koshu_log_ticks {
    size_t n;
    double at[KOSHU_LOG_TICKS_MAX];                  /* log10 */
    char text[KOSHU_LOG_TICKS_MAX][KOSHU_TICK_TEXT]; /* "": none; enhanced */
};
void
koshu_log_ticks_choose(double low, double high, struct koshu_log_ticks *ticks);

/* The approximate width of a text in units, in DejaVu Sans of 13 points. */
double koshu_text_width(const char *text);

#endif
