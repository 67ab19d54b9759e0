/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/g6/g6.h"

/* The value of a variable; NULL where it is not set, or empty. */
static const char *
value_of(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static int
read_int(const char *name, int least, int most, int *number)
{
    const char *value = value_of(name);
    if (!value) return 0;
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (*end || end == value || errno || n < least || n > most)
        return koshu_g6_fail("%s=%s: expected a number from %d to %d", name,
                             value, least, most);
    *number = (int)n;
    return 0;
}

static int
read_precision(const char *name, enum koshu_precision *precision)
{
    const char *value = value_of(name);
    if (!value) return 0;
    for (enum koshu_precision p = KOSHU_SINGLE; p <= KOSHU_DOUBLE; p++)
        if (strcmp(value, koshu_precision_name(p)) == 0) {
            *precision = p;
            return 0;
        }
    return koshu_g6_fail("%s=%s: expected single, mixed or double", name,
                         value);
}

int
koshu_g6_settings_read(struct koshu_g6_settings *settings)
{
    struct koshu_g6_settings s = {
            .precision = KOSHU_MIXED, .npipes = 48, .clusters = 1};
    const char *backend = value_of("KOSHU_G6_BACKEND");
    int verbose = 0;
    snprintf(s.backend, sizeof s.backend, "%s", backend ? backend : "auto");
    if (read_precision("KOSHU_G6_PRECISION", &s.precision) ||
        read_int("KOSHU_G6_THREADS", 0, INT_MAX, &s.threads) ||
        read_int("KOSHU_G6_NPIPES", 1, INT_MAX, &s.npipes) ||
        read_int("KOSHU_G6_CLUSTERS", 1, KOSHU_G6_MOST_CLUSTERS, &s.clusters) ||
        read_int("KOSHU_G6_VERBOSE", 0, 1, &verbose))
        return -1;
    s.verbose = verbose;
    *settings = s;
    return 0;
}
