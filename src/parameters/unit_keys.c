/* SPDX-License-Identifier: MIT */
/* The keys of the section units, and their values. */
#include <string.h>

#include "base/base.h"
#include "parameters/parameters.h"
#include "particles/particles.h"

/* "henon" states explicitly that there are no units. */
static bool
is_henon(const char *text)
{
    struct koshu_units units;
    return koshu_units_find(NULL, text, &units) == KOSHU_OK &&
           koshu_units_are_henon(&units);
}

bool
koshu_is_unit(const struct koshu_key *key, const char *text)
{
    double cgs;
    return (*key->quantity == KOSHU_QUANTITY_LENGTH && is_henon(text)) ||
           koshu_unit_parse(NULL, text, *key->quantity, &cgs) == KOSHU_OK;
}

int
koshu_unit_key(const char *text)
{
    static const char *const paths[] = {"units.length", "units.mass",
                                        "units.time", "units.velocity"};
    for (int k = 0; k < 4; k++) {
        const int key = koshu_key_find(paths[k]);
        if (koshu_is_unit(&koshu_keys[key], text)) return key;
    }
    return -1;
}
