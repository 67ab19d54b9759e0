/* SPDX-License-Identifier: MIT */
#include "snapshot_text.h"

#include <math.h>
#include <stdio.h>

const char *
snapshot_time_text(const struct koshu_snapshot_info *info,
                   char text[SNAPSHOT_TIME])
{
    char time[QUANTITY_TEXT];
    const double z = 1 / info->time - 1;
    if (info->hubble > 0)
        snprintf(text, SNAPSHOT_TIME, "z = %.4g", fabs(z) < 1e-9 ? 0 : z);
    else
        snprintf(text, SNAPSHOT_TIME, "t = %s",
                 quantity_text(&info->units, KOSHU_QUANTITY_TIME, info->time,
                               time));
    return text;
}

const char *
universe_text(const struct koshu_snapshot_info *info, char text[UNIVERSE_TEXT])
{
    if (info->hubble > 0)
        snprintf(text, UNIVERSE_TEXT, "Omega_m = %g, Omega_Lambda = %g, h = %g",
                 info->omega_m, info->omega_lambda, info->hubble);
    else
        snprintf(text, UNIVERSE_TEXT, "no universe");
    return text;
}
