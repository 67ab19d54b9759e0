/* SPDX-License-Identifier: MIT */
/* Writes units as labels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "particles/particles.h"
#include "particles/units.h"

/* A unit as a number times powers of named units. */
enum { MAX_FACTORS = 4 };
struct product {
    double number;
    int n;
    struct {
        const char *name;
        int power;
    } factor[MAX_FACTORS];
};

static void
put_factor(struct product *p, double cgs, enum koshu_quantity base, int power)
{
    if (power == 0) return;
    const struct koshu_named_unit u =
            koshu_unit_name(cgs, koshu_quantity_dimensions[base]);
    p->number *= pow(u.number, power);
    p->factor[p->n].name = u.name;
    p->factor[p->n++].power = power;
}

/* If the unit of time has a name, velocities are written as length over time;
 * otherwise in km/s. */
static bool
has_named_time(const struct koshu_units *u)
{
    const struct koshu_dimension time = {0, 0, 1};
    return koshu_unit_name(u->length_cm / u->velocity_cm_s, time).number == 1;
}

static void
put_velocity(struct product *p, double cgs, int power)
{
    const double unit = fabs(cgs - 1) < 1e-3         ? 1
                        : fabs(cgs / 100 - 1) < 1e-3 ? 100
                                                     : 1e5;
    const bool round = fabs(cgs / unit - 1) < 1e-3;
    if (power == 0) return;
    p->number *= round ? 1 : pow(cgs / unit, power);
    p->factor[p->n].name = unit == 1 ? "cm" : unit == 100 ? "m" : "km";
    p->factor[p->n++].power = power;
    p->factor[p->n].name = "s";
    p->factor[p->n++].power = -power;
}

static struct product
product_of(const struct koshu_units *u, enum koshu_quantity quantity)
{
    const struct koshu_dimension d = koshu_quantity_dimensions[quantity];
    const bool by_time = quantity == KOSHU_QUANTITY_TIME || has_named_time(u);
    struct product p = {.number = 1};
    put_factor(&p, u->mass_g, KOSHU_QUANTITY_MASS, d.mass);
    put_factor(&p, u->length_cm, KOSHU_QUANTITY_LENGTH,
               by_time ? d.length : d.length + d.time);
    if (by_time)
        put_factor(&p, u->length_cm / u->velocity_cm_s, KOSHU_QUANTITY_TIME,
                   d.time);
    else
        put_velocity(&p, u->velocity_cm_s, -d.time);
    return p;
}

/* ---- as text ------------------------------------------------------------- */

/* A text that grows by appending, and is cut where its memory is full. */
struct text {
    char *at;
    size_t left;
};

KOSHU_PRINTF(2, 3)
static void
put(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at, t->left, format, arguments);
    va_end(arguments);
    const size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left;
    t->at += used;
    t->left -= used;
}

/* A power of ten as its exponent, any other number with four digits; in a drawn
 * text with a raised exponent. */
static void
put_number(struct text *t, double x, bool drawn)
{
    char digits[32];
    const double power = round(log10(x));
    const bool is_power = fabs(x / pow(10, power) - 1) < 1e-3;
    if (is_power && power == 0) return;
    snprintf(digits, sizeof digits, is_power ? "1e%.0f" : "%.4g",
             is_power ? power : x);
    char *e = strchr(digits, 'e');
    if (!drawn || !e) {
        put(t, "%s ", digits);
        return;
    }
    *e = '\0';
    if (!is_power) put(t, "%s×", digits);
    put(t, "10^{%d} ", atoi(e + 1));
}

/* "Msun pc^2/Myr^2"; "pc^-3". */
static void
put_plain(struct text *t, const struct product *p)
{
    bool first = true;
    for (int k = 0; k < p->n; k++) {
        const int power = p->factor[k].power;
        if (power < 0) continue;
        put(t, "%s%s", first ? "" : " ", p->factor[k].name);
        if (power > 1) put(t, "^%d", power);
        first = false;
    }
    for (int k = 0; k < p->n; k++) {
        const int power = p->factor[k].power;
        if (power > 0) continue;
        put(t, "%s%s", first ? "" : "/", p->factor[k].name);
        if (first || power < -1) put(t, "^%d", first ? power : -power);
        first = false;
    }
}

/* "M_☉ pc^2 Myr^{-2}" */
static void
put_drawn(struct text *t, const struct product *p)
{
    for (int k = 0; k < p->n; k++) {
        const char *name = p->factor[k].name;
        const bool of_sun = strcmp(name + 1, "sun") == 0;
        put(t, of_sun ? "%s%.1s_☉" : "%s%s", k ? " " : "", name);
        if (p->factor[k].power != 1) put(t, "^{%d}", p->factor[k].power);
    }
}

static void
put_label(const struct koshu_units *units, enum koshu_quantity quantity,
          bool drawn, struct text *t)
{
    if (t->left == 0) return;
    *t->at = '\0';
    if (koshu_units_are_henon(units) || (unsigned)quantity >= KOSHU_QUANTITIES)
        return;
    const struct product p = product_of(units, quantity);
    locale_t users = koshu_plain_numbers();
    put_number(t, p.number, drawn);
    uselocale(users);
    (drawn ? put_drawn : put_plain)(t, &p);
}

void
koshu_units_label(const struct koshu_units *units, enum koshu_quantity quantity,
                  size_t size, char *text)
{
    struct text t = {text, text ? size : 0};
    put_label(units, quantity, false, &t);
}

void
koshu_units_drawn_label(const struct koshu_units *units,
                        enum koshu_quantity quantity, size_t size, char *text)
{
    struct text t = {text, size};
    put_label(units, quantity, true, &t);
}

void
koshu_quantity_text(const struct koshu_units *units,
                    enum koshu_quantity quantity, double value, size_t size,
                    char *text)
{
    struct text t = {text, text ? size : 0};
    const bool bare = koshu_units_are_henon(units) ||
                      (unsigned)quantity >= KOSHU_QUANTITIES;
    struct product p = {.number = 1};
    if (!bare) p = product_of(units, quantity);
    locale_t users = koshu_plain_numbers();
    if (fabs(p.number - 1) < 1e-3) p.number = 1;
    put(&t, "%g%s", value * p.number, bare ? "" : " ");
    uselocale(users);
    put_plain(&t, &p);
}

void
koshu_units_text(const struct koshu_units *units, size_t size, char *text)
{
    char length[64], mass[64], third[64];
    if (!text || size == 0) return;
    if (koshu_units_are_henon(units)) {
        snprintf(text, size, "Hénon units");
        return;
    }
    koshu_units_label(units, KOSHU_QUANTITY_LENGTH, sizeof length, length);
    koshu_units_label(units, KOSHU_QUANTITY_MASS, sizeof mass, mass);
    const bool in_kms = fabs(units->velocity_cm_s / 1e5 - 1) < 1e-3;
    koshu_units_label(units,
                      in_kms && !has_named_time(units) ? KOSHU_QUANTITY_VELOCITY
                                                       : KOSHU_QUANTITY_TIME,
                      sizeof third, third);
    snprintf(text, size, "%s, %s, %s", length, mass, third);
}
