/* SPDX-License-Identifier: MIT */
/* A locale in which the decimal point is a comma. */
#ifndef KOSHU_TESTS_LOCALE_COMMA_H
#define KOSHU_TESTS_LOCALE_COMMA_H

#include <locale.h>

#include "check.h"

/* Sets such a locale, and skips the test where none is installed. Undo with
 * setlocale(LC_NUMERIC, "C"). */
static inline void
locale_comma(void)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8",
                                         "de_DE.utf8"};
    for (int k = 0; k < 3; k++)
        if (setlocale(LC_NUMERIC, commas[k])) return;
    skip();
}

#endif
