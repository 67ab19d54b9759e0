/* SPDX-License-Identifier: MIT */
/* Which ranks have a device to themselves. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"

typedef char unit_name[KOSHU_UNIT_NAME];

/* The number of ranks with a device, and of different devices. */
static void
count_devices(unit_name *units, int n, int *ranks, int *devices)
{
    *ranks = *devices = 0;
    for (int r = 0; r < n; r++) {
        if (!units[r][0]) continue;
        int first = 0;
        while (strcmp(units[first], units[r]) != 0) first++;
        ++*ranks;
        *devices += first == r;
    }
}

static void
warn(struct koshu_context *context, int n, int ranks, int devices)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    bool shared = ranks > devices, missing = 0 < ranks && ranks < n;
    if (!koshu_is_first_rank(context) || !(shared || missing)) return;
    if (atomic_flag_test_and_set(&warned)) return;
    if (shared)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%d ranks share %d GPU%s: that works, but one rank for each "
                  "GPU is faster",
                  ranks, devices, devices == 1 ? "" : "s");
    if (missing)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%d of %d ranks found no GPU and sum on their processors: "
                  "the others wait for them; start one rank for each GPU",
                  n - ranks, n);
}

koshu_status
koshu_sharing_look(struct koshu_context *context,
                   const char unit[KOSHU_UNIT_NAME], bool *one_each)
{
    int n = koshu_context_ranks(context), ranks, devices;
    void *units;
    *one_each = false;
    if (n == 1) return KOSHU_OK;
    const koshu_status status =
            koshu_gather_ranks(context, KOSHU_OK, unit, sizeof(unit_name),
                               "names of devices", &units);
    if (status == KOSHU_OK) {
        count_devices(units, n, &ranks, &devices);
        *one_each = devices == n;
        warn(context, n, ranks, devices);
    }
    koshu_free(units);
    return status;
}
