/* SPDX-License-Identifier: MIT */
/* Chooses ticks so that their numbers do not overlap. */
#include "output/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* For text of 13 points, in units (1/96 inch): an em, the height of a line, and
 * the gap between two numbers. */
static const double em = 13.0 * 96 / 72, line = 30, between = 12;

double
koshu_tick_step(double length, double parts)
{
    double rough = length / parts, power = pow(10, floor(log10(rough)));
    double digit = rough / power; /* in [1, 10) */
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

double
koshu_text_width(const char *text)
{
    double ems = 0;
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c & 0xc0) == 0x80) continue; /* later byte of a character */
        ems += c == '.' || c == ' ' ? 0.32 : c >= 0x80 ? 0.84 : 0.64;
    }
    return ems * em;
}

/* Writes a number with a minus sign, not a hyphen. */
static void
write_number(double number, char text[KOSHU_TICK_TEXT])
{
    char digits[24];
    snprintf(digits, sizeof digits, "%.10g", fabs(number));
    snprintf(text, KOSHU_TICK_TEXT, "%s%s", number < 0 ? "−" : "", digits);
}

/* The power of ten that the numbers leave to the axis's name. */
static int
exponent_of(const struct koshu_tick_axis *a)
{
    const double largest = fmax(fabs(a->low), fabs(a->high));
    const int power = (int)floor(log10(largest));
    return power > 4 || power < -3 ? power : 0;
}

/* ---- along an axis ------------------------------------------------------- */

static double
place_of(const struct koshu_tick_axis *a, double at)
{
    return (at - a->low) / (a->high - a->low) * a->length;
}

static double
extent_of(const struct koshu_tick_axis *a, const char *text)
{
    return a->upright ? em : koshu_text_width(text);
}

static bool
is_within(const struct koshu_tick_axis *a, double at, const char *text)
{
    const double place = place_of(a, at), half = extent_of(a, text) / 2;
    return place - half >= -a->beyond && place + half <= a->length + a->beyond;
}

/* Ticks at all multiples of the step whose numbers fit; false: too many. */
static bool
fill(const struct koshu_tick_axis *a, double step, struct koshu_ticks *t)
{
    const double first = ceil(a->low / step - 1e-9),
                 last = floor(a->high / step + 1e-9);
    t->n = 0;
    if (!(last - first < KOSHU_TICKS_MAX)) return false;
    for (double k = first; k <= last; k++) {
        const double at = k * step;
        write_number(at / pow(10, t->exponent), t->text[t->n]);
        t->at[t->n] = at;
        if (is_within(a, at, t->text[t->n])) t->n++;
    }
    return true;
}

static bool
are_apart(const struct koshu_tick_axis *a, const struct koshu_ticks *t)
{
    for (size_t k = 1; k < t->n; k++) {
        const double apart = place_of(a, t->at[k]) - place_of(a, t->at[k - 1]);
        const double need = a->upright
                                    ? line
                                    : between + (extent_of(a, t->text[k]) +
                                                 extent_of(a, t->text[k - 1])) /
                                                        2;
        if (apart < need) return false;
    }
    return true;
}

void
koshu_ticks_choose(const struct koshu_tick_axis *axis,
                   struct koshu_ticks *ticks)
{
    ticks->exponent = exponent_of(axis);
    for (double parts = 6; parts >= 0.5; parts /= 1.25) {
        const double step = koshu_tick_step(axis->high - axis->low, parts);
        if (fill(axis, step, ticks) && are_apart(axis, ticks)) return;
    }
    ticks->n = 0;
}

/* ---- powers of ten ------------------------------------------------------- */

static void
add_log(struct koshu_log_ticks *t, double at, const char *text)
{
    if (t->n == KOSHU_LOG_TICKS_MAX) return;
    t->at[t->n] = at;
    snprintf(t->text[t->n++], KOSHU_TICK_TEXT, "%s", text);
}

/* digit 10^power, written as a plain number where that is short. */
static void
write_power(int digit, int power, char text[KOSHU_TICK_TEXT])
{
    if (power >= -3 && power <= 3)
        snprintf(text, KOSHU_TICK_TEXT, "%.10g", digit * pow(10, power));
    else
        snprintf(text, KOSHU_TICK_TEXT, "%.0d%s10^{%d}", digit == 1 ? 0 : digit,
                 digit == 1 ? "" : "·", power);
}

void
koshu_log_ticks_choose(double low, double high, struct koshu_log_ticks *ticks)
{
    const double decades = high - low;
    const bool all = decades < 0.95;
    const bool fine = decades < 2.5;
    const bool coarse = decades > 12;
    ticks->n = 0;
    for (int power = (int)floor(low); power <= high; power++)
        for (int digit = 1; digit < 10; digit++) {
            const double at = power + log10(digit);
            char text[KOSHU_TICK_TEXT] = "";
            if (at < low - 1e-9 || at > high + 1e-9) continue;
            if (coarse && (digit > 1 || power % 3)) continue;
            if (digit == 1 || all || (fine && (digit == 2 || digit == 5)))
                write_power(digit, power, text);
            add_log(ticks, at, text);
        }
}
