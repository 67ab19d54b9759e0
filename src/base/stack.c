/* SPDX-License-Identifier: MIT */
/* Is the stack large enough? If not, the program would crash later. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/base.h"

static bool
threads_have_stack(char *reason, size_t size)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    for (int k = 0; k < 2; k++) {
        const char *text = getenv(names[k]);
        if (!text || koshu_bytes_of(text, 1024) >= KOSHU_STACK_BYTES) continue;
        snprintf(reason, size,
                 "%s=%s is too small a stack for koshu's threads, which need "
                 "%dK; unset it, or make it larger",
                 names[k], text, KOSHU_STACK_BYTES >> 10);
        return false;
    }
    return true;
}

bool
koshu_has_stack(char *reason, size_t size)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= KOSHU_STACK_BYTES)
        return threads_have_stack(reason, size);
    snprintf(reason, size,
             "a stack of %llu KiB is too small, koshu needs %d: `ulimit -s "
             "8192` in the shell that starts it",
             (unsigned long long)limit.rlim_cur >> 10, KOSHU_STACK_BYTES >> 10);
    return false;
}
