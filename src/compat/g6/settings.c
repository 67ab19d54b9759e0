/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>

#include "compat/environment.h"
#include "compat/g6/g6.h"

int
koshu_g6_settings_read(struct koshu_g6_settings *settings)
{
    struct koshu_g6_settings s = {
            .precision = KOSHU_PRECISION_MIXED, .npipes = 48, .clusters = 1};
    const char *backend = koshu_compat_value("KOSHU_G6_BACKEND");
    int verbose = 0;
    char fault[KOSHU_COMPAT_LINE];
    snprintf(s.backend, sizeof s.backend, "%s", backend ? backend : "auto");
    if (koshu_compat_precision("KOSHU_G6_PRECISION", &s.precision, fault) ||
        koshu_compat_int("KOSHU_G6_THREADS", 0, KOSHU_MAX_THREADS, &s.threads,
                         fault) ||
        koshu_compat_int("KOSHU_G6_NPIPES", 1, INT_MAX, &s.npipes, fault) ||
        koshu_compat_int("KOSHU_G6_CLUSTERS", 1, KOSHU_G6_MAX_CLUSTERS,
                         &s.clusters, fault) ||
        koshu_compat_int("KOSHU_G6_VERBOSE", 0, 1, &verbose, fault))
        return koshu_g6_fail("%s", fault);
    s.verbose = verbose;
    *settings = s;
    return 0;
}
