/* SPDX-License-Identifier: MIT */
/* Reads quantities and unit systems from texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "particles/particles.h"
#include "particles/units.h"

/* A product of units, in cgs units. */
struct size {
    double cgs;
    struct koshu_dimension dimension;
};

/* ---- units --------------------------------------------------------------- */

static const struct koshu_unit *
find_unit(const char *name, size_t n)
{
    for (int k = 0; k < KOSHU_UNITS; k++)
        if (strlen(koshu_unit_table[k].name) == n &&
            memcmp(koshu_unit_table[k].name, name, n) == 0)
            return &koshu_unit_table[k];
    return NULL;
}

static koshu_status
fail_unknown(struct koshu_context *context, const char *text, const char *name,
             size_t n)
{
    const char *names[KOSHU_UNITS];
    char word[64], seen[64], hint[KOSHU_HINT], all[256];
    size_t n_names = 0;
    snprintf(word, sizeof word, "%.*s", (int)(n < 63 ? n : 63), name);
    for (int k = 0; k < KOSHU_UNITS; k++)
        if (!koshu_unit_table[k].is_alias)
            names[n_names++] = koshu_unit_table[k].name;
    koshu_join_names(all, sizeof all, names, n_names);
    koshu_printable(seen, sizeof seen, text, "");
    koshu_name_hint(hint, word, names, n_names);
    koshu_printable(word, sizeof word, name, "");
    word[n < 63 ? n : 63] = '\0';
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%s': '%s' is not a unit%s; there are %s", seen, word,
                      hint, all);
}

/* The exponent in "^-2", "2" or nothing, which is 1. 0: not an exponent. */
static int
read_power(const char **at)
{
    const bool marked = **at == '^';
    const char *text = *at + marked;
    char *end;
    if (!marked && !strchr("+-0123456789", *text)) return 1;
    if (!*text) return !marked;
    const long power = strtol(text, &end, 10);
    *at = end;
    return end != text && labs(power) < 10 ? (int)power : 0;
}

static void
multiply(struct size *s, const struct koshu_unit *u, int power)
{
    s->cgs *= pow(u->cgs, power);
    s->dimension.length += power * u->dimension.length;
    s->dimension.mass += power * u->dimension.mass;
    s->dimension.time += power * u->dimension.time;
}

/* Reads "Msun pc^2/Myr^2"; "" is 1. */
static koshu_status
parse_unit(struct koshu_context *context, const char *text, struct size *s)
{
    *s = (struct size){.cgs = 1};
    for (const char *at = text + strspn(text, " "); *at;) {
        const int sign = *at == '/' ? -1 : 1;
        at += *at == '/' || *at == '*';
        at += strspn(at, " ");
        const size_t n = strcspn(at, " */^+-0123456789");
        const struct koshu_unit *u = find_unit(at, n);
        const char *end = at + n;
        const int power = u ? read_power(&end) : 0;
        if (power == 0) return fail_unknown(context, text, at, n);
        multiply(s, u, sign * power);
        at = end + strspn(end, " ");
    }
    return KOSHU_OK;
}

/* ---- numbers with units -------------------------------------------------- */

enum { NUMBER = 64 };

/* Reads the number before a unit; it is 1 where there is none. */
static koshu_status
split(struct koshu_context *context, const char *text, double *number,
      const char **unit)
{
    char word[NUMBER], seen[NUMBER];
    text += strspn(text, " ");
    const size_t n = strspn(text, "0123456789+-.eE/");
    *number = 1;
    *unit = text + n;
    if (n == 0) return KOSHU_OK;
    snprintf(word, sizeof word, "%.*s", (int)(n < NUMBER ? n : NUMBER), text);
    if (n < NUMBER && koshu_parse_real(word, number)) return KOSHU_OK;
    koshu_printable(seen, sizeof seen, text, "");
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' is not a number with a unit", seen);
}

static const char *
dimension_name(struct koshu_dimension d)
{
    for (int q = 0; q < KOSHU_QUANTITIES; q++)
        if (koshu_dimension_same(d, koshu_quantity_dimensions[q]))
            return koshu_quantity_name((enum koshu_quantity)q);
    return "something else";
}

static koshu_status
check_dimension(struct koshu_context *context, const char *text,
                struct koshu_dimension is, enum koshu_quantity wanted)
{
    static const char *const examples[KOSHU_QUANTITIES] = {"0.1 pc", "100 Msun",
                                                           "2 Myr", "20 km/s"};
    char seen[NUMBER];
    if (koshu_dimension_same(is, koshu_quantity_dimensions[wanted]))
        return KOSHU_OK;
    koshu_printable(seen, sizeof seen, text, "");
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            "'%s': expected a unit of %s%s%s, got one of %s", seen,
            koshu_quantity_name(wanted), examples[wanted] ? ", such as " : "",
            examples[wanted] ? examples[wanted] : "", dimension_name(is));
}

/* The size of the text's unit in units of the system: exactly 1 if they are the
 * same unit. */
