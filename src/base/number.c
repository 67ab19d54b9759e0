/* SPDX-License-Identifier: MIT */
/* Reads numbers from texts, in any locale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* strtod() alone also accepts "nan", "inf", hexadecimal and leading blanks. */
bool
koshu_parse_decimal(const char *text, const char *end, double *value)
{
    static const char allowed[] = "0123456789+-.eE";
    if (text == end || strspn(text, allowed) < (size_t)(end - text))
        return false;
    char *stop;
    locale_t users = koshu_plain_numbers();
    *value = strtod(text, &stop);
    uselocale(users);
    return stop == end && isfinite(*value);
}

bool
koshu_parse_real(const char *text, double *value)
{
    const char *end = text + strlen(text), *slash = strchr(text, '/');
    if (!slash) return koshu_parse_decimal(text, end, value);
    double above, below;
    if (!koshu_parse_decimal(text, slash, &above) ||
        !koshu_parse_decimal(slash + 1, end, &below) || below == 0.0)
        return false;
    *value = above / below;
    return isfinite(*value);
}
