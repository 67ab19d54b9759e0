/* SPDX-License-Identifier: MIT */
/* Converts the texts of keys to typed values. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "parameters/parameters.h"
#include "particles/particles.h"

/* ---- texts to numbers -------------------------------------------------- */

bool
koshu_parse_whole(const char *text, uint64_t *value)
{
    static const double largest = 0x1p53; /* up to here doubles are exact */
    const char *end = text + strlen(text);
    if (text[strspn(text, "0123456789")] != '\0') { /* 1e6 */
        double x;
        if (!koshu_parse_decimal(text, end, &x) || !(x >= 0 && x <= largest))
            return false;
        *value = (uint64_t)x;
        return (double)*value == x;
    }
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return text != end && errno == 0;
}

static bool
parse_flag(const char *text, bool *value)
{
    static const char *const words[2][3] = {{"false", "no", "off"},
                                            {"true", "yes", "on"}};
    for (int flag = 0; flag < 2; flag++)
        for (int k = 0; k < 3; k++)
            if (strcmp(text, words[flag][k]) == 0) {
                *value = flag;
                return true;
            }
    return false;
}

static bool
parse_choice(const struct koshu_key *key, const char *text, int *value)
{
    const char *name;
    for (int k = key->first_choice; (name = key->choice(k)); k++)
        if (strcmp(name, text) == 0) {
            *value = k;
            return true;
        }
    return false;
}

/* ---- numbers with units -------------------------------------------------- */

bool
koshu_text_has_unit(const char *text)
{
    return text[strspn(text, "0123456789+-.eE/[], ")] != '\0';
}

static bool
parse_number(const struct koshu_key *key, const char *text,
             const struct koshu_units *units, double *value)
{
    struct koshu_units own;
    if (!key->quantity || !koshu_text_has_unit(text))
        return koshu_parse_real(text, value);
    if (key->own_units) {
        if (koshu_units_find(NULL, key->own_units, &own) != KOSHU_OK)
            return false;
        units = &own;
    }
    return koshu_quantity_parse(NULL, text, *key->quantity, units, value) ==
           KOSHU_OK;
}

static bool
is_unit(const struct koshu_key *key, const char *text)
{
    return !key->quantity || !text[0] || koshu_is_unit(key, text);
}

static bool
in_range(const struct koshu_key_range *r, double x)
{
    return (r->low_open ? x > r->low : x >= r->low) &&
           (r->high_open ? x < r->high : x <= r->high) &&
           !(r->not_zero && x == 0.0);
}

/* ---- into the struct --------------------------------------------------- */

size_t
koshu_list_length(const char *text)
{
    size_t n = 1;
    for (; *text; text++) n += *text == ',';
    return n;
}

/* "[0, 1, 5/2]", each entry in the range. */
static bool
parse_list(const struct koshu_key *key, const char *text,
           const struct koshu_units *units, double *list, size_t *n)
{
    const char *end = text + strlen(text) - 1;
    *n = 0;
    for (text++; text < end;) {
        char entry[64];
        size_t length = strcspn(text, ",]");
        if (length >= sizeof entry) return false;
        memcpy(entry, text, length);
        entry[length] = '\0';
        if (!parse_number(key, entry, units, &list[*n]) ||
            !in_range(&key->range, list[*n]) ||
            (key->type == KOSHU_KEY_WHOLES && list[*n] != floor(list[*n])))
            return false;
        ++*n;
        text += length + 1;
        text += strspn(text, " ");
    }
    return true;
}

/* A value of any type. */
union value {
    double real;
    uint64_t whole;
    bool flag;
    int choice;
    const char *text;
    struct koshu_times times;
};

/* Parses a value; returns its size in bytes, 0: the text is refused. */
static size_t
parse(const struct koshu_key *key, const char *text,
      const struct koshu_units *units, double *list, union value *v)
{
    int choice;
    bool good = false;
    switch (key->type) {
    case KOSHU_KEY_TEXT:
        v->text = text;
        good = (!key->choice || parse_choice(key, text, &choice)) &&
               is_unit(key, text);
        return good ? sizeof v->text : 0;
    case KOSHU_KEY_CHOICE:
        return parse_choice(key, text, &v->choice) ? sizeof v->choice : 0;
    case KOSHU_KEY_WHOLE:
        good = koshu_parse_whole(text, &v->whole) &&
               in_range(&key->range, (double)v->whole);
        return good ? sizeof v->whole : 0;
    case KOSHU_KEY_REAL:
        good = parse_number(key, text, units, &v->real) &&
               in_range(&key->range, v->real);
        return good ? sizeof v->real : 0;
    case KOSHU_KEY_FLAG: return parse_flag(text, &v->flag) ? sizeof v->flag : 0;
    case KOSHU_KEY_REALS:
    case KOSHU_KEY_WHOLES:
        v->times.time = list;
        good = parse_list(key, text, units, list, &v->times.n);
        return good ? sizeof v->times : 0;
    }
    return 0;
}

bool
koshu_value_store(const struct koshu_key *key, const char *text,
                  const struct koshu_units *units, double *list,
                  struct koshu_parameter_values *values)
{
    union value v;
    const size_t size = parse(key, text, units, list, &v);
    memcpy((char *)values + key->offset, &v, size);
    return size > 0;
}
