/* SPDX-License-Identifier: MIT */
/* Describes in words what a key expects. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "parameters/parameters.h"

static void
range_words(const struct koshu_key_range *r, char *text, size_t size)
{
    if (isinf(r->low) && isinf(r->high))
        snprintf(text, size, "%s", r->not_zero ? ", not 0" : "");
    else if (isinf(r->high))
        snprintf(text, size, " %s %g", r->low_open ? ">" : ">=", r->low);
    else
        snprintf(text, size, " in %c%g, %g%c", r->low_open ? '(' : '[', r->low,
                 r->high, r->high_open ? ')' : ']');
}

static void
choice_words(const struct koshu_key *key, char *text, size_t size)
{
    const char *names[32];
    char list[256];
    size_t n = 0;
    while (n < 32 && (names[n] = key->choice(key->first_choice + (int)n))) n++;
    koshu_join_names(list, sizeof list, names, n);
    snprintf(text, size, n > 1 ? "one of %s" : "%s", list);
}

void
koshu_key_expectation(const struct koshu_key *key, char *text, size_t size)
{
    char range[64];
    range_words(&key->range, range, sizeof range);
    if (key->choice) {
        choice_words(key, text, size);
        return;
    }
    const char *quantity =
            key->quantity ? koshu_quantity_name(*key->quantity) : NULL;
    const char *or_with = quantity ? ", with or without a unit of " : "";
    switch (key->type) {
    case KOSHU_KEY_CHOICE:
    case KOSHU_KEY_TEXT:
        snprintf(text, size, "a %s%s", quantity ? "unit of " : "text",
                 quantity ? quantity : "");
        return;
    case KOSHU_KEY_WHOLE:
        snprintf(text, size, "a whole number%s", range);
        return;
    case KOSHU_KEY_REAL:
        snprintf(text, size, "a number%s%s%s", range, or_with,
                 quantity ? quantity : "");
        return;
    case KOSHU_KEY_FLAG: snprintf(text, size, "true or false"); return;
    case KOSHU_KEY_REALS:
        snprintf(text, size, "a list of numbers%s, [0, 1, 5/2]%s%s", range,
                 or_with, quantity ? quantity : "");
        return;
    case KOSHU_KEY_WHOLES:
        snprintf(text, size, "a list of whole numbers%s, [2, 2, 4]", range);
        return;
    }
}
