/* SPDX-License-Identifier: MIT */
/* A locale in which numbers are written with a decimal point. */
#include <pthread.h>

#include "base/base.h"

static locale_t plain; /* lives as long as the program */

/* If there is no memory for the locale, numbers stay in the user's. */
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
