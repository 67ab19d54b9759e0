/* SPDX-License-Identifier: MIT */
/* The clock. */
#include <time.h>

#include "base/base.h"

double
koshu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
