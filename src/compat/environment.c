/* SPDX-License-Identifier: MIT */
#include "compat/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
koshu_compat_value(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

int
koshu_compat_int(const char *name, int least, int most, int *number,
                 char *fault)
{
    const char *value = koshu_compat_value(name);
    if (!value) return 0;
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (*end || end == value || errno || n < least || n > most) {
        snprintf(fault, KOSHU_COMPAT_LINE,
                 "%s=%s: expected a number from %d to %d", name, value, least,
                 most);
        return -1;
    }
    *number = (int)n;
    return 0;
}

int
koshu_compat_precision(const char *name, enum koshu_precision *precision,
                       char *fault)
{
    const char *value = koshu_compat_value(name);
    if (!value) return 0;
    for (enum koshu_precision p = KOSHU_SINGLE; p <= KOSHU_DOUBLE; p++)
        if (strcmp(value, koshu_precision_name(p)) == 0) {
            *precision = p;
            return 0;
        }
    snprintf(fault, KOSHU_COMPAT_LINE,
             "%s=%s: expected single, mixed or double", name, value);
    return -1;
}
