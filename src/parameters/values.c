/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "parameters/parameters.h"

/* ---- texts to numbers -------------------------------------------------- */

/* strtod() also takes "nan", "inf", hexadecimal and leading blanks. */
static bool
parse_decimal(const char *text, const char *end, double *value)
{
    static const char allowed[] = "0123456789+-.eE";
    if (text == end || strspn(text, allowed) < (size_t)(end - text))
        return false;
    char *stop;
    locale_t users = koshu_plain_numbers();
    *value = strtod(text, &stop);
    koshu_users_numbers(users);
    return stop == end && isfinite(*value);
}

bool
koshu_parse_real(const char *text, double *value)
{
    const char *end = text + strlen(text), *slash = strchr(text, '/');
    if (!slash) return parse_decimal(text, end, value);
    double above, below;
    if (!parse_decimal(text, slash, &above) ||
        !parse_decimal(slash + 1, end, &below) || below == 0.0)
        return false;
    *value = above / below;
    return isfinite(*value);
}

bool
koshu_parse_whole(const char *text, uint64_t *value)
{
    static const double largest = 0x1p53; /* up to here doubles are exact */
    const char *end = text + strlen(text);
    if (text[strspn(text, "0123456789")] != '\0') { /* 1e6 */
        double x;
        if (!parse_decimal(text, end, &x) || !(x >= 0 && x <= largest))
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

static bool
in_range(const struct koshu_key_range *r, double x)
{
    return (r->low_open ? x > r->low : x >= r->low) &&
           (r->high_open ? x < r->high : x <= r->high) &&
           !(r->not_zero && x == 0.0);
}

/* ---- into the struct --------------------------------------------------- */

static bool
store_text(const struct koshu_key *key, const char *text, void *to)
{
    int choice;
    union {
        double real;
        uint64_t whole;
        bool flag;
        const char *text;
    } v;
    switch (key->type) {
    case KOSHU_KEY_TEXT:
        if (key->choice && !parse_choice(key, text, &choice)) return false;
        v.text = text;
        memcpy(to, &v.text, sizeof v.text);
        return true;
    case KOSHU_KEY_CHOICE:
        if (!parse_choice(key, text, &choice)) return false;
        memcpy(to, &choice, sizeof choice);
        return true;
    case KOSHU_KEY_WHOLE:
        if (!koshu_parse_whole(text, &v.whole) ||
            !in_range(&key->range, (double)v.whole))
            return false;
        memcpy(to, &v.whole, sizeof v.whole);
        return true;
    case KOSHU_KEY_REAL:
        if (!koshu_parse_real(text, &v.real) || !in_range(&key->range, v.real))
            return false;
        memcpy(to, &v.real, sizeof v.real);
        return true;
    case KOSHU_KEY_FLAG:
        if (!parse_flag(text, &v.flag)) return false;
        memcpy(to, &v.flag, sizeof v.flag);
        return true;
    case KOSHU_KEY_REALS: break;
    }
    return false;
}

const char *
koshu_value_store(const struct koshu_key *key,
                  const struct koshu_raw_value *raw, double *list,
                  struct koshu_parameter_values *values)
{
    if (key->type != KOSHU_KEY_REALS) {
        const char *text = raw->text ? raw->text : key->value;
        return store_text(key, text, (char *)values + key->offset) ? NULL
                                                                   : text;
    }
    for (unsigned k = 0; k < raw->n_entries; k++)
        if (!koshu_parse_real(raw->entries[k], &list[k]) ||
            !in_range(&key->range, list[k]))
            return raw->entries[k];
    struct koshu_times times = {list, raw->n_entries};
    memcpy((char *)values + key->offset, &times, sizeof times);
    return NULL;
}
