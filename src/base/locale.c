/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "base/base.h"

static locale_t plain; /* lives as long as the program */

/* Where there is no memory even for this, numbers stay the user's. */
static void
make_plain(void)
{
    plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
}

locale_t
koshu_plain_numbers(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return uselocale(plain);
}