static double
ratio(double cgs, const struct koshu_units *units, enum koshu_quantity quantity)
{
    const double r = cgs / koshu_units_in_cgs(units, quantity);
    return fabs(r - 1) < KOSHU_SAME_UNIT ? 1 : r;
}

koshu_status
koshu_quantity_parse(struct koshu_context *context, const char *text,
                     enum koshu_quantity quantity,
                     const struct koshu_units *units, double *value)
{
    struct size s;
    const char *unit;
    KOSHU_REQUIRE(context, text);
    KOSHU_REQUIRE(context, units);
    KOSHU_REQUIRE(context, value);
    KOSHU_TRY(split(context, text, value, &unit));
    if (unit == text + strspn(text, " "))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%.60s' does not begin with a number", text);
    if (!unit[strspn(unit, " ")]) return KOSHU_OK;
    KOSHU_TRY(parse_unit(context, unit, &s));
    KOSHU_TRY(check_dimension(context, text, s.dimension, quantity));
    if (koshu_units_are_henon(units))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%.60s' has a unit, but the units are Hénon units, "
                          "without one: give the units, or a bare number",
                          text);
    *value *= ratio(s.cgs, units, quantity);
    return KOSHU_OK;
}

koshu_status
koshu_unit_parse(struct koshu_context *context, const char *text,
                 enum koshu_quantity quantity, double *cgs)
{
    struct size s;
    const char *unit;
    KOSHU_TRY(split(context, text, cgs, &unit));
    KOSHU_TRY(parse_unit(context, unit, &s));
    KOSHU_TRY(check_dimension(context, text, s.dimension, quantity));
    *cgs *= s.cgs;
    if (*cgs > 0 && isfinite(*cgs)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%.60s': the size of a unit is a positive number", text);
}

/* ---- systems ------------------------------------------------------------- */

enum part { LENGTH, MASS, TIME, VELOCITY, PARTS };

struct system {
    double cgs[PARTS]; /* 0: not given */
    const char *text;
};

static koshu_status
take_part(struct koshu_context *context, const char *text, struct system *s)
{
    struct size size;
    const char *unit;
    double number;
    int k = 0;
    KOSHU_TRY(split(context, text, &number, &unit));
    KOSHU_TRY(parse_unit(context, unit, &size));
    while (k < PARTS &&
           !koshu_dimension_same(size.dimension, koshu_quantity_dimensions[k]))
        k++;
    if (k == PARTS)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%s': '%s' is not a unit of length, mass, time or "
                          "velocity",
                          s->text, text);
    if (s->cgs[k] > 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%s': two units of %s; remove one", s->text,
                          koshu_quantity_name((enum koshu_quantity)k));
    s->cgs[k] = number * size.cgs;
    if (s->cgs[k] > 0 && isfinite(s->cgs[k])) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "'%s': a unit is a positive number", s->text);
}

static koshu_status
take_parts(struct koshu_context *context, struct system *s)
{
    const char *at = s->text;
    do {
        char part[NUMBER];
        const size_t n = strcspn(at, ",");
        snprintf(part, sizeof part, "%.*s", (int)(n < NUMBER ? n : NUMBER), at);
        KOSHU_TRY(take_part(context, part, s));
        at += n;
    } while (*at++ == ',');
    return KOSHU_OK;
}

static koshu_status
make_system(struct koshu_context *context, const struct system *s,
            struct koshu_units *units)
{
    const double *cgs = s->cgs;
    if (!(cgs[LENGTH] > 0) || !(cgs[MASS] > 0))
        return koshu_fail(
                context, KOSHU_ERROR_BAD_INPUT,
                "'%s': there is not a unit of %s; expected such as 'pc, "
                "Msun, Myr', 'kpc, 1e10 Msun, km/s', or henon",
                s->text, cgs[LENGTH] > 0 ? "mass" : "length");
    if (cgs[TIME] > 0 && cgs[VELOCITY] > 0)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%s': the units of time and of velocity follow from "
                          "each other; remove one",
                          s->text);
    double v = cgs[VELOCITY];
    if (cgs[TIME] > 0) v = cgs[LENGTH] / cgs[TIME];
    if (!(v > 0))
        v = sqrt(KOSHU_GRAVITATIONAL_CONSTANT_CGS * cgs[MASS] / cgs[LENGTH]);
    *units = (struct koshu_units){cgs[LENGTH], cgs[MASS], v};
    if (koshu_units_are_henon(units))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "'%s': in files these are units without dimension; "
                          "take others, km, g, km/s say",
                          s->text);
    return KOSHU_OK;
}

koshu_status
koshu_units_find(struct koshu_context *context, const char *text,
                 struct koshu_units *units)
{
    KOSHU_REQUIRE(context, text);
    KOSHU_REQUIRE(context, units);
    struct system s = {.text = text};
    if (strcmp(text, "henon") == 0 || strcmp(text, "hénon") == 0) {
        koshu_units_henon(units);
        return KOSHU_OK;
    }
    KOSHU_TRY(take_parts(context, &s));
    return make_system(context, &s, units);
}
